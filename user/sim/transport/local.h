/* SPDX-License-Identifier: GPL-2.0 */
/* The transport of tests: sockets between forked processes of one machine. */
#ifndef TORUS_SIM_TRANSPORT_LOCAL_H
#define TORUS_SIM_TRANSPORT_LOCAL_H

#include "transport.h"

/*
 * Fork @count processes that are connected by sockets. Each message is delayed by up to @delay_us
 * us at random.
 */
struct sim_transport *sim_transport_local(uint32_t count, uint32_t delay_us, uint64_t seed,
					  char *why,
					  size_t size);

#endif

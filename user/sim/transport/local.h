/* SPDX-License-Identifier: GPL-2.0 */
/* The transport of tests: sockets between forked processes of one machine. */
#ifndef TORUS_SIM_TRANSPORT_LOCAL_H
#define TORUS_SIM_TRANSPORT_LOCAL_H

#include "transport.h"

/*
 * Fork @count processes that are connected by sockets. One message of four, at random, is delayed
 * by less than @delay_us us.
 */
struct sim_transport *sim_transport_local(uint32_t count, uint32_t delay_us, uint64_t seed,
					  char *why,
					  size_t size);

#endif

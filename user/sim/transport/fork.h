/* SPDX-License-Identifier: GPL-2.0 */
/* Communication between ranks over sockets of forked processes, for tests. */
#ifndef TORUS_SIM_TRANSPORT_FORK_H
#define TORUS_SIM_TRANSPORT_FORK_H

#include "wire.h"

/* As processes of this machine, over sockets, each delayed by up to @delay_us at random. */
struct sim_wire *sim_wire_fork(uint32_t count, uint32_t delay_us, uint64_t seed, char *why,
			       size_t size);

#endif

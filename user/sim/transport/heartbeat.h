/* SPDX-License-Identifier: GPL-2.0 */
/* Heartbeats of processes that simulate together, and the time-out of a silent one. */
#ifndef TORUS_SIM_TRANSPORT_HEARTBEAT_H
#define TORUS_SIM_TRANSPORT_HEARTBEAT_H

#include <stdbool.h>
#include <stdint.h>

struct sim_transport;

/**
 * struct sim_heartbeat - times of heartbeats, by the monotonic clock; all zero without a time-out
 * @began_ms: time at which this process started to wait; before that it may not have received
 * @sent_ms: time of this process's last heartbeat
 * @received_ms: time of the last heartbeat of each other process; over sockets also of its last
 *  data
 */
struct sim_heartbeat {
	uint64_t began_ms;
	uint64_t sent_ms;
	uint64_t *received_ms;
};

bool sim_heartbeat_init(struct sim_heartbeat *heartbeat, uint32_t ranks);
void sim_heartbeat_free(struct sim_heartbeat *heartbeat);
void sim_heartbeat_begin(struct sim_heartbeat *heartbeat, const struct sim_transport *transport);
void sim_heartbeat_heard(struct sim_heartbeat *heartbeat, const struct sim_transport *transport,
			 uint32_t rank);
bool sim_heartbeat_due(struct sim_heartbeat *heartbeat, const struct sim_transport *transport);
bool sim_heartbeat_timed_out(const struct sim_heartbeat *heartbeat,
			     const struct sim_transport *transport);

#endif /* TORUS_SIM_TRANSPORT_HEARTBEAT_H */

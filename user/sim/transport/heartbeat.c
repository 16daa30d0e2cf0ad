// SPDX-License-Identifier: GPL-2.0
/*
 * Heartbeats of processes that simulate together. A process sends and receives heartbeats while it
 * waits, and between two slices of its simulation. If a process sends nothing for too long, the
 * others give it up. A process does not receive during a slice. So it measures the silence of
 * another process from the start of its own wait at the earliest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "heartbeat.h"
#include "transport.h"

/* Number of heartbeats that a process sends during one time-out. */
#define BEATS		4
#define MS_PER_S	1000.0

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/**
 * sim_heartbeat_init - initialize the state of heartbeats
 * @heartbeat: [out] the state, for sim_heartbeat_free()
 * @ranks: number of processes
 *
 * Return: false if there is no memory.
 */
bool sim_heartbeat_init(struct sim_heartbeat *heartbeat, uint32_t ranks)
{
	*heartbeat = (struct sim_heartbeat){
		.received_ms = calloc(ranks, sizeof(*heartbeat->received_ms)),
	};
	return heartbeat->received_ms;
}

void sim_heartbeat_free(struct sim_heartbeat *heartbeat)
{
	free(heartbeat->received_ms);
}

/**
 * sim_heartbeat_begin - record that this process starts to wait
 * @heartbeat: the state
 * @transport: the transport, which has the time-out
 */
void sim_heartbeat_begin(struct sim_heartbeat *heartbeat, const struct sim_transport *transport)
{
	if (transport->timeout_ms)
		heartbeat->began_ms = now_ms();
}

/**
 * sim_heartbeat_heard - record that a heartbeat or data of a process has arrived
 * @heartbeat: the state
 * @transport: the transport, which has the time-out
 * @rank: number of the process
 */
void sim_heartbeat_heard(struct sim_heartbeat *heartbeat, const struct sim_transport *transport,
			 uint32_t rank)
{
	if (transport->timeout_ms)
		heartbeat->received_ms[rank] = now_ms();
}

/**
 * sim_heartbeat_due - check whether it is time to send a heartbeat, and if so record that it is
 * sent
 * @heartbeat: the state
 * @transport: the transport, which has the time-out
 *
 * Return: true if the caller must send it now.
 */
bool sim_heartbeat_due(struct sim_heartbeat *heartbeat, const struct sim_transport *transport)
{
	uint64_t now;

	if (!transport->timeout_ms)
		return false;
	now = now_ms();
	if (now < heartbeat->sent_ms + transport->timeout_ms / BEATS)
		return false;
	heartbeat->sent_ms = now;
	return true;
}

/* Milliseconds since process @rank last sent something, or since this process started to wait. */
static uint64_t silent_ms(const struct sim_heartbeat *heartbeat, uint32_t rank, uint64_t now)
{
	uint64_t since = heartbeat->received_ms[rank];

	if (since < heartbeat->began_ms)
		since = heartbeat->began_ms;
	return now > since ? now - since : 0;
}

/**
 * sim_heartbeat_timed_out - check whether another process has been silent for too long
 * @heartbeat: state of a waiting process
 * @transport: the transport, which has the time-out
 *
 * All waiting processes detect a silent process at about the same time. The one with the lowest
 * number reports it. If a process with a lower number is alive and should report, the caller waits
 * for half a time-out more.
 *
 * Return: true after a message that names the silent process; then the caller ends the run.
 */
bool sim_heartbeat_timed_out(const struct sim_heartbeat *heartbeat,
			     const struct sim_transport *transport)
{
	uint64_t now, limit = transport->timeout_ms;
	uint32_t i;

	if (!transport->timeout_ms)
		return false;
	now = now_ms();
	for (i = 0; i < transport->rank; i++)
		if (silent_ms(heartbeat, i, now) <= transport->timeout_ms)
			limit = transport->timeout_ms + transport->timeout_ms / 2;
	for (i = 0; i < transport->count; i++)
		if (i != transport->rank && silent_ms(heartbeat, i, now) > limit)
			break;
	if (i == transport->count)
		return false;
	fprintf(stderr, "torus-sim: rank %u has sent nothing for %g s (--rank-timeout)\n", i,
		transport->timeout_ms / MS_PER_S);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* The interface of a transport between processes that simulate together: MPI, or sockets. */
#ifndef TORUS_SIM_TRANSPORT_TRANSPORT_H
#define TORUS_SIM_TRANSPORT_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct sim_transport - a process among those that simulate together, and how it sends
 * @rank: its number
 * @count: number of processes
 * @timeout_ms: time after which a process that sends nothing is given up, if another one waits;
 *              0: never
 * @share: send @bytes to all; @all receives those of all processes, by number
 * @gather: the same, with a number of bytes for each process, in @sizes
 * @send: send @bytes to one process; they must not change until @sent returns
 * @receive: wait for a message of a process that sends one; valid until the next call
 * @sent: wait until everything has been sent
 * @beat: send a heartbeat if it is due, and check those of the others; never blocks
 * @end: close the connections
 *
 * One thread calls these functions.  If a process is gone or given up, they do not return: they
 * print its number and end this process.  While they wait, they send heartbeats.
 */
struct sim_transport {
	uint32_t rank;
	uint32_t count;
	uint32_t timeout_ms;
	void (*share)(struct sim_transport *transport, const void *own, void *all, size_t bytes);
	void (*gather)(struct sim_transport *transport, const void *own, void *all,
		       const size_t *sizes);
	void (*send)(struct sim_transport *transport, uint32_t to, const void *data, size_t bytes);
	void *(*receive)(struct sim_transport *transport, uint32_t from, size_t *bytes);
	void (*sent)(struct sim_transport *transport);
	void (*beat)(struct sim_transport *transport);
	void (*end)(struct sim_transport *transport);
};

/* Exit status of a process that has reported that it has no memory for messages. */
#define SIM_TRANSPORT_REPORTED	4

#define SIM_TRANSPORT_OPEN	"sim_transport_open"

#endif /* TORUS_SIM_TRANSPORT_TRANSPORT_H */

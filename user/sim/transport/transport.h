/* SPDX-License-Identifier: GPL-2.0 */
/* The interface of a transport between processes that simulate together: MPI, or sockets. */
#ifndef TORUS_SIM_TRANSPORT_TRANSPORT_H
#define TORUS_SIM_TRANSPORT_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct sim_transport - connection of this process to the processes that simulate with it
 * @rank: number of this process
 * @count: number of processes
 * @timeout_ms: time after which a waiting process gives up a silent process; 0: never
 * @share: exchange data: send @bytes bytes to all processes; receive the bytes of all processes in
 *	@all, in the order of process numbers
 * @gather: exchange data as @share does, if the processes have data of different sizes, which are
 *          in @sizes
 * @send: send @bytes bytes to one process; @data must not change until @sent returns
 * @receive: wait for a message of a process; the returned message is valid until the next
 *	call
 * @sent: wait until all messages of @send have been sent
 * @beat: send a heartbeat if one is due, and receive those of other processes; never blocks
 * @end: close the connections
 *
 * One thread calls these functions. While a function waits, it sends heartbeats. If another process
 * has ended or was given up, the called function ends this process.
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

/* Exit status of a process that ran out of memory for messages and has reported that itself. */
#define SIM_TRANSPORT_REPORTED	4

#define SIM_TRANSPORT_OPEN	"sim_transport_open"

#endif /* TORUS_SIM_TRANSPORT_TRANSPORT_H */

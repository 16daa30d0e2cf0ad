/* SPDX-License-Identifier: GPL-2.0 */
/* What ranks need of whatever connects them: MPI, or sockets. */
#ifndef TORUS_SIM_WIRE_H
#define TORUS_SIM_WIRE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct sim_wire - a process among those that simulate together
 * @rank: its number
 * @count: how many there are
 * @timeout_ms: a rank that says nothing for so long while another waits is given up; 0: none is
 * @share: everybody's @bytes, in the order of ranks, into @all
 * @gather: the same of as many bytes as @sizes has for each rank
 * @send: @bytes to one rank; they are to stay until @sent
 * @receive: what a rank sent, which is known to have; it stays until the next call
 * @sent: everything has been sent
 * @beat: this rank is busy and well, and looks whether the others are; it takes no time
 * @end: no more is said
 *
 * One thread calls them.  They do not come back where a rank has gone or is given up: they say
 * which, and end the process.  A rank that waits says so, often enough, by itself.
 */
struct sim_wire {
	uint32_t rank;
	uint32_t count;
	uint32_t timeout_ms;
	void (*share)(struct sim_wire *wire, const void *own, void *all, size_t bytes);
	void (*gather)(struct sim_wire *wire, const void *own, void *all, const size_t *sizes);
	void (*send)(struct sim_wire *wire, uint32_t to, const void *data, size_t bytes);
	void *(*receive)(struct sim_wire *wire, uint32_t from, size_t *bytes);
	void (*sent)(struct sim_wire *wire);
	void (*beat)(struct sim_wire *wire);
	void (*end)(struct sim_wire *wire);
};

/* How a rank ends that has told that it has no memory for what ranks tell each other. */
#define SIM_WIRE_TOLD	4

#define SIM_WIRE_OPEN	"sim_wire_open"

#endif /* TORUS_SIM_WIRE_H */

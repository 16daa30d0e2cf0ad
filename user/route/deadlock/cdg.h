/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prove that packets cannot wait for each other in a cycle.
 *
 * The caller follows the machine's own route function, packet by packet. A channel is a VC of a
 * link. A packet that arrived over a channel occupies one buffer and waits for its next
 * channel. If the graph of waits is acyclic, no channel stays full indefinitely: the last such
 * channel in topological order would have a first packet that waits for a channel with space.
 * That holds for packets of any size.
 *
 * Channels of a ring that keeps a bubble are one vertex: a packet can continue in the ring as
 * long as packets that leave the ring can move.
 */
#ifndef TORUS_ROUTE_DEADLOCK_CDG_H
#define TORUS_ROUTE_DEADLOCK_CDG_H

#include <stdbool.h>
#include <stdint.h>

#define CDG_NONE	UINT32_MAX
#define CDG_CYCLES	64u	/* maximum number of cycles that cdg_check() stores */

/**
 * struct cdg_channel - a VC of a link
 * @node: the link's sender
 */
struct cdg_channel {
	uint32_t node;
	uint32_t dir;
	uint32_t vc;
};

/**
 * struct cdg_machine - a machine
 * @machine: argument of @next
 * @nodes: number of nodes
 * @dirs: directions of a node
 * @vcs: VCs of a link; @dirs * @vcs must be at most 64
 * @next: returns the node at the other end of a link, or CDG_NONE if there is no link
 */
struct cdg_machine {
	const void *machine;
	uint32_t nodes;
	uint32_t dirs;
	uint32_t vcs;
	uint32_t (*next)(const void *machine, uint32_t node, uint32_t dir);
};

/**
 * struct cdg - graph of channels that wait for each other
 * @waits: by channel: channels for which its packets may wait, one bit per direction and VC of
 *    the channel's end
 * @ring: by channel: the channel that represents its ring. A channel in no ring represents itself
 * @member: by channel: next channel of the same ring; the last channel leads to the first
 * @waiters: scratch, one entry per channel: number of waits for the channel's ring
 * @queue: scratch, one entry per channel
 * @cycle: set by cdg_check(): channels of one cycle after the other, in order of their waits.
 *    No channel is in two cycles
 * @ends: by cycle: index in @cycle after the last channel of this cycle
 * @ncycles: number of cycles
 */
struct cdg {
	struct cdg_machine machine;
	uint64_t *waits;
	uint32_t *ring;
	uint32_t *member;
	uint32_t *waiters;
	uint32_t *queue;
	struct cdg_channel *cycle;
	uint32_t ends[CDG_CYCLES];
	uint32_t ncycles;
};

/**
 * cdg_cycle() - get the channels of a cycle
 * @cdg: must have been checked by cdg_check()
 * @which: number of the cycle, below @cdg->ncycles
 * @count: [out] number of channels
 *
 * Return: the channels; each waits for the next or another channel of the next one's ring, the last
 * for the first in the same way.
 */
static inline const struct cdg_channel *cdg_cycle(const struct cdg *cdg, uint32_t which,
						  uint32_t *count)
{
	uint32_t first = which ? cdg->ends[which - 1] : 0;

	*count = cdg->ends[which] - first;
	return cdg->cycle + first;
}

int cdg_init(struct cdg *cdg, const struct cdg_machine *machine);
void cdg_free(struct cdg *cdg);
void cdg_clear(struct cdg *cdg);
void cdg_wait(struct cdg *cdg, const struct cdg_channel *held,
	      const struct cdg_channel *wanted);
void cdg_join_ring(struct cdg *cdg, const struct cdg_channel *held,
		   const struct cdg_channel *wanted);
bool cdg_check(struct cdg *cdg);

#endif /* TORUS_ROUTE_DEADLOCK_CDG_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prove that packets cannot wait for each other in a cycle, for any machine whose router
 * selects one output and one VC for each packet.
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
#ifndef TORUS_USER_ROUTE_PROOF_H
#define TORUS_USER_ROUTE_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#define PROOF_NONE	UINT32_MAX
#define PROOF_CIRCLES	64u	/* maximum number of cycles that proof_check() stores */

/**
 * struct proof_channel - a VC of a link
 * @node: the link's sender
 */
struct proof_channel {
	uint32_t node;
	uint32_t dir;
	uint32_t vc;
};

/**
 * struct proof_machine - a machine
 * @machine: argument of @next
 * @nodes: number of nodes
 * @dirs: directions of a node
 * @vcs: VCs of a link; @dirs * @vcs must be at most 64
 * @next: returns the node at the other end of a link, or PROOF_NONE if there is no link
 */
struct proof_machine {
	const void *machine;
	uint32_t nodes;
	uint32_t dirs;
	uint32_t vcs;
	uint32_t (*next)(const void *machine, uint32_t node, uint32_t dir);
};

/**
 * struct proof - graph of channels that wait for each other
 * @waits: by channel: channels for which its packets may wait, one bit per direction and VC of
 *    the channel's end
 * @ring: by channel: the channel that represents its ring. A channel in no ring represents itself
 * @member: by channel: next channel of the same ring; the last channel leads to the first
 * @waiters: scratch, one entry per channel: number of waits for the channel's ring
 * @queue: scratch, one entry per channel
 * @cycle: set by proof_check(): channels of one cycle after the other, in order of their waits.
 *    No channel is in two cycles
 * @ends: by cycle: index in @cycle after the last channel of this cycle
 * @circles: number of cycles
 */
struct proof {
	struct proof_machine machine;
	uint64_t *waits;
	uint32_t *ring;
	uint32_t *member;
	uint32_t *waiters;
	uint32_t *queue;
	struct proof_channel *cycle;
	uint32_t ends[PROOF_CIRCLES];
	uint32_t circles;
};

/**
 * proof_circle() - get the channels of a cycle
 * @proof: must have been checked by proof_check()
 * @which: number of the cycle, below @proof->circles
 * @count: [out] number of channels
 *
 * Return: the channels; each waits for the next, the last for the first.
 */
static inline const struct proof_channel *proof_circle(const struct proof *proof, uint32_t which,
						       uint32_t *count)
{
	uint32_t first = which ? proof->ends[which - 1] : 0;

	*count = proof->ends[which] - first;
	return proof->cycle + first;
}

int proof_init(struct proof *proof, const struct proof_machine *machine);
void proof_free(struct proof *proof);
void proof_clear(struct proof *proof);
void proof_wait(struct proof *proof, const struct proof_channel *held,
		const struct proof_channel *wanted);
void proof_go_on(struct proof *proof, const struct proof_channel *held,
		 const struct proof_channel *wanted);
bool proof_check(struct proof *proof);

#endif /* TORUS_USER_ROUTE_PROOF_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A proof that packets cannot wait for each other in a circle, for any machine whose router
 * chooses one output and one VC for each packet.
 *
 * The machine's own route function is followed, packet by packet.  A channel is a VC of a
 * link; a packet that came over one waits, whole in its buffer, for the next.  Without a
 * circle of waiting there is a channel of those that are full for good whose first packet
 * waits for one that is not: so there are none, whatever the packets' sizes.
 *
 * Channels round which a bubble is kept are one: who goes on among them moves as long as
 * those move that want to leave.
 */
#ifndef TORUS_USER_ROUTE_PROOF_H
#define TORUS_USER_ROUTE_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#define PROOF_NONE	UINT32_MAX
#define PROOF_CIRCLES	64u	/* circles that are named */

/**
 * struct proof_channel - a VC of a link
 * @node: the node that sends on it
 * @dir: the link's direction
 * @vc: the VC
 */
struct proof_channel {
	uint32_t node;
	uint32_t dir;
	uint32_t vc;
};

/**
 * struct proof_machine - a machine
 * @machine: handed to @next
 * @nodes: number of nodes
 * @dirs: directions of a node
 * @vcs: VCs of a link; at most 64 over all directions of a node
 * @next: the node at the other end of a link, PROOF_NONE: there is no link
 */
struct proof_machine {
	const void *machine;
	uint32_t nodes;
	uint32_t dirs;
	uint32_t vcs;
	uint32_t (*next)(const void *machine, uint32_t node, uint32_t dir);
};

/**
 * struct proof - who waits for whom
 * @machine: the machine
 * @waits: by channel: what its packets may wait for, a bit for each direction and VC
 * @ring: by channel: the one that stands for its ring of bubbles, itself if it is in none
 * @member: by channel: the next of its ring, in a circle
 * @waiters: work, an entry a channel
 * @queue: likewise
 * @cycle: after proof_check(): channels that wait for each other, in that order; one circle after
 *         the other, no two of which have a channel in common
 * @ends: by circle: entries of @cycle to its last one
 * @circles: their number, 0: there is no circle
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
 * proof_circle() - the channels of a circle
 * @proof: after proof_check()
 * @which: below @proof->circles
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

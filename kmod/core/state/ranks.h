/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ranks: processes that simulate a fabric together.  Each has the whole fabric's arrays, and of
 * them sets up and touches what belongs to its own domains.  The other ranks' domains are there,
 * but without nodes: they have mailboxes, what their rank published last, and its
 * statistics.
 */
#ifndef TORUS_CORE_RANKS_H
#define TORUS_CORE_RANKS_H

#include "core/env.h"

struct torus_fabric;

/**
 * struct torus_ranks - the ranks of a fabric as one of them sees them
 * @rank: this one
 * @count: how many there are, at least 2
 * @meet: at a window's end: mail of that parity goes out and comes in, and the other ranks'
 *        domains get what they published; one thread calls it for all of its rank's
 * @pass: between two runs: everybody's bytes, in the order of ranks, @got in all; they stay until
 *        the next call
 * @no_memory: this rank cannot do what the others wait for; does not come back
 *
 * All ranks call the same in the same order.  No call fails: where a rank ends, the others end.
 */
struct torus_ranks {
	u32 rank;
	u32 count;
	void (*meet)(struct torus_ranks *ranks, struct torus_fabric *f, u32 parity);
	const void *(*pass)(struct torus_ranks *ranks, const void *own, size_t bytes, size_t *got);
	void (*no_memory)(struct torus_ranks *ranks);
};

/**
 * struct torus_published - what a rank publishes at a window's end, of all its domains
 * @next_at: tick of the next event
 * @done: every tick before this one has been simulated
 * @failed: memory ran out
 * @working: there are other events than scheduled faults
 * @woken: something happened for which a program waits
 */
struct torus_published {
	u64 next_at;
	u64 done;
	u8 failed;
	u8 working;
	u8 woken;
	u8 spare[5];
};

void torus_ranks_publish(const struct torus_fabric *f, u32 parity, struct torus_published *own);
void torus_ranks_learn(struct torus_fabric *f, u32 rank, u32 parity,
		       const struct torus_published *p);
void torus_ranks_sum(const struct torus_fabric *f, u64 *values, size_t n);
u64 torus_ranks_most(const struct torus_fabric *f, u64 value);
u64 torus_ranks_sum_one(const struct torus_fabric *f, u64 value);
void *torus_ranks_alloc(const struct torus_fabric *f, size_t bytes);
int torus_ranks_init(struct torus_fabric *f);
void torus_ranks_free(struct torus_fabric *f);
void torus_ranks_count(struct torus_fabric *f);

#endif /* TORUS_CORE_RANKS_H */

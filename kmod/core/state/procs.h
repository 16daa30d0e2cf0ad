/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that simulate a fabric together. Each process has the arrays of the whole fabric, but
 * initializes and accesses only the parts of its own domains. The domains of other processes exist
 * without nodes. Such a domain has mailboxes, and the last summary and statistics that its process
 * sent.
 */
#ifndef TORUS_CORE_STATE_PROCS_H
#define TORUS_CORE_STATE_PROCS_H

#include "core/platform.h"

struct torus_fabric;

/**
 * struct torus_procs - the processes of a fabric, and how they exchange data
 * @self: index of this process
 * @count: number of processes, at least 2
 * @meet: exchange the mail of a parity, and the summaries, at a window's end; called by one thread
 *   for all threads of its process
 * @pass: gather the bytes of all processes, in the order of processes, between two runs. @got:
 *   [out] number of bytes. Return: the bytes, valid until the next call
 * @no_memory: end all processes, because this process lacks the memory for a call that the other
 *   processes expect; does not return
 *
 * All processes make the same calls in the same order. No call fails: if a process ends, the others
 * end, too.
 */
struct torus_procs {
	u32 self;
	u32 count;
	void (*meet)(struct torus_procs *procs, struct torus_fabric *f, u32 parity);
	const void *(*pass)(struct torus_procs *procs, const void *own, size_t bytes, size_t *got);
	void (*no_memory)(struct torus_procs *procs);
};

/**
 * struct torus_window_summary - summary of a process's domains at a window's end
 * @next_at: tick of the next event
 * @done: all ticks before this one have been simulated
 * @failed: memory is exhausted
 * @working: a domain has work, see torus_domain_working()
 * @woken: a program waits for an event that has happened, or the condition to stop the run is met
 */
struct torus_window_summary {
	u64 next_at;
	u64 done;
	u8 failed;
	u8 working;
	u8 woken;
	u8 spare[5];
};

void torus_procs_summarize(const struct torus_fabric *f, u32 parity,
			   struct torus_window_summary *own);
void torus_procs_receive(struct torus_fabric *f, u32 proc, u32 parity,
			 const struct torus_window_summary *p);
void torus_procs_sum(const struct torus_fabric *f, u64 *values, size_t n);
u64 torus_procs_max(const struct torus_fabric *f, u64 value);
u64 torus_procs_sum_one(const struct torus_fabric *f, u64 value);
void *torus_procs_alloc(const struct torus_fabric *f, size_t bytes);
int torus_procs_init(struct torus_fabric *f);
void torus_procs_free(struct torus_fabric *f);
void torus_procs_exchange_stats(struct torus_fabric *f);

#endif /* TORUS_CORE_STATE_PROCS_H */

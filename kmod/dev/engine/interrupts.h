/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts that wait to be sent to the listeners of events; see interrupts.c. */
#ifndef TORUS_DEV_ENGINE_INTERRUPTS_H
#define TORUS_DEV_ENGINE_INTERRUPTS_H

#include <linux/spinlock.h>
#include <linux/types.h>

struct torus_engine;
struct torus_fabric;

#define TORUS_INTERRUPTS_KEPT	32

/**
 * struct torus_interrupt_note - interrupts of one cause at one node
 * @node: index of the node
 * @cause: TORUS_CAUSE()
 * @times: number of interrupts since the last report
 * @clock: tick of the first of them
 */
struct torus_interrupt_note {
	u32 node;
	u32 cause;
	u32 times;
	u64 clock;
};

/**
 * struct torus_interrupt_notes - interrupts that were not reported yet
 * @lock: protects @count, @lost and @note; acquired by every thread that runs the fabric
 * @count: number of notes
 * @lost: number of interrupts that were discarded because all notes were in use
 * @note: the notes, in the order in which their causes were first seen
 * @since: jiffies when the present period began (engine.lock)
 * @sent: events sent in this period (engine.lock)
 */
struct torus_interrupt_notes {
	spinlock_t lock;	/* count, lost, note */
	u32 count;
	u64 lost;
	struct torus_interrupt_note note[TORUS_INTERRUPTS_KEPT];
	unsigned long since;
	u32 sent;
};

void torus_interrupts_init(struct torus_interrupt_notes *in);
void torus_interrupts_raised(struct torus_fabric *f, u32 node, u32 cause);
void torus_interrupts_flush(struct torus_engine *e);
long torus_interrupts_report(struct torus_engine *e);

#endif

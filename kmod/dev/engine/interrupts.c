// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts of a fabric, told to the multicast group "events".
 *
 * The core raises them in whichever thread runs the node, millions a second if a
 * program asks for it.  So they are only noted there, one note a node and cause, and
 * the leader tells them between two runs: at most TORUS_INTERRUPTS_TOLD events in
 * TORUS_INTERRUPTS_PERIOD, each with the number of interrupts it stands for.  A
 * program is not told of its watermarks in this way but by poll(), see client.c.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>

#include "core/state/interrupt.h"
#include "engine.h"
#include "events.h"
#include "interrupts.h"

#define TORUS_INTERRUPTS_PERIOD	(HZ / 4)
#define TORUS_INTERRUPTS_TOLD	8

static const char *const torus_interrupts_words[] = {
	[TORUS_INTERRUPT_NRE] = "a non-recoverable error",
	[TORUS_INTERRUPT_RECEIVER] = "errors at the input",
	[TORUS_INTERRUPT_ECC] = "corrected single-bit errors",
	[TORUS_INTERRUPT_RETRY] = "packets sent again",
	[TORUS_INTERRUPT_RANDOM] = "parity of the random number generator",
	[TORUS_INTERRUPT_BAD_HEADER] = "refused headers, or writes to a full FIFO",
	[TORUS_INTERRUPT_OVERFLOW] = "a VC buffer without room",
};

void torus_interrupts_init(struct torus_interrupt_notes *in)
{
	spin_lock_init(&in->lock);
	in->since = jiffies;
}

/**
 * torus_interrupts_raised() - the core's torus_fabric.interrupt
 * @f: the fabric, owned by an engine
 * @node: number of the node
 * @cause: TORUS_CAUSE()
 */
void torus_interrupts_raised(struct torus_fabric *f, u32 node, u32 cause)
{
	struct torus_engine *e = torus_interrupt_owner(f);
	struct torus_interrupt_notes *in = &e->interrupts;
	struct torus_interrupt_note *note;
	u32 i;

	spin_lock(&in->lock);
	for (i = 0; i < in->count; i++) {
		note = &in->note[i];
		if (note->node == node && note->cause == cause) {
			note->times++;
			goto unlock;
		}
	}
	if (in->count == TORUS_INTERRUPTS_KEPT) {
		in->lost++;
		goto unlock;
	}
	in->note[in->count++] = (struct torus_interrupt_note){
		.node = node,
		.cause = cause,
		.times = 1,
		.clock = torus_nic_clock(f, node),
	};
unlock:
	spin_unlock(&in->lock);
}

/* Take the first note off.  Return: false if there is none. */
static bool torus_interrupts_next(struct torus_interrupt_notes *in,
				  struct torus_interrupt_note *note, u64 *lost)
{
	bool any;

	spin_lock(&in->lock);
	any = in->count;
	if (any) {
		*note = in->note[0];
		in->count--;
		memmove(in->note, in->note + 1, in->count * sizeof(*in->note));
		*lost = in->lost;
		in->lost = 0;
	}
	spin_unlock(&in->lock);
	return any;
}

static void torus_interrupts_send(struct torus_engine *e, const struct torus_interrupt_note *note,
				  u64 lost)
{
	u32 kind = TORUS_CAUSE_KIND(note->cause), index = TORUS_CAUSE_INDEX(note->cause);
	struct torus_event_note event = { .node = &note->node, .clock = &note->clock };
	bool receive = kind == TORUS_INTERRUPT_RECEIVE;
	u32 fifos, group, at = 0;
	char text[160];

	if (torus_cause_critical(note->cause)) {
		/* a machine without FIFOs has other causes only */
		fifos = receive ? e->arch->receive_fifos : e->arch->inject_fifos;
		group = index / fifos;
		event.event = TORUS_EVENT_WATERMARK;
		event.group = &group;
		at = scnprintf(text, sizeof(text), "%s FIFO %u of group %u %s its watermark",
			       receive ? "reception" : "injection", index % fifos, group,
			       receive ? "rose above" : "fell below");
	} else {
		event.event = TORUS_EVENT_ERROR;
		if (kind == TORUS_INTERRUPT_RECEIVER || kind == TORUS_INTERRUPT_RETRY)
			event.dir = &index;
		at = scnprintf(text, sizeof(text), "%s", kind < ARRAY_SIZE(torus_interrupts_words) ?
			       torus_interrupts_words[kind] : "unknown cause");
	}
	if (note->times > 1)
		at += scnprintf(text + at, sizeof(text) - at, ", %u times", note->times);
	if (lost)
		scnprintf(text + at, sizeof(text) - at, "; %llu more of other causes", lost);
	event.text = text;
	torus_event_send_locked(e, &event);
}

/**
 * torus_interrupts_flush() - send all that has been noted, before what happens now is told
 * @e: the engine, held
 *
 * So listeners hear of everything in the order of its ticks; who asks the kernel for
 * something new, or attaches, does so less often than a program interrupts.
 */
void torus_interrupts_flush(struct torus_engine *e)
{
	struct torus_interrupt_note note;
	u64 lost;

	lockdep_assert_held(&e->lock.mutex);
	while (torus_interrupts_next(&e->interrupts, &note, &lost))
		torus_interrupts_send(e, &note, lost);
}

/**
 * torus_interrupts_tell() - send what has been noted, as far as may be sent now
 * @e: the engine, held; its leader calls
 *
 * Return: jiffies until more may be sent, or MAX_SCHEDULE_TIMEOUT when nothing is left.
 */
long torus_interrupts_tell(struct torus_engine *e)
{
	struct torus_interrupt_notes *in = &e->interrupts;
	struct torus_interrupt_note note;
	u64 lost;

	lockdep_assert_held(&e->lock.mutex);
	/* Who notes one now will come back here. */
	if (!READ_ONCE(in->count))
		return MAX_SCHEDULE_TIMEOUT;
	if (time_after_eq(jiffies, in->since + TORUS_INTERRUPTS_PERIOD)) {
		in->since = jiffies;
		in->told = 0;
	}
	while (in->told < TORUS_INTERRUPTS_TOLD) {
		if (!torus_interrupts_next(in, &note, &lost))
			return MAX_SCHEDULE_TIMEOUT;
		torus_interrupts_send(e, &note, lost);
		in->told++;
	}
	if (!READ_ONCE(in->count))
		return MAX_SCHEDULE_TIMEOUT;
	return max_t(long, in->since + TORUS_INTERRUPTS_PERIOD - jiffies, 1);
}

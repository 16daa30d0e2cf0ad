// SPDX-License-Identifier: GPL-2.0
/*
 * Report a fabric's interrupts to the listeners of its events.
 *
 * The thread that runs a node raises its interrupts, millions a second if a program causes them. It
 * only notes them: one note per node and cause. The leader sends the notes between two runs: at
 * most TORUS_INTERRUPTS_MOST events in TORUS_INTERRUPTS_PERIOD, each with the number of interrupts
 * that it stands for. A program learns of its own watermarks from poll(), not from these events:
 * see context/nic_client.c. Drivers of the node get an interrupt for an error.
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
#define TORUS_INTERRUPTS_MOST	8

static const char *const torus_interrupts_words[] = {
	[TORUS_INTERRUPT_NRE] = "a non-recoverable error",
	[TORUS_INTERRUPT_RECEIVER] = "errors at the input of a link",
	[TORUS_INTERRUPT_ECC] = "corrected single-bit errors",
	[TORUS_INTERRUPT_RETRY] = "packets sent again",
	[TORUS_INTERRUPT_RANDOM] = "parity errors of the random number generator",
	[TORUS_INTERRUPT_BAD_HEADER] = "rejected headers, or writes to a full FIFO",
	[TORUS_INTERRUPT_OVERFLOW] = "packets that arrived at a full VC buffer",
};

void torus_interrupts_init(struct torus_interrupt_notes *in)
{
	spin_lock_init(&in->lock);
	in->since = jiffies;
}

/**
 * torus_interrupts_raised() - note an interrupt (torus_fabric.interrupt of the core)
 * @f: the fabric, owned by an engine
 * @node: index of the node
 * @cause: TORUS_CAUSE()
 *
 * Called by the threads that run the fabric, concurrently, and by writes of registers with the
 * engine locked.
 */
void torus_interrupts_raised(struct torus_fabric *f, u32 node, u32 cause)
{
	struct torus_engine *e = torus_interrupt_owner(f);
	struct torus_interrupt_notes *in = &e->interrupts;
	struct torus_interrupt_note *note;
	u32 i;

	/* Ports learn of their own watermarks from the core. */
	if (!torus_cause_critical(cause))
		torus_port_slots_error(e, node);
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

/* Remove the oldest note. Return: false if there is none. */
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
		/* Only a machine with FIFOs raises these causes: the divisor is not 0. */
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
		scnprintf(text + at, sizeof(text) - at, "; %llu more interrupts with other causes",
			  lost);
	event.text = text;
	torus_event_send_locked(e, &event);
}

/**
 * torus_interrupts_flush() - send all notes, before another event is sent
 * @e: the engine, locked
 *
 * So listeners receive all events in the order of their ticks. No limit of the rate is needed here:
 * requests and ATTACH are rarer than the interrupts that a program can cause.
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
 * torus_interrupts_report() - send as many notes as the limit of the rate permits
 * @e: the engine, locked; called by its leader, or by a request that runs the paused fabric
 *
 * Return: jiffies until more may be sent, or MAX_SCHEDULE_TIMEOUT if no note is left.
 */
long torus_interrupts_report(struct torus_engine *e)
{
	struct torus_interrupt_notes *in = &e->interrupts;
	struct torus_interrupt_note note;
	u64 lost;

	lockdep_assert_held(&e->lock.mutex);
	/* Without the notes' lock: while the engine is locked, no run adds notes. */
	if (!READ_ONCE(in->count))
		return MAX_SCHEDULE_TIMEOUT;
	if (time_after_eq(jiffies, in->since + TORUS_INTERRUPTS_PERIOD)) {
		in->since = jiffies;
		in->sent = 0;
	}
	while (in->sent < TORUS_INTERRUPTS_MOST) {
		if (!torus_interrupts_next(in, &note, &lost))
			return MAX_SCHEDULE_TIMEOUT;
		torus_interrupts_send(e, &note, lost);
		in->sent++;
	}
	if (!READ_ONCE(in->count))
		return MAX_SCHEDULE_TIMEOUT;
	return max_t(long, in->since + TORUS_INTERRUPTS_PERIOD - jiffies, 1);
}

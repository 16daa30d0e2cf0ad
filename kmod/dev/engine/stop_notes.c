// SPDX-License-Identifier: GPL-2.0
/*
 * Events outside the core that end a run of a paused fabric: accesses to registers, interrupts of
 * ports, notices to programs.
 *
 * The core has no run in which these happen: a driver or a request accesses a register at whatever
 * tick the fabric has reached, and notices are reported between two runs. So they are noted here,
 * and the run polls the note after each tick.
 */
#include <linux/torus_port.h>

#include "core/port/registers.h"
#include "stop_notes.h"

#define STOP_NOTES_EVENTS						\
	(1u << TORUS_STOP_INTERRUPT | 1u << TORUS_STOP_ACCESS | 1u << TORUS_STOP_NOTICE)

/* Set up the notes of a new engine. */
void torus_stop_notes_init(struct torus_stop_notes *notes)
{
	spin_lock_init(&notes->lock);
}

/**
 * torus_stop_notes_begin() - wait for the event of a run
 * @notes: the notes
 * @stop: event after whose tick the run ends; its nodes stay until torus_stop_notes_end()
 * @reg: accesses that count
 */
void torus_stop_notes_begin(struct torus_stop_notes *notes, const struct torus_stop *stop,
			    const struct torus_stop_register *reg)
{
	unsigned long flags;

	spin_lock_irqsave(&notes->lock, flags);
	notes->lines = stop->causes >> TORUS_STOP_LINE_SHIFT;
	notes->nodes = stop->nodes;
	notes->reg = *reg;
	notes->met = false;
	WRITE_ONCE(notes->events, stop->events & STOP_NOTES_EVENTS);
	spin_unlock_irqrestore(&notes->lock, flags);
}

/* The run has ended: note nothing. */
void torus_stop_notes_end(struct torus_stop_notes *notes)
{
	unsigned long flags;

	spin_lock_irqsave(&notes->lock, flags);
	WRITE_ONCE(notes->events, 0);
	notes->nodes = NULL;
	spin_unlock_irqrestore(&notes->lock, flags);
}

/**
 * torus_stop_notes_met() - check whether the event of a run has happened
 * @notes: the notes
 * @stopped: [out] the event at the lowest node, the first one there; unchanged if none has happened
 *
 * Return: true if it has happened.
 */
bool torus_stop_notes_met(struct torus_stop_notes *notes, struct torus_stopped *stopped)
{
	unsigned long flags;
	bool met;

	spin_lock_irqsave(&notes->lock, flags);
	met = notes->events && notes->met;
	if (met) {
		*stopped = notes->stopped;
		/* Keep the register and the value of this event until the run is reported. */
		WRITE_ONCE(notes->events, 0);
	}
	spin_unlock_irqrestore(&notes->lock, flags);
	return met;
}

/* Check whether an event counts for the run, with the notes locked. */
static bool stop_notes_counts(const struct torus_stop_notes *notes, u32 event, u32 node, u32 detail,
			      u32 value)
{
	const struct torus_stop_register *reg = &notes->reg;

	if (!(notes->events >> event & 1))
		return false;
	if (notes->nodes && !(notes->nodes[node / 64] >> node % 64 & 1))
		return false;
	if (notes->met && notes->stopped.node <= node)
		return false;
	if (event == TORUS_STOP_INTERRUPT)
		return notes->lines >> detail & 1;
	if (event == TORUS_STOP_NOTICE || reg->offset == TORUS_NONE)
		return true;
	if (detail >= TORUS_PORT_MACHINE_BYTES)
		detail = torus_port_register_first(detail);
	return detail == reg->offset && (!reg->has_value || value == reg->value);
}

static void stop_notes_add(struct torus_stop_notes *notes, u32 event, u32 node, u32 detail,
			   u32 value)
{
	unsigned long flags;

	spin_lock_irqsave(&notes->lock, flags);
	if (stop_notes_counts(notes, event, node, detail, value)) {
		notes->met = true;
		notes->stopped = (struct torus_stopped){ .event = event, .node = node };
		if (event == TORUS_STOP_INTERRUPT)
			notes->stopped.cause = TORUS_STOP_LINE_SHIFT + detail;
		notes->offset = detail;
		notes->value = value;
	}
	spin_unlock_irqrestore(&notes->lock, flags);
}

/**
 * torus_stop_notes_access() - note an access to a register
 * @notes: the notes; any context
 * @node: index of the node
 * @offset: offset of the register in bytes, as a port has it
 * @value: the value that was read or written
 */
void torus_stop_notes_access(struct torus_stop_notes *notes, u32 node, u32 offset, u32 value)
{
	if (READ_ONCE(notes->events) >> TORUS_STOP_ACCESS & 1)
		stop_notes_add(notes, TORUS_STOP_ACCESS, node, offset, value);
}

/**
 * torus_stop_notes_line() - note an interrupt of a port
 * @notes: the notes; any context
 * @node: index of the node
 * @cause: enum torus_port_cause
 */
void torus_stop_notes_line(struct torus_stop_notes *notes, u32 node, u32 cause)
{
	if (READ_ONCE(notes->events) >> TORUS_STOP_INTERRUPT & 1)
		stop_notes_add(notes, TORUS_STOP_INTERRUPT, node, cause, 0);
}

/**
 * torus_stop_notes_notice() - note a notice to a program
 * @notes: the notes; any context
 * @node: index of the node where the program is attached
 */
void torus_stop_notes_notice(struct torus_stop_notes *notes, u32 node)
{
	if (READ_ONCE(notes->events) >> TORUS_STOP_NOTICE & 1)
		stop_notes_add(notes, TORUS_STOP_NOTICE, node, 0, 0);
}

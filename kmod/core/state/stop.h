/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stop conditions: end a run after the tick in which an event happens.
 *
 * While a fabric has a stop condition, windows are one tick long. All domains then stop after the
 * same tick, and so does a fabric with one domain.
 */
#ifndef TORUS_CORE_STATE_STOP_H
#define TORUS_CORE_STATE_STOP_H

#include "core/state/domain.h"
#include "core/state/trace.h"

/*
 * Events of a stop condition in addition to those of enum torus_trace_event. The fabric's owner
 * (the device) notes accesses to registers, notices to programs and interrupts of ports: no run of
 * the core meets these.
 */
#define TORUS_STOP_INTERRUPT	TORUS_TRACE_MAX
#define TORUS_STOP_ACCESS	(TORUS_TRACE_MAX + 1)
#define TORUS_STOP_NOTICE	(TORUS_TRACE_MAX + 2)

/* Names of the events that the core notes, and of all; torus_stop_find() finds each. */
#define TORUS_STOP_LIST	"inject route stall hop error resend deliver drop ack interrupt"
#define TORUS_STOP_LIST_ALL	TORUS_STOP_LIST " access notice"

/* Names of causes: of the core, and of all; torus_stop_cause_find() finds each. */
#define TORUS_STOP_CAUSE_LIST	"inject receive nre receiver ecc retry random bad-header overflow"
#define TORUS_STOP_CAUSE_LIST_ALL	TORUS_STOP_CAUSE_LIST " line-receive line-inject " \
					"line-ended line-watermark line-error line-fault"

/* Lowest bit of the causes of ports (enum torus_port_cause) in torus_stop.causes. */
#define TORUS_STOP_LINE_SHIFT	16

/**
 * struct torus_stop - a stop condition
 * @events: mask of 1 << enum torus_trace_event, 1 << TORUS_STOP_INTERRUPT and so on
 * @causes: interrupts: mask of 1 << enum torus_interrupt, and of 1 << (TORUS_STOP_LINE_SHIFT + enum
 *   torus_port_cause)
 * @nodes: array of f->nodes bits, lowest bit first: nodes whose events count; NULL: all nodes
 */
struct torus_stop {
	u32 events;
	u32 causes;
	const u64 *nodes;
};

/**
 * struct torus_stopped - event that has met a stop condition
 * @event: enum torus_trace_event, or TORUS_STOP_INTERRUPT
 * @node: index of the event's node
 * @dir: direction of the link, for events of links
 * @cause: cause of the interrupt, see TORUS_CAUSE()
 */
struct torus_stopped {
	u32 event;
	u32 node;
	u32 dir;
	u32 cause;
};

/**
 * torus_stop_name() - the name of an event
 * @event: event that torus_stop_find() finds
 *
 * Return: the name.
 */
const char *torus_stop_name(u32 event);

/**
 * torus_stop_find() - find an event at which a run can stop
 * @name: the event's name
 * @event: [out] enum torus_trace_event, or TORUS_STOP_INTERRUPT and so on
 *
 * Return: false if no event has that name.
 */
bool torus_stop_find(const char *name, u32 *event);

/**
 * torus_stop_cause_name() - the name of a cause of interrupts
 * @bit: bit of the cause in torus_stop.causes
 *
 * Return: the name; "" if no cause has that bit.
 */
const char *torus_stop_cause_name(u32 bit);

/**
 * torus_stop_cause_find() - find a cause of interrupts
 * @name: the cause's name
 * @bit: [out] its bit in torus_stop.causes
 *
 * Return: false if no cause has that name.
 */
bool torus_stop_cause_find(const char *name, u32 *bit);

/**
 * torus_stop_set() - set or clear the stop condition of a fabric
 * @f: the fabric; no run may be in progress
 * @stop: the condition, which must outlive its use; NULL: none. Each domain must have a tracer if
 *   the condition has an event of enum torus_trace_event
 *
 * An event between two runs (a packet that is taken from a ring) meets the condition, too. The next
 * run then ends after the current tick. If the condition was met already, this call clears that.
 */
void torus_stop_set(struct torus_fabric *f, const struct torus_stop *stop);

/**
 * torus_stop_met() - check whether the stop condition was met since torus_stop_set()
 * @f: the fabric; no run may be in progress
 * @stopped: [out] the first event of the tick, in the order of nodes, events and directions; may be
 *   NULL
 *
 * Return: true if it was met.
 */
bool torus_stop_met(const struct torus_fabric *f, struct torus_stopped *stopped);

/* Note an event that may meet the stop condition. @detail: direction or cause. */
void torus_stop_note(struct torus_domain *d, u32 event, u32 node, u32 detail) torus_cold;

#endif /* TORUS_CORE_STATE_STOP_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events outside the core that end a run of a paused fabric: accesses to registers, interrupts of
 * ports, notices to programs.
 */
#ifndef TORUS_DEV_ENGINE_STOP_NOTES_H
#define TORUS_DEV_ENGINE_STOP_NOTES_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include "core/state/stop.h"

/**
 * struct torus_stop_register - the accesses that end a run
 * @offset: offset of the register in bytes, as a port has it, of its first element; TORUS_NONE:
 *	each register
 * @has_value: only accesses that read or write @value count
 * @value: this value
 */
struct torus_stop_register {
	u32 offset;
	bool has_value;
	u32 value;
};

/**
 * struct torus_stop_notes - the event that ends a run: the first one at the lowest node
 * @lock: protects all fields; acquired in any context, and no lock is acquired below it
 * @events: mask of 1 << TORUS_STOP_ACCESS and so on; 0: no run waits; also read without the lock
 * @lines: mask of 1 << enum torus_port_cause
 * @nodes: nodes whose events count, one bit per node; NULL: all nodes
 * @reg: accesses that count
 * @met: an event that counts has happened
 * @stopped: the event; @cause is the number of a bit of torus_stop.causes
 * @offset: access: offset of the register in bytes
 * @value: access: the value that was read or written
 */
struct torus_stop_notes {
	spinlock_t lock;	/* accessors of ports, the threads of a run, and its client */
	u32 events;
	u32 lines;
	const u64 *nodes;
	struct torus_stop_register reg;
	bool met;
	struct torus_stopped stopped;
	u32 offset;
	u32 value;
};

void torus_stop_notes_init(struct torus_stop_notes *notes);
void torus_stop_notes_begin(struct torus_stop_notes *notes, const struct torus_stop *stop,
			    const struct torus_stop_register *reg);
void torus_stop_notes_end(struct torus_stop_notes *notes);
bool torus_stop_notes_met(struct torus_stop_notes *notes, struct torus_stopped *stopped);

void torus_stop_notes_access(struct torus_stop_notes *notes, u32 node, u32 offset, u32 value);
void torus_stop_notes_line(struct torus_stop_notes *notes, u32 node, u32 cause);
void torus_stop_notes_notice(struct torus_stop_notes *notes, u32 node);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual time: programs whose clocks bound the fabric's, so that what happens depends on what
 * programs do and not on when the machine that runs them lets them do it.
 *
 * Each program has a clock (core/nic/clock.h).  The fabric simulates the ticks before the least
 * clock of the programs that run, and no others.  A program that waits does not count, but for
 * the tick at which it waits no longer; what it waits for ends the run in the tick in which it
 * happens, on all nodes: while somebody waits, windows are one tick long, so that no domain is
 * ahead of another, and the state that a program sees is the same for any number of them.
 *
 * In a tick, and in this order: who left, or read, at the clock that this tick has, is felt; then
 * comes what is due as ever, packets that programs put into their rings for this tick (through
 * the wheel, see torus_nic_wake()) in the order of nodes, groups and FIFOs.
 */
#ifndef TORUS_CORE_PROGRAMS_H
#define TORUS_CORE_PROGRAMS_H

#include "core/nic/clock.h"

struct torus_fabric;

/* How far a clock may move at once. */
#define TORUS_CLOCK_STEP_MAX	(1ull << 40)
/* How far it may come: ticks can be added to it. */
#define TORUS_CLOCK_MAX		(1ull << 60)

enum torus_programs {
	TORUS_PROGRAMS_MOVED,		/* there may be more to simulate */
	TORUS_PROGRAMS_COMPUTE,		/* somebody computes: no tick is before its clock */
	TORUS_PROGRAMS_DEADLOCK,	/* all wait, without end, and nothing will happen */
	TORUS_PROGRAMS_FAILED,		/* out of memory */
};

/* Is the fabric's time that of programs? */
bool torus_programs_virtual(const struct torus_fabric *f);

/**
 * torus_programs_add() - a program comes; time begins when all have
 * @f: the fabric, held
 * @clock: its clock, stays until torus_programs_remove()
 * @ops: its owner's operations
 * @err: why not
 *
 * Return: 0; -ETIME when all programs have come already.
 */
int torus_programs_add(struct torus_fabric *f, struct torus_clock *clock,
		       const struct torus_clock_ops *ops, struct torus_error *err);

/* A clock is forgotten; one that has not gone does not hold the others up any more. */
void torus_programs_remove(struct torus_fabric *f, struct torus_clock *clock);

/* Undo torus_programs_add() before the fabric has run: the program has not come. */
void torus_programs_undo(struct torus_fabric *f, struct torus_clock *clock);

/* A FIFO group that was attached to goes by a clock. */
void torus_programs_tie(struct torus_fabric *f, struct torus_clock *clock, u32 node, u32 group);

/* Have all programs come?  Before, all clocks stand at 0, and the fabric's. */
bool torus_programs_begun(const struct torus_fabric *f);

/**
 * torus_programs_move() - a program has computed until a tick
 * @f: the fabric, held
 * @clock: its clock
 * @at: the tick; one that has passed already is the clock's own
 * @err: why not
 *
 * What it has put into its rings until now must be known to who pulls: nothing that the
 * program does from here on can be before @at.  It does not wait any more, if it did.
 *
 * Return: 0, -ERANGE for more than TORUS_CLOCK_STEP_MAX at once, or beyond TORUS_CLOCK_MAX.
 */
int torus_programs_move(struct torus_fabric *f, struct torus_clock *clock, u64 at,
			struct torus_error *err);

/**
 * torus_programs_wait() - a program looks, and then waits if what it wants is not there
 * @f: the fabric, held
 * @clock: its clock, that of torus_programs_move()
 * @wants: TORUS_WANT_*; 0: it only looks
 * @until: tick at which it waits no longer, ~0: none
 *
 * Ends with @resume.
 */
void torus_programs_wait(struct torus_fabric *f, struct torus_clock *clock, u32 wants, u64 until);

/**
 * torus_programs_leave() - a program leaves at its clock
 * @f: the fabric, held
 * @clock: its clock; who waits leaves at once
 */
void torus_programs_leave(struct torus_fabric *f, struct torus_clock *clock);

/* What the fabric's reset does to clocks (held): back to 0; who had left is forgotten. */
void torus_programs_reset(struct torus_fabric *f);

/**
 * torus_programs_step() - simulate as far as programs let it
 * @f: the fabric, held
 * @ticks: no further than so many ticks
 *
 * Return: enum torus_programs.
 */
enum torus_programs torus_programs_step(struct torus_fabric *f, u64 ticks);

#endif /* TORUS_CORE_PROGRAMS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual time: the programs' clocks bound the fabric's clock, so that results depend on what
 * programs do, and not on when the operating system schedules them.
 *
 * Each program has a clock (core/nic/vtime_client.h).  The fabric simulates only the ticks before
 * the least clock of the programs that run.  A program that waits does not count, except for the
 * tick that ends its wait; an event for which it waits ends the run in the tick in which it
 * happens, on all nodes: while somebody waits, windows are one tick long, so that no domain is
 * ahead of another, and the state that a program sees is the same for any number of them.
 *
 * In a tick, and in this order: who left, or read, at the clock that this tick has, is felt; then
 * comes what is due as ever, packets that programs put into their rings for this tick (through
 * the wheel, see torus_nic_wake()) in the order of nodes, groups and FIFOs.
 */
#ifndef TORUS_CORE_RUN_VIRTUAL_TIME_H
#define TORUS_CORE_RUN_VIRTUAL_TIME_H

#include "core/nic/vtime_client.h"

struct torus_fabric;

/* Maximum ticks by which a clock may advance at once. */
#define TORUS_VTIME_STEP_MAX	(1ull << 40)
/* Maximum value of a clock, so that ticks can be added to it. */
#define TORUS_VTIME_MAX		(1ull << 60)

enum torus_vtime_result {
	TORUS_VTIME_MOVED,		/* there may be more to simulate */
	TORUS_VTIME_COMPUTE,		/* a program computes: no tick is left before its clock */
	TORUS_VTIME_DEADLOCK,		/* all programs wait without a limit; no event is due */
	TORUS_VTIME_FAILED,		/* out of memory */
};

/* Does the fabric run in virtual time? */
bool torus_vtime_enabled(const struct torus_fabric *f);

/**
 * torus_vtime_client_add() - add a program; time starts with the last one
 * @f: the fabric, held
 * @client: its clock, stays until torus_vtime_client_remove()
 * @ops: its owner's operations
 * @err: why not
 *
 * Return: 0; -ETIME if time has started.
 */
int torus_vtime_client_add(struct torus_fabric *f, struct torus_vtime_client *client,
			   const struct torus_vtime_client_ops *ops, struct torus_error *err);

/* Remove a client.  If it has not left, it does not bound the fabric's clock any more. */
void torus_vtime_client_remove(struct torus_fabric *f, struct torus_vtime_client *client);

/* Undo torus_vtime_client_add() before the fabric has run. */
void torus_vtime_client_undo_add(struct torus_fabric *f, struct torus_vtime_client *client);

/* Bind an attached FIFO group to a client. */
void torus_vtime_client_bind(struct torus_fabric *f, struct torus_vtime_client *client, u32 node,
			     u32 group);

/* Have all programs been added?  Before that, all clocks are 0, the fabric's too. */
bool torus_vtime_started(const struct torus_fabric *f);

/**
 * torus_vtime_client_advance() - advance a program's clock
 * @f: the fabric, held
 * @client: its clock
 * @at: the tick; one that has passed already is the clock's own
 * @err: why not
 *
 * What it has put into its rings until now must be known to who pulls: nothing that the
 * program does from here on can be before @at.  It does not wait any more, if it did.
 *
 * Return: 0, -ERANGE for more than TORUS_VTIME_STEP_MAX at once, or beyond TORUS_VTIME_MAX.
 */
int torus_vtime_client_advance(struct torus_fabric *f, struct torus_vtime_client *client, u64 at,
			       struct torus_error *err);

/**
 * torus_vtime_client_wait() - poll, then wait if none of the wanted events has happened
 * @f: the fabric, held
 * @client: its clock, that of torus_vtime_client_advance()
 * @wants: TORUS_WANT_*; 0 to poll without waiting
 * @until: tick that ends the wait, ~0 for none
 *
 * Ends with @resume.
 */
void torus_vtime_client_wait(struct torus_fabric *f, struct torus_vtime_client *client, u32 wants,
			     u64 until);

/**
 * torus_vtime_client_leave() - a program leaves at its clock's tick
 * @f: the fabric, held
 * @client: its clock; who waits leaves at once
 */
void torus_vtime_client_leave(struct torus_fabric *f, struct torus_vtime_client *client);

/* Reset all clocks to 0 (held), and detach the groups of programs that have left. */
void torus_vtime_reset(struct torus_fabric *f);

/**
 * torus_vtime_step() - simulate as far as the programs' clocks permit
 * @f: the fabric, held
 * @ticks: no further than so many ticks
 *
 * Return: enum torus_vtime_result.
 */
enum torus_vtime_result torus_vtime_step(struct torus_fabric *f, u64 ticks);

#endif /* TORUS_CORE_RUN_VIRTUAL_TIME_H */

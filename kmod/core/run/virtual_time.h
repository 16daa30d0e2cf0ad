/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Virtual time: the programs' clocks bound the fabric's clock. Results then depend on the actions
 * of the programs, and not on when the operating system schedules them.
 *
 * Each program has a clock (core/nic/vtime_client.h). The fabric simulates only ticks before the
 * lowest clock of the programs that run. A program that waits bounds the fabric's clock only by the
 * tick that ends its wait. An event for which it waits ends the run in the tick of the event, on
 * all nodes. While any program waits, windows are one tick long. No domain is then ahead of
 * another, and programs see the same state for any number of domains.
 *
 * Order within a tick:
 * - programs that leave, and packets that programs have read, at this tick;
 * - all other events, including packets that programs put into their rings for this tick. These
 *   enter through the wheel (torus_nic_wake()), in the order of nodes, groups and FIFOs.
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
	TORUS_VTIME_COMPUTE,		/* a program computes or is missing, past ticks are done; or
					 * only passive clients are left, and no event is due
					 */
	TORUS_VTIME_DEADLOCK,		/* all programs wait without a limit; no event is due */
	TORUS_VTIME_FAILED,		/* out of memory */
};

/* Check whether the fabric runs in virtual time. */
bool torus_vtime_enabled(const struct torus_fabric *f);

/**
 * torus_vtime_client_add() - add a program; time starts when the last one is added
 * @f: the fabric; no run may be in progress
 * @client: the program's clock; must exist until torus_vtime_client_remove()
 * @ops: operations of the client's owner
 * @err: [out] error message
 *
 * Return: 0; -ETIME if time has started.
 */
int torus_vtime_client_add(struct torus_fabric *f, struct torus_vtime_client *client,
			   const struct torus_vtime_client_ops *ops, struct torus_error *err);

/* Remove a client. It no longer bounds the fabric's clock, even if the program has not left. */
void torus_vtime_client_remove(struct torus_fabric *f, struct torus_vtime_client *client);

/* Undo torus_vtime_client_add() before the fabric has run. */
void torus_vtime_client_undo_add(struct torus_fabric *f, struct torus_vtime_client *client);

/* Bind an attached FIFO group to a client. */
void torus_vtime_client_bind(struct torus_fabric *f, struct torus_vtime_client *client, u32 node,
			     u32 group);

/*
 * Check whether all programs have been added. Until then, the clocks of programs and fabric are 0.
 */
bool torus_vtime_started(const struct torus_fabric *f);

/**
 * torus_vtime_client_advance() - advance a program's clock
 * @f: the fabric; no run may be in progress
 * @client: the program's clock
 * @at: new tick; if it has passed, the clock stays
 * @err: [out] error message
 *
 * Before the call, poll the program's injection rings: packets that the program puts there later
 * are sent at @at or later. If the program was waiting, the wait ends.
 *
 * Return: 0, -ERANGE for a step above TORUS_VTIME_STEP_MAX or a clock above TORUS_VTIME_MAX.
 */
int torus_vtime_client_advance(struct torus_fabric *f, struct torus_vtime_client *client, u64 at,
			       struct torus_error *err);

/**
 * torus_vtime_client_wait() - poll, then wait if none of the wanted events has happened
 * @f: the fabric; no run may be in progress
 * @client: the program's clock, after torus_vtime_client_advance()
 * @wants: TORUS_WANT_*; 0 to poll without waiting
 * @until: tick that ends the wait, ~0 for none
 *
 * The wait ends with a call of ops->resume, or when the caller advances the clock or lets the
 * program leave.
 */
void torus_vtime_client_wait(struct torus_fabric *f, struct torus_vtime_client *client, u32 wants,
			     u64 until);

/**
 * torus_vtime_client_leave() - let a program leave at its clock's tick
 * @f: the fabric; no run may be in progress
 * @client: the program's clock; if it waits, it leaves at the fabric's clock
 */
void torus_vtime_client_leave(struct torus_fabric *f, struct torus_vtime_client *client);

/*
 * Reset all clocks to 0, end all waits, and detach the groups of programs that have left. No run
 * may be in progress.
 */
void torus_vtime_reset(struct torus_fabric *f);

/**
 * torus_vtime_step() - simulate as far as the programs' clocks permit
 * @f: the fabric; no run may be in progress
 * @ticks: maximum number of ticks
 *
 * Return: enum torus_vtime_result.
 */
enum torus_vtime_result torus_vtime_step(struct torus_fabric *f, u64 ticks);

#endif /* TORUS_CORE_RUN_VIRTUAL_TIME_H */

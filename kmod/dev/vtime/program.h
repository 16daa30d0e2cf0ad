/* SPDX-License-Identifier: GPL-2.0 */
/* A program in virtual time: a process, its contexts and their clock; see program.c. */
#ifndef TORUS_DEV_VTIME_PROGRAM_H
#define TORUS_DEV_VTIME_PROGRAM_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/wait.h>

#include "core/run/programs.h"

struct mm_struct;
struct torus_engine;
struct torus_engine_client;
struct torus_ioc_clock;
struct torus_ioc_info;

/**
 * struct torus_program - a program
 * @clock: its clock
 * @ref: a context each
 * @link: in the engine's list (engine held)
 * @engine: the fabric's
 * @mm: the process, never looked into
 * @known: its clock as it was told last
 * @told: it was told
 * @moved: jiffies when it was told, or the program could go on
 * @named: somebody was told that it holds time up, and it has not moved since
 * @wait: where its threads wait
 * @ask: arguments of its latest wait
 * @waits: that wait has neither returned nor been given up
 * @begun: number of the latest wait
 * @over: number of the last wait that has ended
 * @over_clock: clock at which that one ended
 * @over_got: TORUS_CLOCK_* that had happened then
 * @sleepers: threads in the latest wait
 * @open: contexts whose files are open
 * @held: groups
 */
struct torus_program {
	struct torus_clock clock;
	refcount_t ref;
	struct list_head link;
	struct torus_engine *engine;
	struct mm_struct *mm;
	u64 known;
	bool told;
	unsigned long moved;
	bool named;
	wait_queue_head_t wait;
	struct torus_ioc_clock ask;
	bool waits;
	u32 begun;
	u32 over;
	u64 over_clock;
	u32 over_got;
	u32 sleepers;
	u32 open;
	u32 held;
};

int torus_program_may(struct torus_engine *e);
int torus_program_join(struct torus_engine *e, struct torus_engine_client *client);
void torus_program_part(struct torus_engine *e, struct torus_engine_client *client);
void torus_program_tie(struct torus_engine *e, struct torus_engine_client *client);
bool torus_program_leave(struct torus_engine_client *client);
void torus_program_evict(struct torus_engine_client *client);
bool torus_program_has_clock(struct torus_engine *e, const struct mm_struct *mm);
bool torus_program_gone(const struct torus_engine_client *client);
void torus_program_detach(struct torus_engine *e, struct torus_engine_client *client);
void torus_program_free(struct torus_engine_client *client);
void torus_program_wake(struct torus_engine_client *client);
void torus_program_info(const struct torus_engine_client *client, struct torus_ioc_info *info);
int torus_program_ioctl(struct torus_engine_client *client, struct torus_ioc_clock __user *argp);

extern const struct torus_vtime_ops torus_program_vtime_ops;

struct torus_engine_client *torus_program_last(struct torus_engine *e);
u64 torus_program_stood_ms(const struct torus_program *program);
u32 torus_program_busy(struct torus_engine *e);

#endif

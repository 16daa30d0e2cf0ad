/* SPDX-License-Identifier: GPL-2.0 */
/* A process in virtual time: its contexts and their common clock; see process.c. */
#ifndef TORUS_DEV_VTIME_PROCESS_H
#define TORUS_DEV_VTIME_PROCESS_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/wait.h>

#include "dev/engine/client.h"

struct mm_struct;
struct torus_engine;
struct torus_engine_client;
struct torus_ioc_clock;
struct torus_ioc_info;

/**
 * struct torus_process - a process in virtual time
 * @clock: clock of the process
 * @ref: one reference for each context
 * @link: in the engine's list (engine.lock)
 * @engine: engine of the fabric
 * @mm: identifies the process; never dereferenced
 * @known: clock that the process last reported, or at which it was last resumed
 * @clock_reported: the process has reported its clock
 * @wait: threads of the process wait here
 * @ask: arguments of its latest wait
 * @waits: the latest wait has neither returned nor been given up
 * @begun: number of the latest wait
 * @over: number of the last wait that ended
 * @over_clock: clock at which this wait ended
 * @over_got: TORUS_CLOCK_* events that ended this wait
 * @sleepers: number of threads in the latest wait
 * @open: number of contexts with an open file
 * @held: number of FIFO groups
 */
struct torus_process {
	struct torus_engine_clock clock;
	refcount_t ref;
	struct list_head link;
	struct torus_engine *engine;
	struct mm_struct *mm;
	u64 known;
	bool clock_reported;
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

int torus_process_may_attach(struct torus_engine *e);
int torus_process_join(struct torus_engine *e, struct torus_engine_client *client);
void torus_process_undo_join(struct torus_engine *e, struct torus_engine_client *client);
void torus_process_add_group(struct torus_engine *e, struct torus_engine_client *client);
bool torus_process_close(struct torus_engine_client *client);
void torus_process_evict(struct torus_engine_client *client);
bool torus_process_has_clock(struct torus_engine *e, const struct mm_struct *mm);
bool torus_process_has_left(const struct torus_engine_client *client);
void torus_process_detach(struct torus_engine *e, struct torus_engine_client *client);
void torus_process_free(struct torus_engine_client *client);
void torus_process_wake(struct torus_engine_client *client);
void torus_process_info(const struct torus_engine_client *client, struct torus_ioc_info *info);
int torus_process_ioctl(struct torus_engine_client *client, struct torus_ioc_clock __user *argp);

u32 torus_process_open_contexts(struct torus_engine *e);

#endif

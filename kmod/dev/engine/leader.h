/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The leader and the workers of an engine. A doorbell call can do pieces of the leader's work, too.
 */
#ifndef TORUS_DEV_ENGINE_LEADER_H
#define TORUS_DEV_ENGINE_LEADER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "core/run/watchdog.h"

struct task_struct;
struct torus_engine;
struct torus_engine_client;

/**
 * struct torus_vtime_ops - how to run a fabric in virtual time; called with the engine locked
 * @run: simulate as far as the programs' clocks permit, but at most @ticks. Return: true if there
 *	may be more to run
 * @computes: check whether a program computes: virtual time waits for it
 * @rest: report the program that has not moved its clock for too long. Return: jiffies that the
 *	leader may sleep, at most @timeout
 */
struct torus_vtime_ops {
	bool (*run)(struct torus_engine *e, u64 ticks);
	bool (*computes)(struct torus_engine *e);
	long (*rest)(struct torus_engine *e, long timeout);
};

/**
 * struct torus_engine_vtime - virtual time of an engine, owned by vtime/process.c (engine.lock)
 * @enabled: the fabric runs in virtual time; never changes
 * @stalled: all programs wait, and an event has reported it
 * @processes: list of struct torus_process
 * @since: torus_pause_jiffies() when virtual time began
 */
struct torus_engine_vtime {
	bool enabled;
	bool stalled;
	struct list_head processes;
	unsigned long since;
};

/**
 * struct torus_leader_steps - counters of the leader's work (engine.lock)
 * @round: number of polls of the rings
 * @unpublished: steps since fill levels were published
 * @leap: consecutive runs with no packet in flight, or none that moves
 */
struct torus_leader_steps {
	u32 round;
	u32 unpublished;
	u32 leap;
};

/**
 * struct torus_leader_watchdog - packets that do not move, and links that gave up (engine.lock)
 * @checked: the watchdog has checked the fabric since a packet moved
 * @rest_since: torus_pause_jiffies() since when no packet moves
 * @waiting_reported: torus_pause_jiffies() when packets that dead links block were last reported to
 *	their senders
 * @parked: for each node, bit d: the event that its link in direction d is parked was sent
 * @cycle: result of the latest check
 */
struct torus_leader_watchdog {
	bool checked;
	unsigned long rest_since;
	unsigned long waiting_reported;
	u32 *parked;
	struct torus_cycle cycle;
};

/**
 * struct torus_leader_sleep - sleep of the leader
 * @wait: the leader waits here
 * @kicked: the leader must not sleep; stored without the lock
 * @asleep: the leader sleeps, and a task that rings may run the fabric instead (engine.lock)
 */
struct torus_leader_sleep {
	wait_queue_head_t wait;
	bool kicked;
	bool asleep;
};

/**
 * struct torus_engine_threads - threads that run an engine's fabric
 * @leader: thread that polls the rings and runs the fabric
 * @workers: @count pointers, the first is unused: threads that take part in large runs
 * @count: number of threads, including the leader
 * @work: workers wait here
 * @runs: number of runs that workers were called to
 * @left: number of times that a worker has left such a run
 */
struct torus_engine_threads {
	struct task_struct *leader;
	struct task_struct **workers;
	u32 count;
	wait_queue_head_t work;
	u32 runs;
	atomic_t left;
};

/* Windows in the first piece of a workload, and the minimum of any piece. */
#define TORUS_BUDGET_MIN	1u

/*
 * Fewer packets in flight than this count as few: runs are longer, and may be done in a doorbell
 * call.
 */
#define TORUS_FEW_PACKETS	64

/**
 * enum torus_leader_virtual - result of a run in virtual time
 * @TORUS_LEADER_MOVED: there may be more to run
 * @TORUS_LEADER_COMPUTES: a program computes: virtual time waits for it
 * @TORUS_LEADER_RESTS: no program computes and no event is due, or the fabric has failed
 */
enum torus_leader_virtual {
	TORUS_LEADER_MOVED,
	TORUS_LEADER_COMPUTES,
	TORUS_LEADER_RESTS,
};

bool torus_leader_poll(struct torus_engine *e);
bool torus_leader_look(struct torus_engine *e, const struct torus_engine_client *client);
bool torus_leader_run(struct torus_engine *e);
enum torus_leader_virtual torus_leader_run_virtual(struct torus_engine *e, u64 ticks);
void torus_leader_fail(struct torus_engine *e);
void torus_leader_conclude(struct torus_engine *e);
void torus_leader_set_vtime(const struct torus_vtime_ops *ops);
bool torus_leader_stopped(const struct torus_engine *e);

int torus_engine_leader_thread(void *data);
int torus_engine_worker_thread(void *data);

#endif

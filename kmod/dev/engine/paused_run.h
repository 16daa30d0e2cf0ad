/* SPDX-License-Identifier: GPL-2.0 */
/* Runs of a paused fabric: a client advances the clock to a tick, or to an event. */
#ifndef TORUS_DEV_ENGINE_PAUSED_RUN_H
#define TORUS_DEV_ENGINE_PAUSED_RUN_H

#include <linux/types.h>
#include <linux/wait.h>

#include "core/state/stop.h"
#include "packet_records.h"
#include "stop_notes.h"

struct torus_engine;

/* Value of torus_paused_run.until for a run to an event. */
#define TORUS_PAUSED_RUN_NO_TICK	(~0ull)

/**
 * enum torus_paused_run_state - state of a run
 * @TORUS_PAUSED_RUN_MORE: the next piece continues the run
 * @TORUS_PAUSED_RUN_WAITS: the run continues when a program moves its virtual clock
 * @TORUS_PAUSED_RUN_TICK: ended: the clock has reached its tick
 * @TORUS_PAUSED_RUN_EVENT: ended: its event has happened
 * @TORUS_PAUSED_RUN_NOTHING: ended: nothing is pending, so its event cannot happen
 * @TORUS_PAUSED_RUN_WORKLOAD: ended with the workload
 * @TORUS_PAUSED_RUN_PROGRAMS: ended: virtual time has not started
 * @TORUS_PAUSED_RUN_FAILED: ended: out of memory
 * @TORUS_PAUSED_RUN_LEFT: ended: its client has left
 */
enum torus_paused_run_state {
	TORUS_PAUSED_RUN_MORE,
	TORUS_PAUSED_RUN_WAITS,
	TORUS_PAUSED_RUN_TICK,
	TORUS_PAUSED_RUN_EVENT,
	TORUS_PAUSED_RUN_NOTHING,
	TORUS_PAUSED_RUN_WORKLOAD,
	TORUS_PAUSED_RUN_PROGRAMS,
	TORUS_PAUSED_RUN_FAILED,
	TORUS_PAUSED_RUN_LEFT,
};

/**
 * struct torus_paused_run - run of a paused fabric (engine.lock)
 * @portid: port of the client's socket; 0: no run is in progress; also read without the lock
 * @state: state of the run
 * @until: tick at which the run ends, or TORUS_PAUSED_RUN_NO_TICK
 * @stop: event after whose tick the run ends; its nodes are owned by the run
 * @notes: that event, if the core does not note it
 * @stopped: the event, after it has happened
 * @recorded: record the events of packets
 * @records: events that the client has not read
 * @stirs: changes when the leader is woken during a pause, and when a run ends
 * @wait: the client waits here in TORUS_PAUSED_RUN_WAITS
 */
struct torus_paused_run {
	u32 portid;
	enum torus_paused_run_state state;
	u64 until;
	struct torus_stop stop;
	struct torus_stop_notes notes;
	struct torus_stopped stopped;
	bool recorded;
	struct torus_packet_records records;
	u32 stirs;
	wait_queue_head_t wait;
};

void torus_paused_run_init(struct torus_engine *e);
void torus_paused_run_begin(struct torus_engine *e, u32 portid, u64 until,
			    const struct torus_stop *stop, const struct torus_stop_register *reg,
			    bool recorded);
void torus_paused_run_piece(struct torus_engine *e);
int torus_paused_run_wait(struct torus_engine *e) __must_check;
void torus_paused_run_stir(struct torus_engine *e);
const char *torus_paused_run_register(const struct torus_engine *e);
void torus_paused_run_end(struct torus_engine *e);
void torus_paused_run_drop(struct torus_engine *e);
void torus_paused_run_leave(struct torus_engine *e, u32 portid);

#endif

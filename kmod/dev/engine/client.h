/* SPDX-License-Identifier: GPL-2.0 */
/* Clients of an engine: those of FIFO groups, and those of barrier gates. */
#ifndef TORUS_DEV_ENGINE_CLIENT_H
#define TORUS_DEV_ENGINE_CLIENT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "core/run/virtual_time.h"
#include "group_owner.h"

struct mm_struct;
struct torus_engine;
struct torus_engine_client;
struct torus_process;

/**
 * struct torus_engine_client_ops - calls of an engine to the client of a group; engine locked
 * @retire: detach a draining client that has no packets left to send, or whose time to drain is
 *	over; @now: in every case. Free it if its file is closed. Return: true if the client was
 *	detached
 * @publish: write the fill levels of the modelled FIFOs into the status page. Return: true if all
 *	are empty
 * @lags: check whether a packet waits in a reception FIFO for space in the program's ring
 * @wake: wake the tasks that sleep for events of the client; @sync: the caller is about to sleep
 * @fail: wake the tasks that sleep for events of the client: the fabric has stopped until a reset
 * @kill: detach the client: the fabric is being deleted
 * @evict: report to listeners that the client leaves, and detach it
 * @reveal: virtual time: load the tails of the program's injection rings; @clock: its clock
 * @look: virtual time: load how far the program has read its rings. Return: TORUS_WANT_* bits of
 *	the events that the program can find
 */
struct torus_engine_client_ops {
	bool (*retire)(struct torus_engine_client *client, bool now);
	bool (*publish)(struct torus_engine_client *client);
	bool (*lags)(struct torus_engine_client *client);
	void (*wake)(struct torus_engine_client *client, bool sync);
	void (*fail)(struct torus_engine_client *client);
	void (*kill)(struct torus_engine_client *client);
	void (*evict)(struct torus_engine_client *client);
	void (*reveal)(struct torus_engine_client *client, u64 clock);
	u32 (*look)(struct torus_engine_client *client);
};

/**
 * struct torus_engine_clock - a clock of virtual time: of a process, or of a driver (engine.lock)
 * @core: the clock, as the core sees it
 * @moved: torus_pause_jiffies() when it moved last, or when its owner could continue
 * @named: a stall was reported, and the clock has not moved since
 */
struct torus_engine_clock {
	struct torus_vtime_client core;
	unsigned long moved;
	bool named;
};

/**
 * struct torus_engine_client - the client of a FIFO group
 * @ops: operations of the client
 * @link: in the engine's list
 * @dead: the client was killed or evicted; stored last, with release semantics
 * @draining: the file was closed, or its owner has ended; the client stays until its packets are
 *	taken, or until @drain_until. In virtual time it stays until its program has left, too, and
 *	@drain_until does not count
 * @quiet: the modelled FIFOs were empty when their levels were last published
 * @wake_pending: tasks that sleep for events of the client must be woken after the run
 * @answered: since the client's last doorbell, it received a packet or its program slept
 * @drain_until: torus_pause_jiffies() when draining ends even with packets left
 * @node: index of the node
 * @group: FIFO group
 * @status: the status page
 * @process: process whose clock the client has in virtual time; NULL: no virtual time, or a driver
 * @clock: clock of the process, or of the driver; NULL: no virtual time, or the driver is away
 * @owner: process that attached the client
 *
 * The engine's lock protects all fields. The flags are also read without it, and @answered is also
 * written without it.
 */
struct torus_engine_client {
	const struct torus_engine_client_ops *ops;
	struct list_head link;
	bool dead;
	bool draining;
	bool quiet;
	bool wake_pending;
	bool answered;
	unsigned long drain_until;
	u32 node;
	u32 group;
	void *status;
	struct torus_process *process;
	struct torus_engine_clock *clock;
	struct torus_group_owner owner;
};

/**
 * struct torus_gate_client_ops - calls of an engine to the client of gates; engine locked
 * @reset: make polls check the operations in progress: the fabric was reset, or has failed
 * @evict: revoke all gates
 * @depart: revoke the gates if they belong to process @mm, and their file is closed or their owner
 *	has ended; @all: in every case
 *
 * @evict and @depart may free the client.
 */
struct torus_gate_client;
struct torus_gate_client_ops {
	void (*reset)(struct torus_gate_client *client);
	void (*evict)(struct torus_gate_client *client);
	void (*depart)(struct torus_gate_client *client, const struct mm_struct *mm, bool all);
};

/**
 * struct torus_gate_client - a file that has barrier gates of a node
 * @ops: operations of the client
 * @link: in the engine's list (engine.lock)
 * @node: index of the node
 * @owner: process that opened the gates
 */
struct torus_gate_client {
	const struct torus_gate_client_ops *ops;
	struct list_head link;
	u32 node;
	struct torus_group_owner owner;
};

/**
 * struct torus_engine_clients - the clients of FIFO groups (engine.lock)
 * @list: list of struct torus_engine_client
 * @attached: number of clients in @list
 * @user: common user of all clients, INVALID_UID for none or several; see doorbell.c
 * @draining: number of draining clients in @list
 * @drains: changes when ATTACH calls must check their group again; also read without the lock
 * @holders: changes when a group or gates are taken or given back; dumps detect a change by it
 * @drained: ATTACH waits here for a group that a draining client still has
 * @refused: number of rejections of chunks that were no packet or had an invalid stamp, which
 *	the core does not count; counted by context/nic_client.c, without the lock
 * @refused_base: value of @refused when the counters were last reset
 */
struct torus_engine_clients {
	struct list_head list;
	u32 attached;
	kuid_t user;
	u32 draining;
	u32 drains;
	u32 holders;
	wait_queue_head_t drained;
	atomic64_t refused;
	s64 refused_base;
};

/**
 * struct torus_deferred_wakeups - wake-ups of readers, deferred until a run has ended
 * @defer: record wake-ups in @pending, and wake tasks after the run, not during it
 * @pending: tasks of at least one client must be woken
 * @since: time when @pending was set, in ns; limits the delay while packets still move, see
 *	torus_leader_wake_readers()
 */
struct torus_deferred_wakeups {
	bool defer;
	bool pending;
	u64 since;
};

/**
 * struct torus_gate_clients - the clients of barrier gates, owned by context/gate_context.c
 * @open: the gates of the fabric are initialized
 * @files: number of files that have gates
 * @list: list of struct torus_gate_client
 *
 * The engine's lock protects all fields.
 */
struct torus_gate_clients {
	bool open;
	u32 files;
	struct list_head list;
};

int torus_engine_lock_client(struct torus_engine *e, struct torus_engine_client *client)
	__must_check;
struct torus_engine_client *torus_engine_client_at(struct torus_engine *e, u32 node, u32 group);
void torus_engine_add_client(struct torus_engine *e, struct torus_engine_client *client);
void torus_engine_del_client(struct torus_engine *e, struct torus_engine_client *client);
void torus_engine_wake_attach(struct torus_engine *e);
void torus_engine_tick(struct torus_engine *e);
void torus_engine_publish(struct torus_engine *e, struct torus_engine_client *client, bool all);
void torus_engine_publish_all(struct torus_engine *e, bool all);
void torus_engine_flag(struct torus_engine *e, u32 flags);
void torus_engine_wake(struct torus_engine *e, bool sync);
void torus_engine_report_owner(struct torus_engine *e, struct torus_engine_client *client,
			       bool attached);
void torus_engine_fail(struct torus_engine *e);
bool torus_engine_retire(struct torus_engine *e, bool now);
void torus_engine_kill(struct torus_engine *e);
void torus_engine_evict(struct torus_engine *e, u32 node);
void torus_engine_reset_gates(struct torus_engine *e);
void torus_engine_trim_gates(struct torus_engine *e);
void torus_engine_depart(struct torus_engine *e, const struct mm_struct *mm, bool all);

#endif

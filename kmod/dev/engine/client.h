/* SPDX-License-Identifier: GPL-2.0 */
/* Clients of an engine: those of FIFO groups, and those of barrier gates. */
#ifndef TORUS_DEV_ENGINE_CLIENT_H
#define TORUS_DEV_ENGINE_CLIENT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include "group_owner.h"

struct mm_struct;
struct torus_engine;
struct torus_engine_client;
struct torus_process;

/**
 * struct torus_engine_client_ops - what an engine, which is locked, asks of the client of a group
 * @retire: detach and free a closed client that has nothing left to send; @now: in any case.
 *	Return: true if the client is gone
 * @publish: write the fill levels of the modelled FIFOs into the status page.
 *	Return: true if all are empty
 * @lags: report whether a packet waits in a reception FIFO for the program to read
 * @wake: wake the tasks that sleep for the client; @sync: the caller is about to sleep
 * @fail: wake the tasks that sleep for the client: the fabric has stopped until it is reset
 * @kill: detach the client: the fabric is being deleted
 * @evict: report to listeners that the client leaves, and detach it
 * @reveal: virtual time: take over what the program has put into its rings; @clock: its clock
 * @look: virtual time: load how far the program has read.
 *	Return: TORUS_WANT_* bits of what is there for it
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
 * struct torus_engine_client - the client of a FIFO group
 * @ops: its operations
 * @link: in the engine's list
 * @dead: it was killed or evicted: stored with release semantics, after all that goes with it
 * @draining: closed, and kept until its packets are taken, or until @drain_until
 * @quiet: the modelled FIFOs were empty when they were last published
 * @wake_pending: tasks that sleep for it are to be woken after the run
 * @answered: since its last doorbell a packet arrived for it, or its program slept
 * @drain_until: jiffies when draining ends in any case
 * @node: index of the node
 * @group: FIFO group
 * @status: the status page
 * @process: the process whose clock it has in virtual time; NULL: time is free
 * @owner: the process that attached it
 *
 * The engine's lock protects all fields. The flags are also read without it.
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
	struct torus_group_owner owner;
};

/**
 * struct torus_gate_client_ops - what an engine, which is locked, asks of the client of gates
 * @reset: forget the operations that run: the fabric was reset
 * @evict: take all gates away
 * @depart: take the gates away if @mm is the process that has them, and its file is closed;
 *	@all: if its file is open, too
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
 * struct torus_gate_client - a process that has barrier gates of a node
 * @ops: its operations
 * @link: in the engine's list, which the engine's lock protects
 * @node: index of the node
 * @owner: the process
 */
struct torus_gate_client {
	const struct torus_gate_client_ops *ops;
	struct list_head link;
	u32 node;
	struct torus_group_owner owner;
};

/**
 * struct torus_engine_clients - the clients of FIFO groups (engine.lock)
 * @list: struct torus_engine_client
 * @attached: their number
 * @user: user of all clients, INVALID_UID if there is none, or more than one; see doorbell.c
 * @draining: number of closed clients among them
 * @drains: number of closed clients that were detached. Also read without the lock
 * @holders: changes when a group or gates are taken or given back, for dumps
 * @drained: ATTACH waits here for a group that a closed client still has
 * @refused: chunks that were no packet, counted by context/nic_client.c; the core has not seen them
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
 * struct torus_deferred_wakeups - wake-ups of readers that wait for the end of a run
 * @defer: tasks are woken after the run, not in it
 * @pending: a client's tasks are to be woken
 * @since: when @pending was set, in ns
 */
struct torus_deferred_wakeups {
	bool defer;
	bool pending;
	u64 since;
};

/**
 * struct torus_gate_clients - the clients of barrier gates, owned by context/gate_context.c
 * @open: the gates of the fabric are ready for use
 * @files: number of files that have gates
 * @list: struct torus_gate_client
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

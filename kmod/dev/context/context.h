/* SPDX-License-Identifier: GPL-2.0 */
/* The context of an open file of /dev/torus. */
#ifndef TORUS_DEV_CONTEXT_CONTEXT_H
#define TORUS_DEV_CONTEXT_CONTEXT_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "dev/engine/client.h"
#include "memory.h"
#include "notice_ring.h"
#include "poll.h"
#include "ring.h"

struct mm_struct;
struct net;
struct torus_arch;
struct torus_engine;
struct torus_gates;
struct torus_ioc_attach;
struct torus_nic_ops;

/**
 * struct torus_ctx - the context of an open file
 * @lock: serializes ATTACH, GATES_OPEN and look-ups of the fabric
 * @net: namespace of the task that opened the file; put when the file is bound to a fabric
 * @attached: ATTACH succeeded; stays true. From then on @engine, @mm, @generation and the lengths
 *	of rings and mappings are constant
 * @file: the open file, NULL after it was closed while the engine keeps the context
 * @owner_end: work after the end of the process that attached the context or opened the gates
 * @id: unique number among the contexts; see mmap.c
 * @poll: tasks that sleep for an event
 * @map_lock: read-locked by page faults, write-locked while @rings becomes NULL, before the rings
 *	are unmapped and freed
 * @set_by_attach: fields that ATTACH and later calls set; zero while @attached is false and no
 *	ATTACH is in progress
 * @engine: the engine that the context is attached to, with a reference
 * @client: link to the engine
 * @mm: identifies the process that attached the context, with a reference (mmgrab()). Only its
 *	pinned_vm is used
 * @interrupted: a critical interrupt was raised
 * @latest: reception FIFO that a packet left last
 * @used: one bit per reception FIFO: a packet has left the FIFO for its ring
 * @generation: generation of the group
 * @priority: the program may inject priority packets
 * @control: the control page
 * @grave: page that replaces the injection rings and their stamps after these were freed
 * @rings: memory of all rings, NULL after they were freed
 * @rings_bytes: length of @rings, charged to @budget
 * @kept_bytes: the fabric's memory that requests may use, also charged to @budget
 * @budget: the user who is charged
 * @inject_bytes: length of the mapping of an injection ring
 * @receive_bytes: length of the mapping of a reception ring
 * @notice_bytes: length of the mapping of the notice ring
 * @stamp_bytes: length of the stamps of an injection ring; 0: no virtual time
 * @arrival_bytes: length of the arrival ticks of a reception ring; 0: no virtual time
 * @records: pending notices of the machine's own NIC, stored after the rings; NULL: the
 *	machine's NIC has none
 * @notices: the notice ring
 * @inject: injection rings
 * @receive: reception rings
 * @gates: barrier gates, NULL: the file has none; set once
 * @memories: registered memory
 */
struct torus_ctx {
	struct mutex lock;	/* serializes ATTACH */
	struct net *net;
	bool attached;
	struct file *file;
	struct work_struct owner_end;
	u32 id;
	struct torus_poll poll;
	struct rw_semaphore map_lock;
	struct_group(set_by_attach,
		struct torus_engine *engine;
		struct torus_engine_client client;
		struct mm_struct *mm;
		bool interrupted;
		u32 latest;
		u32 used;
		u32 generation;
		bool priority;
		void *control;
		void *grave;
		u8 *rings;
		size_t rings_bytes;
		size_t kept_bytes;
		struct torus_budget_user *budget;
		size_t inject_bytes;
		size_t receive_bytes;
		size_t notice_bytes;
		size_t stamp_bytes;
		size_t arrival_bytes;
		struct torus_nic_records *records;
		/* Before the arrays of rings: on the same page as the other members. */
		struct torus_notice_ring notices;
		struct torus_ring inject[TORUS_INJECT_MAX];
		struct torus_ring receive[TORUS_RECEIVE_MAX];
	);
	struct torus_gates *gates;
	struct torus_memories memories;
};

extern const struct torus_engine_client_ops torus_ctx_client_ops;

int torus_ctx_create(struct file *file, struct torus_ctx **out);
void torus_ctx_release(struct torus_ctx *ctx);
int torus_ctx_alive(struct torus_ctx *ctx);
int torus_ctx_usable(struct torus_ctx *ctx);
int torus_ctx_lock(struct torus_ctx *ctx) __must_check;
void torus_ctx_free(struct torus_ctx *ctx);

#endif

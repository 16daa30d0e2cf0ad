/* SPDX-License-Identifier: GPL-2.0 */
/* A context: an open file of /dev/torus. */
#ifndef TORUS_DEV_CONTEXT_CONTEXT_H
#define TORUS_DEV_CONTEXT_CONTEXT_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/stddef.h>
#include <linux/types.h>

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
 * struct torus_ctx - an open file
 * @lock: one ATTACH at a time
 * @net: namespace of who opened the file, until it is attached
 * @attached: ATTACH succeeded: @engine and what ATTACH has set stay for good
 * @file: the open file, NULL once it is closed
 * @id: number of its own among the contexts; see mmap.c
 * @poll: those who sleep for it
 * @map_lock: mappings against the end of the rings
 * @set_by_attach: the fields that ATTACH and what follows it set; zero while @attached is false
 *		   and no ATTACH is in progress
 * @engine: the fabric's
 * @client: the engine's view of it
 * @mm: of the process that attached it, never looked into: whose context it is
 * @interrupted: there was a critical interrupt
 * @latest: reception FIFO that a packet came out of last
 * @used: reception FIFOs that ever had a packet for their ring, a bit each
 * @generation: of the group
 * @priority: may inject priority packets
 * @control: the control page
 * @grave: page that stands in for the injection rings when these are gone
 * @rings: memory of all rings, NULL when they are gone
 * @rings_bytes: its length, taken of the budget
 * @kept_bytes: memory of the fabric's that its requests may take, also taken of the budget
 * @budget: the user of whom it was taken
 * @inject_bytes: length of an injection ring's mapping
 * @receive_bytes: of a reception ring's
 * @notice_bytes: of the notice ring's
 * @stamp_bytes: of the ticks beside an injection ring's; 0: time is free
 * @arrival_bytes: of those beside a reception ring's
 * @records: notices of the machine's own NIC that wait, behind the rings; NULL: it has none
 * @notices: the notice ring
 * @inject: injection rings
 * @receive: reception rings
 * @gates: barrier gates, NULL: the file has none; once set it stays
 * @memories: memory that engines may reach
 */
struct torus_ctx {
	struct mutex lock;	/* one ATTACH at a time */
	struct net *net;
	bool attached;
	struct file *file;
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
		/* before the rings, on the page that all else is on */
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

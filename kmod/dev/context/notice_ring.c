// SPDX-License-Identifier: GPL-2.0
/*
 * Notices to a program: its packets that did not arrive, and the number of packets that completed.
 *
 * The core reports them between two runs, with the engine locked (core/nic/completion_report.h). A
 * rejected packet is reported at once by the thread that runs the node's domain: no other thread
 * uses the context then. The kernel writes the ring. Its barriers are (A) and (B) of
 * <linux/torus.h>, as for a reception ring.
 */
#include <linux/compiler.h>
#include <linux/nospec.h>
#include <asm/barrier.h>

#include "core/base/node_number.h"
#include "core/nic/vtime_client.h"
#include "core/state/completion.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "context.h"
#include "nic_client.h"
#include "notice_ring.h"

/**
 * torus_notice_ring_read() - load the head: how far the program has read
 * @ctx: an attached context
 */
void torus_notice_ring_read(struct torus_ctx *ctx)
{
	u32 head = smp_load_acquire(&torus_control_notice(ctx->control)->head);	/* (A) */
	struct torus_notice_ring *ring = &ctx->notices;

	/* Ignore a head beyond the contents of the ring. */
	if (ring->tail - head <= ring->length)
		ring->head = head;
}

static void torus_notice_ring_put(struct torus_ctx *ctx, const struct torus_notice *notice)
{
	struct torus_status_notice *status = torus_status_notice(ctx->client.status);
	struct torus_notice_ring *ring = &ctx->notices;

	if (ctx->client.draining)
		return;
	torus_stop_notes_notice(&ctx->engine->run.notes, ctx->client.node);
	/* In virtual time the head is loaded only at the program's clock. */
	if (ring->tail - ring->head == ring->length && !ctx->client.process)
		torus_notice_ring_read(ctx);
	if (ring->tail - ring->head == ring->length) {
		WRITE_ONCE(status->lost, ++ring->lost);
		return;
	}
	ring->data[array_index_nospec(ring->tail & (ring->length - 1), ring->length)] = *notice;
	WRITE_ONCE(ring->tail, ring->tail + 1);
	smp_store_release(&status->tail, ring->tail);		/* (B) */
}

/**
 * torus_notice_ring_refused() - report that the NIC rejected a packet
 * @ctx: context of the packet's program
 * @fifo: injection FIFO
 * @index: chunk index where the packet began
 * @code: TORUS_REFUSE_*
 */
void torus_notice_ring_refused(struct torus_ctx *ctx, u32 fifo, u32 index, u32 code)
{
	u32 node = torus_node_number(&ctx->engine->geo, ctx->client.node);

	torus_notice_ring_put(ctx, &(struct torus_notice){
		.fifo = fifo,
		.index = index,
		.reason = TORUS_NOTICE_REFUSED + code,
		.node = node,
		.tick = torus_nic_clock(ctx->engine->fabric, ctx->client.node),
		.dest = node,
		.group = ctx->client.group,
	});
	torus_ctx_vtime_wake(ctx, TORUS_VTIME_EVENT_NOTICE);
}

/* Implement struct torus_nic_ops.lost: report a lost packet. */
void torus_notice_ring_lost(void *client, const struct torus_lost_packet *loss)
{
	struct torus_ctx *ctx = client;
	const struct torus_geometry *geo = &ctx->engine->geo;

	torus_notice_ring_put(ctx, &(struct torus_notice){
		.fifo = loss->fifo,
		.index = loss->number,
		.reason = loss->reason,
		.node = torus_node_number(geo, loss->node),
		.tick = loss->tick,
		.dest = torus_node_number(geo, loss->dst),
		.group = loss->group,
		.flags = loss->flags,
	});
}

/* Implement struct torus_nic_ops.ended: publish the number of completed packets. */
void torus_notice_ring_ended(void *client, u64 completed)
{
	struct torus_ctx *ctx = client;

	WRITE_ONCE(ctx->notices.completed, completed);
	/* (B): a program that sees the count also sees the notices that belong to it. */
	smp_wmb();
	WRITE_ONCE(torus_status_notice(ctx->client.status)->completed, completed);
}

/**
 * torus_notice_ring_ready() - check whether poll() must wake the program for notices
 * @ctx: an attached context
 *
 * Return: true if the program's count of completed packets is reached, or if it wants notices and
 * has unread ones.
 */
bool torus_notice_ring_ready(struct torus_ctx *ctx)
{
	const struct torus_control_notice *control = torus_control_notice(ctx->control);
	u64 completed = READ_ONCE(control->completed);

	if (completed && READ_ONCE(ctx->notices.completed) >= completed)
		return true;
	return READ_ONCE(control->want) & TORUS_NOTICE_WANT &&
	       READ_ONCE(ctx->notices.tail) != READ_ONCE(control->head);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * A context as the core sees it: a client of the NIC (core/nic.h) whose packets
 * come from rings and go into rings.  Called with the engine held, by the thread
 * that runs the node's domain.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/poll.h>
#include <linux/wait.h>

#include "context.h"
#include "engine.h"
#include "status.h"

static u32 torus_context_pull(void *client, u32 fifo, u32 room, u8 *bytes)
{
	struct torus_context *ctx = client;
	struct torus_ring *ring = &ctx->inject[fifo];

	switch (torus_ring_pull(ring, torus_control_inject(ctx->control, fifo),
				torus_status_inject(ctx->status, fifo), ctx->engine->arch->size,
				ctx->engine->round, room, bytes)) {
	case TORUS_PULL_PACKET:
		ctx->quiet = false;
		return ring->pending;
	case TORUS_PULL_BAD:
		/* The core has not seen it. */
		atomic64_inc(&ctx->engine->refused);
		break;
	case TORUS_PULL_NONE:
		break;
	}
	return 0;
}

static void torus_context_refused(void *client, u32 fifo, u32 code)
{
	struct torus_context *ctx = client;

	torus_ring_refuse(&ctx->inject[fifo], torus_status_inject(ctx->status, fifo), code);
}

static void torus_context_accepted(void *client, u32 fifo)
{
	struct torus_context *ctx = client;

	torus_ring_accept(&ctx->inject[fifo], torus_status_inject(ctx->status, fifo));
}

static bool torus_context_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct torus_context *ctx = client;

	ctx->quiet = false;
	/* Nobody will read it, and what it blocks is not the dead program's. */
	if (ctx->draining)
		return true;
	return torus_ring_push(&ctx->receive[fifo], torus_control_receive(ctx->control, fifo),
			       torus_status_receive(ctx->status, fifo), bytes, chunks);
}

/*
 * poll() sleeps without losing a packet:
 *
 *	engine                          poll()
 *
 *	STORE ring index                add to ctx->wait
 *	smp_mb            (G)           smp_mb           (H)
 *	LOAD ctx->wait empty?           LOAD ring index
 *
 * Without either, both may load what was before the other's store: the engine
 * sees nobody to wake, poll() sees nothing to read.  (G) is in wq_has_sleeper().
 */
static void torus_context_notify(void *client)
{
	struct torus_context *ctx = client;
	__poll_t ready;

	if (!wq_has_sleeper(&ctx->wait))	/* (G) */
		return;
	ready = torus_context_ready(ctx);
	if (ready)
		wake_up_interruptible_poll(&ctx->wait, ready);
}

const struct torus_nic_ops torus_context_nic_ops = {
	.pull = torus_context_pull,
	.refused = torus_context_refused,
	.accepted = torus_context_accepted,
	.push = torus_context_push,
	.notify = torus_context_notify,
};

/**
 * torus_context_ready() - what poll() would say
 * @ctx: an attached context
 *
 * Return: EPOLL* bits.
 */
__poll_t torus_context_ready(struct torus_context *ctx)
{
	const struct torus_arch *arch = ctx->engine->arch;
	__poll_t ready = 0;
	u32 i;

	for (i = 0; i < arch->receive_fifos; i++) {
		if (torus_ring_readable(&ctx->receive[i], torus_control_receive(ctx->control, i),
					arch->packet_chunks_max)) {
			ready |= EPOLLIN | EPOLLRDNORM;
			break;
		}
	}
	for (i = 0; i < arch->inject_fifos; i++) {
		if (!(arch->inject_priority & BIT(i)) &&
		    torus_ring_writable(&ctx->inject[i], torus_control_inject(ctx->control, i),
					arch->packet_chunks_max)) {
			ready |= EPOLLOUT | EPOLLWRNORM;
			break;
		}
	}
	return ready;
}

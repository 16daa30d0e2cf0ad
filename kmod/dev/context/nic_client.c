// SPDX-License-Identifier: GPL-2.0
/*
 * A context as a client of the NIC (struct torus_nic_ops): packets come from its injection rings
 * and go to its reception rings.  The thread that runs the node's domain calls the operations of
 * torus_ctx_nic_ops, with the engine locked.  torus_ctx_ready() is called without the lock.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/ktime.h>
#include <linux/poll.h>
#include <linux/wait.h>

#include "core/nic/inject.h"
#include "core/state/interrupt.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "dev/vtime/process.h"
#include "context.h"
#include "nic_client.h"
#include "notice_ring.h"

/* Maximum number of packets with an invalid stamp that one poll of a ring rejects. */
#define TORUS_LATE_MAX		64u

/*
 * Wake the tasks that sleep for events that are there. No packet is missed: the index of a ring is
 * stored before ctx->poll.wait is checked. Barrier (G) of <linux/torus.h> is in wq_has_sleeper().
 */
void torus_ctx_wake_readers(struct torus_engine_client *client, bool sync)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);
	__poll_t ready;

	if (!wq_has_sleeper(&ctx->poll.wait))	/* (G) */
		return;
	smp_rmb();	/* Pairs with torus_poll_request(): load the bits that it stored. */
	ready = torus_ctx_ready(ctx, (__force __poll_t)atomic_read(&ctx->poll.asked));
	if (!ready)
		return;
	if (sync)
		wake_up_interruptible_sync_poll(&ctx->poll.wait, ready);
	else
		wake_up_interruptible_poll(&ctx->poll.wait, ready);
}

/*
 * Wake the reader. While wake-ups are deferred, only request that: the reader is woken after the
 * run, once for all packets of the run. If the reader and this thread share a processor, that saves
 * two context switches per packet.
 */
static void torus_ctx_notify(void *client)
{
	struct torus_ctx *ctx = client;
	struct torus_engine *e = ctx->engine;

	if (!e->wakeups.defer) {
		torus_ctx_wake_readers(&ctx->client, false);
		return;
	}
	WRITE_ONCE(ctx->client.wake_pending, true);
	if (READ_ONCE(e->wakeups.pending))
		return;
	WRITE_ONCE(e->wakeups.since, ktime_get_ns());
	WRITE_ONCE(e->wakeups.pending, true);
}

/* Virtual time: wake the process if it waits for @what, even if the core has not seen the event. */
void torus_ctx_vtime_wake(struct torus_ctx *ctx, u32 what)
{
	struct torus_fabric *f = ctx->engine->fabric;

	torus_vtime_client_wake(torus_domain_of(f, ctx->client.node),
				torus_nic_get(f, ctx->client.node, ctx->client.group), what);
}

/*
 * Reject chunks that are no packet, or a packet whose stamp is invalid. The core has seen neither
 * the chunks nor the space that they free.
 */
static void torus_ctx_refuse(struct torus_ctx *ctx, u32 fifo, u32 index, u32 code)
{
	atomic64_inc(&ctx->engine->clients.refused);
	torus_notice_ring_refused(ctx, fifo, index, code);
	torus_ctx_vtime_wake(ctx, TORUS_VTIME_EVENT_ROOM);
	torus_ctx_notify(ctx);
}

/* Reject the tail of an injection ring that is ahead by more than the ring's length. */
static void torus_ctx_refuse_tail(struct torus_ctx *ctx, u32 fifo, u32 index)
{
	torus_error_raise(ctx->engine->fabric, ctx->client.node, TORUS_ERROR_WRITE_FULL, 0,
			  ctx->client.group);
	torus_ctx_refuse(ctx, fifo, index, TORUS_REFUSE_TAIL);
}

/*
 * Check whether a packet may enter now. In virtual time its stamp must not be later than the node's
 * clock; if it is, schedule a poll of the node for that tick.
 */
static bool torus_ctx_due(struct torus_ctx *ctx, u32 fifo, bool *late)
{
	struct torus_ring *ring = &ctx->inject[fifo];
	struct torus_fabric *f = ctx->engine->fabric;
	u64 due;

	*late = false;
	if (!ctx->client.process)
		return true;
	if (torus_ring_due(ring, torus_nic_clock(f, ctx->client.node), ctx->client.process->known,
			   late, &due))
		return true;
	if (due)
		torus_nic_wake_by(f, ctx->client.node, due, &ring->woken);
	return false;
}

/* Find the injection rings whose tail is not their head: with packets, or an invalid tail. */
static u32 torus_ctx_filled_rings(void *client)
{
	struct torus_ctx *ctx = client;
	u32 fifos = 0, i;

	for (i = 0; i < ctx->engine->arch->inject_fifos; i++) {
		/* In virtual time, the packets count that were there when the clock last moved. */
		if ((ctx->client.process ? ctx->inject[i].tail :
		     READ_ONCE(torus_control_inject(ctx->control, i)->tail)) != ctx->inject[i].head)
			fifos |= BIT(i);
	}
	return fifos;
}

static u32 torus_ctx_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct torus_ctx *ctx = client;
	struct torus_ring *ring = &ctx->inject[fifo];
	u32 left = TORUS_LATE_MAX;
	bool late;
	u32 head;

	/* A packet with an invalid stamp is rejected, so that it does not block the next ones. */
again:
	head = ring->head;
	if (!torus_ctx_due(ctx, fifo, &late))
		return 0;
	switch (torus_ring_pull(ring, torus_control_inject(ctx->control, fifo),
				torus_status_inject(ctx->client.status, fifo),
				ctx->engine->arch->size, ctx->engine->steps.round, room, bytes)) {
	case TORUS_PULL_PACKET:
		ctx->client.quiet = false;
		if (late) {
			torus_ring_refuse(ring, torus_status_inject(ctx->client.status, fifo),
					  TORUS_REFUSE_STAMP);
			torus_ctx_refuse(ctx, fifo, head, TORUS_REFUSE_STAMP);
			if (--left)
				goto again;
			/* No other event would make the node poll for the remaining packets. */
			torus_nic_wake_by(ctx->engine->fabric, ctx->client.node,
					  torus_nic_clock(ctx->engine->fabric,
							  ctx->client.node) + 1,
					  &ring->woken);
			break;
		}
		*number = head;
		return ring->pending |
		       (ring->tail - head == ring->pending ? TORUS_NIC_LAST : 0);
	case TORUS_PULL_TAIL:
		torus_ctx_refuse_tail(ctx, fifo, head);
		break;
	case TORUS_PULL_BAD:
		torus_ctx_refuse(ctx, fifo, head, TORUS_REFUSE_SIZE);
		break;
	case TORUS_PULL_NONE:
		break;
	}
	return 0;
}

static void torus_ctx_refused(void *client, u32 fifo, u32 code)
{
	struct torus_ctx *ctx = client;

	torus_notice_ring_refused(ctx, fifo, ctx->inject[fifo].head, code);
	torus_ring_refuse(&ctx->inject[fifo], torus_status_inject(ctx->client.status, fifo), code);
}

static void torus_ctx_accepted(void *client, u32 fifo)
{
	struct torus_ctx *ctx = client;
	struct torus_status_inject *status = torus_status_inject(ctx->client.status, fifo);
	const struct torus_nic *nic = torus_nic_get(ctx->engine->fabric, ctx->client.node,
						    ctx->client.group);

	/* Store this before the head, by which the program sees that the packet was taken. */
	WRITE_ONCE(status->busy_since, nic->inject[fifo].busy_since);
	torus_ring_accept(&ctx->inject[fifo], status);
}

static bool torus_ctx_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct torus_ctx *ctx = client;
	struct torus_ring *ring = &ctx->receive[fifo];
	u64 *clock = torus_status_clock(ctx->client.status), arrived;
	const struct torus_nic *nic;
	bool astray = ring->astray, pushed;

	ctx->client.quiet = false;
	WRITE_ONCE(ctx->client.answered, true);
	/* Store this before the tail, too: torus_ctx_readable() checks no other ring. */
	WRITE_ONCE(ctx->latest, fifo);
	WRITE_ONCE(ctx->used, ctx->used | BIT(fifo));
	nic = torus_nic_get(ctx->engine->fabric, ctx->client.node, ctx->client.group);
	arrived = nic->receive[fifo].arrived;
	/*
	 * Store the clock before the tail: the reader of the packet sees no clock before the
	 * arrival.
	 */
	if (*clock < arrived)
		WRITE_ONCE(*clock, arrived);
	pushed = torus_ring_push(ring, torus_control_receive(ctx->control, fifo),
				 torus_status_receive(ctx->client.status, fifo), bytes, chunks,
				 arrived);
	if (ring->astray && !astray)
		torus_error_raise(ctx->engine->fabric, ctx->client.node, TORUS_ERROR_READ_EMPTY, 0,
				  ctx->client.group);
	return pushed;
}

/* Count a critical interrupt in the status page, then wake poll(). */
static void torus_ctx_interrupt(void *client, bool receive, u32 fifo)
{
	struct torus_ctx *ctx = client;

	if (ctx->client.draining)
		return;
	if (receive)
		WRITE_ONCE(torus_status_receive(ctx->client.status, fifo)->interrupts,
			   ++ctx->receive[fifo].interrupts);
	else
		WRITE_ONCE(torus_status_inject(ctx->client.status, fifo)->interrupts,
			   ++ctx->inject[fifo].interrupts);
	WRITE_ONCE(ctx->interrupted, true);
	torus_ctx_notify(ctx);
}

static struct torus_nic_records *torus_ctx_records(void *client)
{
	struct torus_ctx *ctx = client;

	return ctx->records;
}

const struct torus_nic_ops torus_ctx_nic_ops = {
	.ready = torus_ctx_filled_rings,
	.pull = torus_ctx_pull,
	.refused = torus_ctx_refused,
	.accepted = torus_ctx_accepted,
	.push = torus_ctx_push,
	.notify = torus_ctx_notify,
	.interrupt = torus_ctx_interrupt,
	.lost = torus_notice_ring_lost,
	.ended = torus_notice_ring_ended,
	.memory = torus_memory_access,
	.records = torus_ctx_records,
};

/*
 * Check for space in the rings that the program waits for. If it names none, any normal ring with
 * space for a full packet will do.
 */
static bool torus_ctx_writable(struct torus_ctx *ctx)
{
	const struct torus_arch *arch = ctx->engine->arch;
	const struct torus_control_inject *control;
	bool named = false, any = false;
	u32 i, want;

	for (i = 0; i < arch->inject_fifos; i++) {
		control = torus_control_inject(ctx->control, i);
		want = READ_ONCE(control->want);
		named |= want != 0;
		if (want && torus_ring_writable(&ctx->inject[i], control, want))
			return true;
		if (!(arch->inject_priority & BIT(i)))
			any |= torus_ring_writable(&ctx->inject[i], control,
						   arch->packet_chunks_max);
	}
	return any && !named;
}

/*
 * Check whether a reception ring has more chunks than its watermark, see torus_ring_readable().
 * Most rings are empty, whatever the watermark: check that first.
 */
static bool torus_ctx_has_chunks(struct torus_ctx *ctx, u32 fifo)
{
	const struct torus_control_receive *control = torus_control_receive(ctx->control, fifo);

	return READ_ONCE(ctx->receive[fifo].tail) != READ_ONCE(control->head) &&
	       torus_ring_readable(&ctx->receive[fifo], control,
				   ctx->engine->arch->packet_chunks_max);
}

static bool torus_ctx_readable(struct torus_ctx *ctx)
{
	unsigned long used = READ_ONCE(ctx->used);
	u32 i;

	/* Check the ring of the latest packet first: it is most likely to have chunks. */
	if (torus_ctx_has_chunks(ctx, READ_ONCE(ctx->latest)))
		return true;
	for_each_set_bit(i, &used, ctx->engine->arch->receive_fifos) {
		if (torus_ctx_has_chunks(ctx, i))
			return true;
	}
	return false;
}

/* Check whether a packet waits in a reception FIFO for the program to move the head of its ring. */
bool torus_ctx_lags(struct torus_engine_client *client)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);
	struct torus_engine *e = ctx->engine;
	u32 i;

	for (i = 0; i < e->arch->receive_fifos; i++) {
		if (torus_nic_receive_chunks(e->fabric, ctx->client.node, ctx->client.group, i))
			return true;
	}
	return false;
}

/* Check whether the program has critical interrupts to acknowledge. */
static bool torus_ctx_interrupted(struct torus_ctx *ctx)
{
	const struct torus_arch *arch = ctx->engine->arch;
	u32 i;

	if (!READ_ONCE(ctx->interrupted))
		return false;
	for (i = 0; i < arch->receive_fifos; i++) {
		if (READ_ONCE(ctx->receive[i].interrupts) !=
		    READ_ONCE(torus_control_receive(ctx->control, i)->interrupts_seen))
			return true;
	}
	for (i = 0; i < arch->inject_fifos; i++) {
		if (READ_ONCE(ctx->inject[i].interrupts) !=
		    READ_ONCE(torus_control_inject(ctx->control, i)->interrupts_seen))
			return true;
	}
	return false;
}

/**
 * torus_ctx_ready() - find the events that poll() would report
 * @ctx: an attached context; its engine need not be locked
 * @asked: EPOLL* bits of events to check
 *
 * Return: EPOLL* bits, without EPOLLERR and EPOLLHUP.
 */
__poll_t torus_ctx_ready(struct torus_ctx *ctx, __poll_t asked)
{
	__poll_t ready = 0;

	if (asked & (EPOLLIN | EPOLLRDNORM) &&
	    (torus_ctx_readable(ctx) || torus_notice_ring_ready(ctx)))
		ready |= EPOLLIN | EPOLLRDNORM;
	if (asked & (EPOLLOUT | EPOLLWRNORM) && torus_ctx_writable(ctx))
		ready |= EPOLLOUT | EPOLLWRNORM;
	if (asked & EPOLLPRI && torus_ctx_interrupted(ctx))
		ready |= EPOLLPRI;
	return ready;
}

/**
 * torus_ctx_reveal() - virtual time: load the tails of the program's injection rings
 * @client: client of the context; the engine is locked
 * @clock: the program's clock: packets with a later stamp are rejected, without a wait for the
 *	tick of the stamp
 */
void torus_ctx_reveal(struct torus_engine_client *client, u64 clock)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);
	u64 floor = client->process->known, stamp, refused;
	const struct torus_arch *arch = ctx->engine->arch;
	u32 i, head;

	for (i = 0; i < arch->inject_fifos; i++) {
		head = ctx->inject[i].head;
		refused = ctx->inject[i].refused;
		if (torus_ring_reveal(&ctx->inject[i], torus_control_inject(ctx->control, i),
				      torus_status_inject(client->status, i), floor, &stamp))
			torus_nic_wake_by(ctx->engine->fabric, client->node,
					  stamp > clock ? floor : max(stamp, floor),
					  &ctx->inject[i].woken);
		else if (ctx->inject[i].refused != refused)
			torus_ctx_refuse_tail(ctx, i, head);
	}
}

/**
 * torus_ctx_read() - virtual time: load how far the program has read its rings
 * @client: client of the context; the engine is locked
 *
 * Return: TORUS_WANT_* bits of the events that the program can find in its rings.
 */
u32 torus_ctx_read(struct torus_engine_client *client)
{
	struct torus_ctx *ctx = container_of(client, struct torus_ctx, client);
	u32 got = 0, i;

	for (i = 0; i < ctx->engine->arch->receive_fifos; i++)
		torus_ring_read(&ctx->receive[i], torus_control_receive(ctx->control, i));
	torus_notice_ring_read(ctx);
	got |= torus_ctx_readable(ctx) ? TORUS_WANT_ARRIVAL : 0;
	got |= torus_ctx_writable(ctx) ? TORUS_WANT_ROOM : 0;
	got |= torus_notice_ring_ready(ctx) ? TORUS_WANT_NOTICE : 0;
	return got;
}

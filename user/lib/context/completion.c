// SPDX-License-Identifier: GPL-2.0
/*
 * What became of a context's packets: the kernel's notices of those that did not arrive,
 * and its count of those that have ended.  The letters of barriers are those of
 * <linux/torus.h>.
 */
#include <errno.h>
#include <torus/torus.h>
#include "completion.h"
#include "context.h"
#include "error.h"
#include "virtual_time.h"

static int notice_check(struct torus_context *context, unsigned int what)
{
	if (torus_context_forked(context))
		return torus_error_dead(context);
	if (context->notices)
		return torus_vtime_sync(context, what);
	return torus_error_set(-EOPNOTSUPP, "the kernel does not tell what becomes of packets");
}

/**
 * torus_notice_take() - the next packet that did not arrive
 * @context: the context
 * @notice: out: which packet, and why; see <linux/torus.h>
 *
 * A packet is known by its injection FIFO and the index of its first chunk there.  When
 * notices were lost because they were not taken in time, one with the flag
 * TORUS_NOTICE_ALL comes in their place: any packet that was under way may be lost.
 *
 * Return: 1 and the notice, 0 when there is none, -EOPNOTSUPP from a kernel that does
 * not tell, -EIO, -ENODEV.
 */
int torus_notice_take(struct torus_context *context, struct torus_notice *notice)
{
	const struct torus_status_notice *status = context->notice_status;
	int ret = notice_check(context, TORUS_LOOK_NOTICE);
	__u32 tail;
	__u64 lost;

	if (ret)
		return ret;
	/* (C) What lies before this tail is written. */
	tail = __atomic_load_n(&status->tail, __ATOMIC_ACQUIRE);
	lost = __atomic_load_n(&status->lost, __ATOMIC_RELAXED);
	if (tail == context->notice_head && lost == context->notices_lost) {
		torus_vtime_poll_failed(context, TORUS_LOOK_NOTICE);
		return torus_context_dead(context) ? torus_error_dead(context) : 0;
	}
	if (tail != context->notice_head) {
		*notice = context->notices[context->notice_head & (context->info.notices - 1)];
	} else {
		*notice = (struct torus_notice) {
			.reason = TORUS_NOTICE_UNKNOWN, .flags = TORUS_NOTICE_ALL,
		};
	}
	/* (J) That notice was in a ring. */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	if (tail == context->notice_head) {
		context->notices_lost = lost;
		return 1;
	}
	if (tail - context->notice_head > context->info.notices) {
		context->notice_head = tail;
		return torus_error_set(-EIO, "notices: the kernel's tail %u leaves the ring of %u",
				       tail, context->info.notices);
	}
	context->notice_head++;
	/* (D) Our reads before the head. */
	__atomic_store_n(&context->notice_control->head, context->notice_head, __ATOMIC_RELEASE);
	return 1;
}

/**
 * torus_notice_waits() - is there something for torus_notice_take(), at a glance?
 * @context: the context, time is free
 *
 * Return: true if so.
 */
bool torus_notice_waits(const struct torus_context *context)
{
	const struct torus_status_notice *status = context->notice_status;

	return context->notices &&
	       (__atomic_load_n(&status->tail, __ATOMIC_RELAXED) != context->notice_head ||
		__atomic_load_n(&status->lost, __ATOMIC_RELAXED) != context->notices_lost);
}

/**
 * torus_inject_ended() - have all packets that were injected come to an end?
 * @context: the context
 *
 * A packet has ended when it is in the reception ring of the program that it was sent to,
 * or when it was lost: torus_notice_take() then tells why.  Packets that the kernel has
 * not taken yet, or refuses, do not count: see torus_inject_idle().
 *
 * Return: 1 if so, 0 if not, -EOPNOTSUPP from a kernel that does not tell, -ENODEV.
 */
int torus_inject_ended(struct torus_context *context)
{
	__u64 accepted = 0, completed;
	int ret = notice_check(context, TORUS_LOOK_ENDED);
	unsigned int i;

	if (ret)
		return ret;
	for (i = 0; i < context->info.inject_fifos; i++)
		accepted += __atomic_load_n(&context->inject[i].status->packets, __ATOMIC_ACQUIRE);
	/* (C) Notices of the packets that it counts are in their ring. */
	completed = __atomic_load_n(&context->notice_status->completed, __ATOMIC_ACQUIRE);
	/* (J) */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	if (completed >= accepted)
		return 1;
	torus_vtime_poll_failed(context, TORUS_LOOK_ENDED);
	/* The next sleep ends when they have. */
	__atomic_store_n(&context->notice_control->completed, accepted, __ATOMIC_RELAXED);
	return 0;
}

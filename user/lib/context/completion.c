// SPDX-License-Identifier: GPL-2.0
/*
 * Read how a context's packets ended: the kernel's notices of packets that did not arrive, and its
 * count of completed packets.  Barrier letters are those of <linux/torus.h>.
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
	return torus_error_set(-EOPNOTSUPP,
			       "this version of the kernel module does not report lost packets");
}

/**
 * torus_notice_take() - read the notice of the next packet that did not arrive
 * @context: the context
 * @notice: [out] packet and reason; see <linux/torus.h>
 *
 * A notice names a packet by its injection FIFO and the index of its first chunk there.  If the
 * notice ring has overflowed, a notice with the flag TORUS_NOTICE_ALL stands for the discarded
 * ones: any packet that was under way may be lost.
 *
 * Return: 1 and the notice, 0 when there is none, -EOPNOTSUPP (the kernel has no notices), -EIO,
 * -ENODEV; in virtual time also -EINTR or -EBUSY.
 */
int torus_notice_take(struct torus_context *context, struct torus_notice *notice)
{
	const struct torus_status_notice *status = context->notice_status;
	int ret = notice_check(context, TORUS_LOOK_NOTICE);
	uint32_t tail;
	__u64 lost;

	if (ret)
		return ret;
	/* (C) Load the tail before the notices that it covers. */
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
	/* (J) Check that the ring was still mapped to the fabric when the notice was copied. */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	if (tail == context->notice_head) {
		context->notices_lost = lost;
		return 1;
	}
	if (tail - context->notice_head > context->info.notices) {
		context->notice_head = tail;
		return torus_error_set(-EIO, "notices: the kernel's tail %u must be inside the "
				       "ring of %u",
				       tail, context->info.notices);
	}
	context->notice_head++;
	/* (D) Free the entry after reading it. */
	__atomic_store_n(&context->notice_control->head, context->notice_head, __ATOMIC_RELEASE);
	return 1;
}

/**
 * torus_notice_waits() - check quickly whether torus_notice_take() has a notice
 * @context: the context, not in virtual time
 *
 * Return: true if the ring has a notice, or notices were lost.
 */
bool torus_notice_waits(const struct torus_context *context)
{
	const struct torus_status_notice *status = context->notice_status;

	return context->notices &&
	       (__atomic_load_n(&status->tail, __ATOMIC_RELAXED) != context->notice_head ||
		__atomic_load_n(&status->lost, __ATOMIC_RELAXED) != context->notices_lost);
}

/**
 * torus_inject_ended() - check whether all injected packets have completed
 * @context: the context
 *
 * A packet has completed when it is in the reception ring of its destination, or when it is lost:
 * torus_notice_take() gives the reason.  Packets that the kernel has not taken yet, or rejects, do
 * not count: see torus_inject_idle().  Commands for RDMA engines do not complete: after one the
 * result stays 0.
 *
 * Return: 1 if all packets have completed, 0 if not, -EOPNOTSUPP (the kernel has no notices),
 * -ENODEV; in virtual time also -EINTR or -EBUSY.
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
	/* (C) Load the count before the notices of the packets that it counts. */
	completed = __atomic_load_n(&context->notice_status->completed, __ATOMIC_ACQUIRE);
	/* (J) */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	if (completed >= accepted)
		return 1;
	torus_vtime_poll_failed(context, TORUS_LOOK_ENDED);
	/* Ask the kernel to end the next poll(2) when all packets have completed. */
	__atomic_store_n(&context->notice_control->completed, accepted, __ATOMIC_RELAXED);
	return 0;
}

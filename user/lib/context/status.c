// SPDX-License-Identifier: GPL-2.0
/* Ticks and interrupts of the status page.  Barrier letters are those of <linux/torus.h>. */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "virtual_time.h"

/* In virtual time, wait until the status page shows the state at the program's clock. */
static int status_look(struct torus_context *context)
{
	if (torus_context_forked(context))
		return torus_error_dead(context);
	return torus_vtime_sync(context, TORUS_LOOK_STATUS);
}

/**
 * torus_inject_began() - read the tick at which an injection FIFO began to send its current packets
 * @context: the context
 * @fifo: injection FIFO, not TORUS_FIFO_ANY
 * @tick: [out] tick at which the modelled FIFO last became non-empty; 0: never
 *
 * Use this for measurements in ticks of the fabric's clock, together with torus_receive_arrived()
 * at the receiver.
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP (the kernel does not report ticks), -ENODEV; in virtual time also
 * -EINTR or -EBUSY.
 */
int torus_inject_began(struct torus_context *context, int fifo, __u64 *tick)
{
	int ret;

	if (fifo < 0 || (unsigned int)fifo >= context->info.inject_fifos)
		return torus_error_set(-EINVAL, "injection FIFO %d: must be 0 to %u in this group",
				       fifo, context->info.inject_fifos - 1);
	if (!(context->info.features & TORUS_FEATURE_TICKS))
		return torus_error_set(-EOPNOTSUPP,
				       "this version of the kernel module does not report the "
				       "ticks of FIFOs");
	ret = status_look(context);
	if (ret)
		return ret;
	*tick = __atomic_load_n(&context->inject[fifo].status->busy_since, __ATOMIC_ACQUIRE);
	/* (J) */
	return torus_context_dead(context) ? torus_error_dead(context) : 0;
}

/**
 * torus_receive_arrived() - read the tick at which the last packet arrived
 * @context: the context
 * @fifo: reception FIFO; TORUS_FIFO_ANY: the one with the last arrival
 * @tick: [out] the packet that was written into the ring last: tick at which its last byte arrived;
 *        0: no packet yet
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP (the kernel does not report ticks), -ENODEV; in virtual time also
 * -EINTR or -EBUSY.
 */
int torus_receive_arrived(struct torus_context *context, int fifo, __u64 *tick)
{
	int fifos = context->info.receive_fifos;
	unsigned int i;
	__u64 at;
	int ret;

	if (fifo != TORUS_FIFO_ANY && (fifo < 0 || fifo >= fifos))
		return torus_error_set(-EINVAL, "reception FIFO %d: must be 0 to %d in this group",
				       fifo, fifos - 1);
	if (!(context->info.features & TORUS_FEATURE_TICKS))
		return torus_error_set(-EOPNOTSUPP,
				       "this version of the kernel module does not report the "
				       "ticks of FIFOs");
	ret = status_look(context);
	if (ret)
		return ret;
	*tick = 0;
	for (i = 0; i < context->info.receive_fifos; i++) {
		if (fifo != TORUS_FIFO_ANY && i != (unsigned int)fifo)
			continue;
		at = __atomic_load_n(&context->receive[i].status->arrived, __ATOMIC_ACQUIRE);
		if (at > *tick)
			*tick = at;
	}
	/* (J) */
	return torus_context_dead(context) ? torus_error_dead(context) : 0;
}

/**
 * torus_interrupts_take() - read and acknowledge critical interrupts
 * @context: the context
 * @interrupts: [out] count and FIFOs of the interrupts; may be NULL
 *
 * The machine's watermark registers set the fill level that raises an interrupt.  Its mask
 * registers enable or disable the interrupts.  Until they are acknowledged, poll(2) on
 * torus_context_fd() reports POLLPRI.
 *
 * Return: 1 if there were interrupts, 0 if not, -ENODEV; in virtual time also -EINTR or -EBUSY.
 */
int torus_interrupts_take(struct torus_context *context, struct torus_interrupts *interrupts)
{
	const struct torus_ioc_info *info = &context->info;
	struct torus_interrupts found = { 0 };
	unsigned int i;
	uint32_t now;
	int ret = status_look(context);

	if (ret)
		return ret;
	for (i = 0; i < info->receive_fifos; i++) {
		struct torus_receive_fifo *fifo = &context->receive[i];

		now = __atomic_load_n(&fifo->status->interrupts, __ATOMIC_ACQUIRE);
		if (now == fifo->interrupts)
			continue;
		found.count += now - fifo->interrupts;
		found.receive |= 1u << i;
		fifo->interrupts = now;
		__atomic_store_n(&fifo->control->interrupts_seen, now, __ATOMIC_RELEASE);
	}
	for (i = 0; i < info->inject_fifos; i++) {
		struct torus_inject_fifo *fifo = &context->inject[i];

		now = __atomic_load_n(&fifo->status->interrupts, __ATOMIC_ACQUIRE);
		if (now == fifo->interrupts)
			continue;
		found.count += now - fifo->interrupts;
		found.inject |= 1u << i;
		fifo->interrupts = now;
		__atomic_store_n(&fifo->control->interrupts_seen, now, __ATOMIC_RELEASE);
	}
	/* (J) */
	if (torus_context_dead(context))
		return torus_error_dead(context);
	if (interrupts)
		*interrupts = found;
	return found.count != 0;
}

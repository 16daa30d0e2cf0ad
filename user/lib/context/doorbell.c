// SPDX-License-Identifier: GPL-2.0
/* Calls of an attached context into the device: ring the doorbell, and sleep. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <torus/torus.h>
#include "context.h"
#include "doorbell.h"
#include "error.h"

/*
 * Least time-out for TORUS_IOC_WAIT.  Shorter sleeps use poll(2), whose timer is finer than the
 * kernel's ticks.
 */
#define WAIT_FROM_MS	200

/**
 * torus_device_doorbell() - ring the doorbell, which wakes the engine
 * @context: the context
 *
 * Return: 0, -ENODEV, or another negative errno of the kernel.
 */
int torus_device_doorbell(struct torus_context *context)
{
	if (!ioctl(context->fd, TORUS_IOC_DOORBELL) || errno == EINTR)
		return 0;
	if (errno == ENODEV)
		return torus_error_dead(context);
	return torus_error_set(-errno, "doorbell: %s", strerror(errno));
}

/* Sleep with TORUS_IOC_WAIT, which is faster than poll(2). */
static int device_wait(struct torus_context *context, short events, int timeout_ms)
{
	struct torus_ioc_wait ask = { .events = events, .timeout_ms = timeout_ms };
	int ret = ioctl(context->fd, TORUS_IOC_WAIT, &ask);

	if (ret >= 0)
		return ret;
	if (errno == ENODEV)
		return POLLHUP;
	if (errno == EINTR)
		return torus_error_plain(-EINTR, TORUS_SAY_SIGNAL);
	if (errno == EIO)
		return torus_error_set(-EIO,
				       "wait: the fabric has stopped because it is out of memory");
	return torus_error_set(-errno, "wait: %s", strerror(errno));
}

/**
 * torus_device_poll() - sleep until an event occurs
 * @context: the context
 * @events: POLLIN, POLLOUT or both
 * @timeout_ms: as in poll(2)
 *
 * Return: the events, 0 after a time-out, -EINTR, or another negative errno of the kernel.
 */
int torus_device_poll(struct torus_context *context, short events, int timeout_ms)
{
	struct pollfd fd = { .fd = context->fd, .events = events };
	int ret;

	if (context->info.features & TORUS_FEATURE_WAIT &&
	    (timeout_ms < 0 || timeout_ms >= WAIT_FROM_MS))
		return device_wait(context, events, timeout_ms);
	ret = poll(&fd, 1, timeout_ms);
	if (ret < 0)
		return errno == EINTR ? torus_error_plain(-EINTR, TORUS_SAY_SIGNAL) :
		       torus_error_set(-errno, "poll: %s", strerror(errno));
	if (ret && (fd.revents & (POLLERR | POLLHUP)) == POLLERR)
		return torus_error_set(-EIO,
				       "wait: the fabric has stopped because it is out of memory");
	return ret ? fd.revents : 0;
}

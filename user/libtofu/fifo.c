// SPDX-License-Identifier: GPL-2.0
/*
 * The FIFO group through which this process exchanges records with engines. libtorus attaches to
 * the group.
 *
 * In virtual time these calls may wait for other programs.  A signal does not end a call of uTofu:
 * the wait continues.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <torus/torus.h>

#include "../lib/context/context.h"
#include "../lib/context/error.h"
#include "../lib/context/virtual_time.h"
#include "fifo.h"

static struct torus_context *attached;

/**
 * tofu_fifo_open - attach to the FIFO group, if that is not done yet
 * @fabric: name of the fabric
 * @node: number of the node
 * @group: number of the FIFO group
 *
 * Return: 0 or a negative errno.
 */
int tofu_fifo_open(const char *fabric, uint32_t node, uint32_t group)
{
	const struct torus_attach_config config = {
		.group = group, .inject_chunks = 1024, .receive_chunks = 4096,
	};
	int ret;

	if (attached)
		return 0;
	do
		ret = torus_context_attach(&attached, fabric, node, &config);
	while (ret == -EINTR);
	return ret;
}

/**
 * tofu_fifo_call - send a request to the kernel
 * @request: TORUS_IOC_*
 * @argument: [in, out] argument of the request
 *
 * Return: 0 or a negative errno.
 */
int tofu_fifo_call(unsigned long request, void *argument)
{
	return ioctl(torus_context_fd(attached), request, argument) < 0 ? -errno : 0;
}

/**
 * tofu_fifo_post - post a record for an engine
 * @fifo: injection FIFO that leads to the engine
 * @packet: the record
 * @chunks: length of the record
 *
 * Return: 0, -EAGAIN while the ring is full, or another negative errno.
 */
int tofu_fifo_post(uint32_t fifo, const void *packet, uint32_t chunks)
{
	int ret;

	do
		ret = torus_inject_raw(attached, (int)fifo, packet, chunks);
	while (ret == -EINTR);
	return ret;
}

/**
 * tofu_fifo_refused - check whether the kernel has rejected records since the last call
 *
 * Return: 0, -ECOMM if records were rejected, or another negative errno.
 */
int tofu_fifo_refused(void)
{
	struct torus_refusal refusal;
	int ret;

	do
		ret = torus_inject_refused(attached, &refusal);
	while (ret == -EINTR);
	return ret <= 0 ? ret :
	       torus_error_set(-ECOMM, "%llu operations were rejected, the last by TNI %u: %s",
			       refusal.packets, refusal.fifo, torus_error_refuse(refusal.code));
}

/**
 * tofu_fifo_report_clock - report the process's clock, so that posted records enter the network
 *
 * Without this call, in virtual time, the kernel receives the clock only with the next poll or
 * post, and the posted records wait until then.
 */
void tofu_fifo_report_clock(void)
{
	if (attached)
		torus_compute(attached, 0);
}

/**
 * tofu_fifo_take - take a record of an engine
 * @fifo: reception FIFO of the engine
 * @packet: [out] the record
 * @bytes: length of a record; packets of another length are no records, and are discarded
 *
 * Return: 0, -EAGAIN when there is none, or another negative errno.
 */
int tofu_fifo_take(uint32_t fifo, void *packet, uint32_t bytes)
{
	struct torus_view view;
	int ret;

	for (;;) {
		do
			ret = torus_receive_peek(attached, (int)fifo, &view);
		while (ret == -EINTR);
		if (ret)
			return ret;
		if (view.bytes == bytes) {
			torus_view_copy(&view, 0, packet, bytes);
			return torus_receive_advance(attached, &view);
		}
		ret = torus_receive_advance(attached, &view);
		if (ret)
			return ret;
	}
}

/**
 * tofu_fifo_clock - in virtual time, wait until the fabric's time equals this process's clock
 * @vain: the last poll of a gate found nothing.  If the process has done nothing else since, its
 *        clock advances by the cost of a poll without result
 *
 * The caller starts or polls a gate, or registers memory, directly after this call, so that this
 * happens at the tick of the process's clock.  The function does nothing without virtual time.  It
 * also does nothing before the process has attached to a FIFO group, because then the process has
 * no clock.
 *
 * Return: 0 or a negative errno.
 */
int tofu_fifo_clock(bool vain)
{
	int ret;

	/*
	 * at clock 0 the fabric's time equals the clock already; a wait would not end before all
	 * programs have started
	 */
	if (!attached || (!vain && !torus_context_clock(attached)))
		return 0;
	if (vain)
		torus_vtime_poll_failed(attached, TORUS_LOOK_GATE);
	do
		ret = torus_vtime_sync(attached, TORUS_LOOK_GATE);
	while (ret == -EINTR);
	return ret;
}

/**
 * tofu_fifo_error - get the reason why the last call of libtorus failed, not of tofu_fifo_call()
 *
 * Return: one line.
 */
const char *tofu_fifo_error(void)
{
	return torus_error_text();
}

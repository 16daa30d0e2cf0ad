// SPDX-License-Identifier: GPL-2.0
/*
 * The FIFO group through which this process reaches engines, by libtorus.
 *
 * In virtual time any of these calls may wait for other programs.  No call of utofu ends by a
 * signal: such a wait goes on.
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
 * tofu_fifo_open - take the FIFO group, once
 * @fabric: name of the fabric
 * @node: number of the node
 * @group: FIFO group
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
 * tofu_fifo_call - ask the kernel
 * @request: TORUS_IOC_*
 * @argument: its argument
 *
 * Return: 0 or a negative errno.
 */
int tofu_fifo_call(unsigned long request, void *argument)
{
	return ioctl(torus_context_fd(attached), request, argument) < 0 ? -errno : 0;
}

/**
 * tofu_fifo_post - a record for an engine
 * @fifo: the FIFO that leads to it
 * @packet: the record
 * @chunks: its length
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
 * tofu_fifo_refused - has the kernel refused records since this was last asked?
 *
 * Return: 0, -ECOMM if so, or another negative errno.
 */
int tofu_fifo_refused(void)
{
	struct torus_refusal refusal;
	int ret;

	do
		ret = torus_inject_refused(attached, &refusal);
	while (ret == -EINTR);
	return ret <= 0 ? ret :
	       torus_error_set(-ECOMM, "operations refused: %llu, the last by TNI %u: %s",
			       refusal.packets, refusal.fifo, torus_error_refuse(refusal.code));
}

/**
 * tofu_fifo_report_clock - in virtual time: what was posted enters the network
 *
 * Without it the kernel knows the clock of a post only when the process looks next, or posts again.
 */
void tofu_fifo_report_clock(void)
{
	if (attached)
		torus_compute(attached, 0);
}

/**
 * tofu_fifo_take - a record of an engine
 * @fifo: its FIFO
 * @packet: gets the record
 * @bytes: its length; what is of another is no engine's, and dropped
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
 * tofu_fifo_clock - in virtual time: the fabric comes to this process's clock
 * @vain: the process has polled a gate in vain before: if it has done nothing since, its clock
 *        moves by what a look in vain costs
 *
 * Right behind this call the fabric stands at the clock, so that a gate which starts or is polled
 * then does so at that tick, and memory comes or goes.  Where time is free, and in a process that
 * has not taken a FIFO group and so has no clock, nothing happens.
 *
 * Return: 0 or a negative errno.
 */
int tofu_fifo_clock(bool vain)
{
	int ret;

	/* at clock 0 it stands there already, and a wait would be for programs still to come */
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
 * tofu_fifo_error - why the last of these calls failed
 *
 * Return: one line.
 */
const char *tofu_fifo_error(void)
{
	return torus_error_text();
}

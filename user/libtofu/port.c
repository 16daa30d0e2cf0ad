// SPDX-License-Identifier: GPL-2.0
/* The FIFO group through which this process reaches engines, by libtorus. */
#include <errno.h>
#include <sys/ioctl.h>
#include <torus/torus.h>

#include "../lib/context.h"
#include "port.h"

static struct torus_context *port;

/**
 * tofu_port_open - take the FIFO group, once
 * @fabric: name of the fabric
 * @node: number of the node
 * @group: FIFO group
 *
 * Return: 0 or a negative errno.
 */
int tofu_port_open(const char *fabric, uint32_t node, uint32_t group)
{
	const struct torus_attach_config config = {
		.group = group, .inject_chunks = 1024, .receive_chunks = 4096,
	};

	return port ? 0 : torus_context_attach(&port, fabric, node, &config);
}

/**
 * tofu_port_call - ask the kernel
 * @request: TORUS_IOC_*
 * @argument: its argument
 *
 * Return: 0 or a negative errno.
 */
int tofu_port_call(unsigned long request, void *argument)
{
	return ioctl(torus_context_fd(port), request, argument) < 0 ? -errno : 0;
}

/**
 * tofu_port_post - a record for an engine
 * @fifo: the FIFO that leads to it
 * @packet: the record
 * @chunks: its length
 *
 * Return: 0, -EAGAIN while the ring is full, or another negative errno.
 */
int tofu_port_post(uint32_t fifo, const void *packet, uint32_t chunks)
{
	return torus_inject_raw(port, (int)fifo, packet, chunks);
}

/**
 * tofu_port_take - a record of an engine
 * @fifo: its FIFO
 * @packet: gets the record
 * @bytes: its length; what is of another is no engine's, and dropped
 *
 * Return: 0, -EAGAIN when there is none, or another negative errno.
 */
int tofu_port_take(uint32_t fifo, void *packet, uint32_t bytes)
{
	struct torus_view view;
	int ret;

	for (;;) {
		ret = torus_receive_peek(port, (int)fifo, &view);
		if (ret)
			return ret;
		if (view.bytes == bytes) {
			torus_view_copy(&view, 0, packet, bytes);
			return torus_receive_advance(port, &view);
		}
		ret = torus_receive_advance(port, &view);
		if (ret)
			return ret;
	}
}

/**
 * tofu_port_clock - in virtual time: the fabric comes to this process's clock
 * @vain: the process has polled a gate in vain before: if it has done nothing since, its clock
 *        moves by what a look in vain costs
 *
 * Right behind this call the fabric stands at the clock, so that a gate which starts or is polled
 * then does so at that tick, and memory comes or goes.  Where time is free, and in a process that
 * has not taken a FIFO group and so has no clock, nothing happens.
 *
 * Return: 0 or a negative errno.
 */
int tofu_port_clock(bool vain)
{
	int ret;

	/* at clock 0 it stands there already, and a wait would be for programs still to come */
	if (!port || (!vain && !torus_context_clock(port)))
		return 0;
	if (vain)
		torus_clock_vain(port, TORUS_LOOK_GATE);
	/* no call of this interface ends by a signal */
	do
		ret = torus_clock_sync(port, TORUS_LOOK_GATE);
	while (ret == -EINTR);
	return ret;
}

/**
 * tofu_port_error - why the last of these calls failed
 *
 * Return: one line.
 */
const char *tofu_port_error(void)
{
	return torus_error_text();
}

// SPDX-License-Identifier: GPL-2.0
/*
 * A packet's header, in words that every machine understands.
 */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "packet.h"

/**
 * torus_packet_header() - write a packet's header as the machine wants it
 * @context: the context
 * @header: out: info.header_bytes
 * @packet: what it says
 *
 * Return: 0, -ERANGE when the header cannot say it, -EOPNOTSUPP when the machine lacks it.
 */
int torus_packet_header(const struct torus_context *context, void *header,
			const struct torus_machine_packet *packet)
{
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = context->machine->build(header, packet, why, sizeof(why));

	return ret ? torus_error_set(ret, "packet header: %s", why) : 0;
}

/**
 * torus_packet_chunks() - the length that a packet's header gives
 * @context: the context
 * @header: the machine's header
 *
 * Return: chunks.
 */
unsigned int torus_packet_chunks(const struct torus_context *context, const void *header)
{
	return context->machine->chunks(header);
}

/**
 * torus_route_known() - is it a way to travel?
 * @route: enum torus_route, of a caller
 *
 * Return: 0, -EINVAL.
 */
int torus_route_known(int route)
{
	if (route >= TORUS_ROUTE_DYNAMIC && route <= TORUS_ROUTE_SECOND)
		return 0;
	return torus_error_set(-EINVAL, "route %d: there is no such", route);
}

/**
 * torus_packet_begin() - write the header of a packet to a node
 * @context: the context
 * @packet: out: info.header_bytes at the start of the packet
 * @bytes: length of the packet, header included: whole chunks of info.chunk_bytes, at
 *         most info.packet_chunks_max
 * @node: number of the destination
 * @group: FIFO group there
 * @route: how it travels; one of the second class goes by an injection FIFO of that class
 *
 * The program's bytes follow the header.  The hardware chooses the directions.
 *
 * Return: info.header_bytes; -EINVAL (length; @route: there is no such), -ERANGE (no such
 * node, or the machine's header cannot say it), -EOPNOTSUPP (@route: the machine has no
 * such), -ENODEV.
 */
int torus_packet_begin(struct torus_context *context, void *packet, size_t bytes, __u32 node,
		       __u32 group, enum torus_route route)
{
	const struct torus_ioc_info *info = &context->info;
	__u32 coords[TORUS_DIMS_MAX] = { 0 };
	const struct torus_machine_packet fields = {
		.dest = coords, .node = node, .group = group, .chunks = bytes / info->chunk_bytes,
		.route = route,
	};
	int ret;

	if (!fields.chunks || bytes % info->chunk_bytes || fields.chunks > info->packet_chunks_max)
		return torus_error_set(-EINVAL,
				       "packet of %zu bytes: it must be 1 to %u chunks of %u bytes",
				       bytes, info->packet_chunks_max, info->chunk_bytes);
	ret = torus_route_known(route);
	if (!ret)
		ret = torus_node_coords(context, node, coords);
	if (ret)
		return ret;
	ret = torus_packet_header(context, packet, &fields);
	return ret ? ret : (int)info->header_bytes;
}

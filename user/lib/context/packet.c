// SPDX-License-Identifier: GPL-2.0
/* Write and read packet headers in a form that is common to all machines. */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "packet.h"

/**
 * torus_packet_header() - write a packet's header in the machine's format
 * @context: the context
 * @header: [out] info.header_bytes bytes
 * @packet: content of the header
 *
 * Return: 0, -ERANGE (a value does not fit into the header), -EOPNOTSUPP (the machine lacks a
 * feature).
 */
int torus_packet_header(const struct torus_context *context, void *header,
			const struct torus_machine_packet *packet)
{
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = context->machine->build(header, packet, why, sizeof(why));

	return ret ? torus_error_set(ret, "packet header: %s", why) : 0;
}

/**
 * torus_packet_chunks() - read the length of a packet from its header
 * @context: the context
 * @header: header in the machine's format
 *
 * Return: chunks.
 */
unsigned int torus_packet_chunks(const struct torus_context *context, const void *header)
{
	return context->machine->chunks(header);
}

/**
 * torus_route_known() - validate a route that a caller passed
 * @route: enum torus_route
 *
 * Return: 0, -EINVAL.
 */
int torus_route_known(int route)
{
	if (route >= TORUS_ROUTE_DYNAMIC && route <= TORUS_ROUTE_SECOND)
		return 0;
	return torus_error_set(-EINVAL, "route %d: is not a known route", route);
}

/**
 * torus_packet_begin() - write the header of a packet to a node
 * @context: the context
 * @packet: [out] info.header_bytes bytes at the start of the packet
 * @bytes: length of the packet with its header: a multiple of info.chunk_bytes, at most
 *         info.packet_chunks_max chunks
 * @node: number of the destination
 * @group: FIFO group of the destination
 * @route: routing class; packets of the second class need an injection FIFO of that class
 *
 * The caller appends the payload.  The hardware selects the directions in which the packet travels.
 *
 * Return: info.header_bytes; -EINVAL (length; unknown @route), -ERANGE (no such node, or a value
 * does not fit into the header), -EOPNOTSUPP (the machine does not have @route), -ENODEV.
 */
int torus_packet_begin(struct torus_context *context, void *packet, size_t bytes, uint32_t node,
		       uint32_t group, enum torus_route route)
{
	const struct torus_ioc_info *info = &context->info;
	uint32_t coords[TORUS_DIMS_MAX] = { 0 };
	const struct torus_machine_packet fields = {
		.dest = coords, .node = node, .group = group, .chunks = bytes / info->chunk_bytes,
		.route = route,
	};
	int ret;

	if (!fields.chunks || bytes % info->chunk_bytes || fields.chunks > info->packet_chunks_max)
		return torus_error_set(-EINVAL,
				       "packet of %zu bytes: must be 1 to %u chunks of %u bytes",
				       bytes, info->packet_chunks_max, info->chunk_bytes);
	ret = torus_route_known(route);
	if (!ret)
		ret = torus_node_coords(context, node, coords);
	if (ret)
		return ret;
	ret = torus_packet_header(context, packet, &fields);
	return ret ? ret : (int)info->header_bytes;
}

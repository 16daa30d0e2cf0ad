// SPDX-License-Identifier: GPL-2.0
/* Packets of software: validated, built, and read back from the wire. */
#include "core/base/crc.h"
#include "core/base/node_number.h"
#include "core/workload/workload.h"
#include "header.h"
#include "inject.h"
#include "table.h"

/**
 * xt_size() - read the number of flits of a packet
 * @bytes: its header flit
 *
 * "At least 9 entries deep to cover the maximum packet size" (2.1, footnote 1).
 *
 * Return: 1..9, or 0 if the header has an illegal size.
 */
u32 xt_size(const u8 *bytes)
{
	struct xt_header h;

	xt_header_unpack(&h, bytes);
	return h.flits <= XT_PACKET_FLITS ? h.flits : 0;
}

static void xt_take_fields(struct torus_packet *packet, const struct xt_header *h)
{
	struct xt_fields *fields = xt_fields(packet);

	packet->group = h->group;
	fields->nid = h->nid;
	fields->class = h->vc / 2;
	fields->sw = h->sw;
}

/**
 * xt_check() - validate a program's packet
 * @f: the fabric
 * @node: the node at which it is injected
 * @group: the FIFO group that injects it
 * @fifo: injection FIFO: 0 for the first class, 1 for the second
 * @priority: right to inject priority packets; ignored, because the machine has none
 * @bytes: the packet, in the kernel's copy
 * @packet: [out] the packet
 *
 * Return: TORUS_REFUSE_NONE, or the reason for rejecting it.
 */
u32 xt_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	     const u8 *bytes, struct torus_packet *packet)
{
	const struct xt_machine *m = f->machine;
	struct xt_header h;
	u32 dst;

	xt_header_unpack(&h, bytes);
	if (h.flits > XT_PACKET_FLITS || h.tail != (h.flits == 1))
		return TORUS_REFUSE_SIZE;
	if (h.vc != 2 * fifo || h.reserved)
		return TORUS_REFUSE_VC;
	dst = torus_node_index(&f->cfg.geo, h.nid);
	if (dst == TORUS_NONE)
		return TORUS_REFUSE_DESTINATION;
	if (!m->routes)
		return TORUS_REFUSE_NO_TABLE;
	memset(packet, 0, sizeof(*packet));
	packet->src = node;
	packet->dst = dst;
	packet->chunks = h.flits;
	xt_take_fields(packet, &h);
	return TORUS_REFUSE_NONE;
}

/**
 * xt_make() - make the header of a synthetic packet
 * @f: the fabric
 * @packet: [in, out] the packet, with source and destination set
 * @chunks: flits, 1..9
 */
void xt_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	struct xt_fields *fields = xt_fields(packet);

	memset(fields, 0, sizeof(*fields));
	fields->nid = (u16)torus_node_number(&f->cfg.geo, packet->dst);
	fields->class = torus_workload_class(f);
	packet->chunks = (u8)chunks;
}

/**
 * xt_inject_route() - prepare a packet that enters an injection FIFO
 * @f: the fabric
 * @node: the node
 * @packet: the packet
 *
 * Does nothing: the table of the processor's input routes the packet at the FIFO's head, and its
 * age counts from that tick on.
 *
 * Return: TORUS_REFUSE_NONE.
 */
u32 xt_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	return TORUS_REFUSE_NONE;
}

/**
 * xt_stays_in_partition() - check whether the tables keep a packet in its node's partition
 * @f: the fabric, which has partitions and tables
 * @node: the node at which it is injected
 * @packet: the packet
 *
 * Follows the current tables from router to router as xt_route() does, and stops at a router whose
 * table would drop the packet. Drops at a dateline are not considered.
 *
 * Return: true if the packet reaches no node of another partition.
 */
bool xt_stays_in_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct xt_fields *fields = (const struct xt_fields *)packet->header;
	const struct xt_machine *m = f->machine;
	u32 at = node, port = XT_PROCESSOR, out, hops;

	for (hops = 0; packet->dst != node && hops <= f->hop_limit; hops++) {
		out = xt_table_entry(m->routes, at, port, fields->nid) & TORUS_XT_PORT;
		if (out >= XT_DIRS || out == port)
			return true;
		at = torus_geometry_neighbor(&f->cfg.geo, at, out);
		if (at == TORUS_NONE)
			return true;
		if (f->partition[at] != f->partition[node])
			return false;
		port = TORUS_REVERSE(out);
	}
	return true;
}

/**
 * xt_loop() - route a packet to its own node, which passes only through the NIC
 * @f: the fabric
 * @node: the node
 * @packet: the packet
 * @ticks: [out] ticks until its last byte has arrived
 *
 * Return: its reception FIFO.
 */
u32 xt_loop(struct torus_fabric *f, u32 node, const struct torus_packet *packet, u32 *ticks)
{
	*ticks = packet->chunks * XT_FLIT_TICKS;
	return ((const struct xt_fields *)packet->header)->class;
}

/**
 * xt_image() - build a packet's header flit for the wire
 * @packet: the packet
 * @seq: sequence number on the link; the header has its low 8 bits
 * @bytes: [out] 8 bytes
 */
void xt_image(const struct torus_packet *packet, u32 seq, u8 *bytes)
{
	const struct xt_fields *fields = (const struct xt_fields *)packet->header;
	struct xt_header h = {
		.nid = fields->nid,
		.age = fields->age,
		.vc = (u8)(2 * fields->class),
		.tail = packet->chunks == 1,
		.group = packet->group,
		.flits = packet->chunks,
		.sw = fields->sw,
	};

	xt_header_pack(&h, bytes);
	xt_header_seal(bytes, (u8)seq);
}

/**
 * xt_adopt() - replace a packet's fields by those of a received header with correct CRCs
 * @f: the fabric
 * @bytes: 8 bytes
 * @packet: [in, out] the packet
 *
 * Return: false if the destination is invalid, or if size or class differ from those for which the
 * packet reserved buffer space.
 */
bool xt_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	struct xt_header h;
	u32 dst;

	xt_header_unpack(&h, bytes);
	dst = torus_node_index(&f->cfg.geo, h.nid);
	if (dst == TORUS_NONE || h.flits != packet->chunks ||
	    h.vc != 2 * xt_fields(packet)->class)
		return false;
	packet->dst = dst;
	xt_take_fields(packet, &h);
	xt_fields(packet)->age = h.age;
	return true;
}

/**
 * xt_packet_crc() - compute the CRC-16 of a packet
 * @bytes: header and data
 * @len: number of bytes
 *
 * Return: the CRC.
 */
u32 xt_packet_crc(const u8 *bytes, u32 len)
{
	return torus_crc16(TORUS_CRC16_INIT, bytes, len);
}

/**
 * xt_sane() - check that a packet may be in a node's buffers
 * @f: the fabric
 * @node: the node
 * @packet: the packet
 *
 * Return: true if its destination is within the tables and its class exists.
 */
bool xt_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct xt_fields *fields = (const struct xt_fields *)packet->header;

	return fields->nid < XT_NIDS && fields->class < XT_CLASSES;
}

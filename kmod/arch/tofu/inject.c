// SPDX-License-Identifier: GPL-2.0
/* Validate and build packets of software, give them a path, and read them back from the wire. */
#include "arch/tofu/inject.h"
#include "core/base/crc.h"
#include "arch/tofu/header.h"
#include "arch/tofu/path.h"

/* Return the chunks of a packet (1..64) from its header; every header names a valid size. */
u32 tofu_size(const u8 *bytes)
{
	struct tofu_header h;

	tofu_header_unpack(&h, bytes);
	return h.chunks;
}

static void tofu_take_dest(struct tofu_fields *fields, const u32 *dest)
{
	u32 axis;

	for (axis = 0; axis < TOFU_GROUP_AXES; axis++)
		fields->group[axis] = (u8)dest[axis];
	fields->slot = (u8)tofu_slot(dest);
}

/* Copy a header's fields to a packet. Return false if the node, path or FIFO does not exist. */
static bool tofu_take_fields(struct torus_fabric *f, struct torus_packet *packet,
			     const struct tofu_header *h)
{
	struct tofu_fields *fields = tofu_fields(packet);
	u32 dst = torus_geometry_node(&f->cfg.geo, h->dest);

	if (dst == TORUS_NONE ||
	    (h->fifo >= TORUS_TOFU_FIFOS && h->fifo != TORUS_TOFU_FIFO_ANY &&
	     h->fifo != TORUS_TOFU_FIFO_GATE) ||
	    (h->path >= TOFU_PATHS && h->path < TORUS_TOFU_PATH_APART))
		return false;
	packet->dst = dst;
	packet->group = h->group;
	tofu_take_dest(fields, h->dest);
	fields->path = h->path;
	fields->fifo = h->fifo;
	fields->sw = h->sw;
	return true;
}

/*
 * Validate a program's packet.
 *
 * @node: source of the packet
 * @group: FIFO group that injects it
 * @fifo: injection FIFO, of any engine
 * @priority: whether the program may inject priority packets; unused, Tofu has none
 * @bytes: the packet, copied from the program's memory
 * @packet: [out] the packet
 *
 * Return: TORUS_REFUSE_NONE, or the reason of a rejection.
 */
u32 tofu_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	       const u8 *bytes, struct torus_packet *packet)
{
	struct tofu_header h;

	tofu_header_unpack(&h, bytes);
	if (torus_geometry_node(&f->cfg.geo, h.dest) == TORUS_NONE)
		return TORUS_REFUSE_DESTINATION;
	memset(packet, 0, sizeof(*packet));
	packet->src = node;
	packet->chunks = h.chunks;
	/* programs' packets may not go to gates; only gates send such packets */
	if (h.reserved || h.fifo == TORUS_TOFU_FIFO_GATE || !tofu_take_fields(f, packet, &h))
		return TORUS_REFUSE_PATH;
	return TORUS_REFUSE_NONE;
}

/*
 * Fill in the header of a synthetic packet.
 *
 * @packet: the packet; source and destination are set
 * @chunks: 1..64
 *
 * The packet's path follows the fabric's policy. Packets are distributed over the destination's
 * engines round-robin.
 */
void tofu_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	struct tofu_fields *fields = tofu_fields(packet);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 groups = g->stride[TOFU_A], group = packet->dst % groups;

	/*
	 * an index counts the groups first, so index / groups is the node's position in its group
	 */
	fields->slot = (u8)(packet->dst / groups);
	fields->group[TOFU_Z] = (u8)(group / g->stride[TOFU_Z]);
	group %= g->stride[TOFU_Z];
	fields->group[TOFU_Y] = (u8)(group / g->stride[TOFU_Y]);
	fields->group[TOFU_X] = (u8)(group % g->stride[TOFU_Y]);
	fields->path = TORUS_TOFU_PATH_ANY;
	fields->fifo = TORUS_TOFU_FIFO_ANY;
	fields->spare = 0;
	fields->sw = 0;
	packet->chunks = (u8)chunks;
}

/*
 * Return the path of a packet while nodes are dead.
 *
 * @f: the fabric, with a node that is or was dead
 * @node: the packet's source
 * @dest: the packet's destination
 * @path: path of the packet if no node is dead
 * @any: another path is permitted
 *
 * Return: @path if it avoids all dead nodes. Otherwise, with @any, the path of tofu_path_choose().
 * TORUS_NONE without @any, or if all paths meet dead nodes.
 */
u32 tofu_path_around(const struct torus_fabric *f, u32 node, u32 dest, u32 path, bool any)
{
	const struct tofu_machine *m = f->machine;
	u32 at[TORUS_DIMS_MAX], order;

	torus_geometry_coords(m->geo, node, at);
	order = tofu_order_at(m, at);
	if (tofu_path_clean(m->geo, f->dead, node, dest, path, order))
		return path;
	return any ? tofu_path_choose(m->geo, f->dead, node, dest, order) : TORUS_NONE;
}

/*
 * Complete the route of a packet that enters an injection FIFO.
 *
 * A packet that names no path or reception FIFO is assigned one. Its source determines the
 * order of x, y and z. While nodes are dead it gets a path around them.
 *
 * Return: TORUS_REFUSE_NONE.
 * TORUS_REFUSE_UNREACHABLE: its path, or every permitted path, meets a dead node; the packet
 * then has the path that it would use without dead nodes.
 */
u32 tofu_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	const struct tofu_machine *m = f->machine;
	struct tofu_fields *fields = tofu_fields(packet);
	bool user = packet->flags & TORUS_PACKET_USER;
	u32 turn = user ? packet->seq / TORUS_TOFU_GROUPS : packet->seq;
	bool any = fields->path >= TORUS_TOFU_PATH_APART;
	u32 at[TORUS_DIMS_MAX], dest[TORUS_DIMS_MAX], path;

	at[TOFU_Z] = node / m->geo->stride[TOFU_Z] % m->geo->dims[TOFU_Z];
	fields->order = tofu_order_at(m, at);
	if (fields->fifo == TORUS_TOFU_FIFO_ANY)
		fields->fifo = (u8)(turn % m->tnis);
	if (fields->path == TORUS_TOFU_PATH_APART) {
		torus_geometry_coords(m->geo, node, at);
		torus_geometry_coords(m->geo, packet->dst, dest);
		fields->path = (u8)tofu_path_apart(at, dest, fields->fifo);
	} else if (any) {
		bool fixed = fields->path == TORUS_TOFU_PATH_FIXED || m->policy == TOFU_FIXED;

		/* the relay of the fixed path has the destination's position in its group */
		path = fixed ? fields->slot :
		       tofu_path_of(m->geo, m->policy, node, packet->dst);
		fields->path = (u8)(path == TORUS_NONE ? turn % TOFU_PATHS : path);
	}
	if (torus_likely(!f->dead) || packet->dst == node)
		return TORUS_REFUSE_NONE;
	path = tofu_path_around(f, node, packet->dst, fields->path, any);
	if (path == TORUS_NONE)
		return TORUS_REFUSE_UNREACHABLE;
	fields->path = (u8)path;
	return TORUS_REFUSE_NONE;
}

/*
 * Check that a path stays in its source's partition, if key `isolate` requires it.
 *
 * @node: first node of the path
 * @dest: last node of the path
 *
 * Return: true if the path stays, or if partitions are not isolated.
 */
bool tofu_path_stays_in_partition(const struct torus_fabric *f, u32 node, u32 dest, u32 path)
{
	const struct tofu_machine *m = f->machine;
	struct tofu_path_iter walk;
	u32 at[TORUS_DIMS_MAX];

	if (torus_likely(!f->isolate) || !f->partition || node == dest)
		return true;
	torus_geometry_coords(m->geo, node, at);
	tofu_path_iter_init(&walk, m->geo, node, dest, path, tofu_order_at(m, at));
	while (tofu_path_iter_next(&walk))
		if (f->partition[walk.node] != f->partition[node])
			return false;
	return true;
}

/*
 * Check that a program's packet stays in its node's partition.
 *
 * @f: the fabric, which has partitions
 * @node: source of the packet
 * @packet: the packet; its path is set
 */
bool tofu_stays_in_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct tofu_fields *fields = (const struct tofu_fields *)packet->header;

	return tofu_path_stays_in_partition(f, node, packet->dst, fields->path);
}

/*
 * Route a packet to the own node, which passes only through the NIC.
 *
 * @ticks: [out] ticks until its last byte has arrived
 *
 * Return: the packet's reception FIFO.
 */
u32 tofu_loop(struct torus_fabric *f, u32 node, const struct torus_packet *packet, u32 *ticks)
{
	*ticks = packet->chunks * TOFU_CHUNK_TICKS;
	return ((const struct tofu_fields *)packet->header)->fifo;
}

/*
 * Serialize the header as it is on the wire.
 *
 * @seq: sequence number on the link; the header contains its low 16 bits
 * @bytes: [out] 16 bytes
 */
void tofu_image(const struct torus_packet *packet, u32 seq, u8 *bytes)
{
	const struct tofu_fields *fields = (const struct tofu_fields *)packet->header;
	struct tofu_header h = {
		.dest = { fields->group[TOFU_X], fields->group[TOFU_Y], fields->group[TOFU_Z] },
		.fifo = fields->fifo,
		.group = packet->group,
		.path = fields->path,
		.order = fields->order,
		.chunks = packet->chunks,
		.sw = fields->sw,
	};

	tofu_slot_coords(fields->slot, h.dest);
	tofu_header_pack(&h, bytes);
	tofu_header_seal(bytes, (u16)seq);
}

/*
 * Copy a received header with correct CRCs to its packet. The header may differ from the header
 * sent, because the CRCs do not detect all errors.
 *
 * @bytes: 16 bytes
 * @packet: the packet, as it was sent
 *
 * Return: false if a field is invalid, or if size or order differ from those for which buffers
 * were reserved.
 */
bool tofu_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	struct tofu_header h;

	tofu_header_unpack(&h, bytes);
	return h.chunks == packet->chunks && h.order == tofu_fields(packet)->order &&
	       h.path < TOFU_PATHS && h.fifo != TORUS_TOFU_FIFO_ANY &&
	       tofu_take_fields(f, packet, &h);
}

/*
 * Return the CRC-32C of a packet.
 *
 * @bytes: header and data
 * @len: number of @bytes
 *
 * The header's last word is skipped, because it holds the CRC itself.
 */
u32 tofu_packet_crc(const u8 *bytes, u32 len)
{
	u32 state = torus_crc32c_update(TORUS_CRC32_INIT, bytes, TORUS_TOFU_CRC_AT);

	return torus_crc32_value(torus_crc32c_update(state, bytes + TORUS_TOFU_HEADER_BYTES,
						     len - TORUS_TOFU_HEADER_BYTES));
}

/*
 * Check that group, path, order and FIFO of a restored packet are valid. Packets of gates and
 * engines are rejected.
 */
bool tofu_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct tofu_fields *fields = (const struct tofu_fields *)packet->header;
	u32 axis;

	for (axis = 0; axis < TOFU_GROUP_AXES; axis++)
		if (fields->group[axis] >= f->cfg.geo.dims[axis])
			return false;
	return fields->slot < TOFU_GROUP && fields->path < TOFU_PATHS &&
	       fields->order < TOFU_ORDERS && fields->fifo < TORUS_TOFU_FIFOS;
}

// SPDX-License-Identifier: GPL-2.0
/* Packets of software: judged, made, given a path, taken back from the wire. */
#include "arch/tofu/inject.h"
#include "core/base/crc.h"
#include "arch/tofu/header.h"
#include "arch/tofu/path.h"

/**
 * tofu_size() - chunks of a packet
 * @bytes: its header
 *
 * Return: 1..64; every header names a legal size.
 */
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

/* A header's fields become a packet's; false if there is no such node, path or FIFO. */
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

/**
 * tofu_check() - judge a program's packet
 * @f: the fabric
 * @node: where it is injected
 * @group: by which FIFO group
 * @fifo: and FIFO: of whichever engine
 * @priority: the right to inject priority packets, which the machine has none of
 * @bytes: the packet as it was copied
 * @packet: out: the packet
 *
 * Return: TORUS_REFUSE_NONE, or why it is refused.
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
	/* the hardware's gates alone send to gates */
	if (h.reserved || h.fifo == TORUS_TOFU_FIFO_GATE || !tofu_take_fields(f, packet, &h))
		return TORUS_REFUSE_PATH;
	return TORUS_REFUSE_NONE;
}

/**
 * tofu_make() - header of a synthetic packet
 * @f: the fabric
 * @packet: source and destination are set
 * @chunks: 1..64
 *
 * It goes by the fabric's policy, to the destination's engines in turn.
 */
void tofu_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	struct tofu_fields *fields = tofu_fields(packet);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 groups = g->stride[TOFU_A], group = packet->dst % groups;

	/* a, b, c are the last of a node's coordinates, in the order of its number in the group */
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

/**
 * tofu_path_around() - the path of a packet while nodes are dead
 * @f: the fabric, with a node that is or was dead
 * @node: its source
 * @dest: its destination
 * @path: its path if all lived
 * @any: another will do
 *
 * Return: @path if it meets nothing dead; else the one that tofu_path_choose() says if any will
 * do, TORUS_NONE if none leads there.
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

/**
 * tofu_inject_route() - a packet enters an injection FIFO
 * @f: the fabric
 * @node: where
 * @packet: the packet
 *
 * One that names no path or reception FIFO gets one; its source says in which order it takes
 * x, y and z.  While nodes are dead it gets a path around them.
 *
 * Return: TORUS_REFUSE_NONE; TORUS_REFUSE_UNREACHABLE if its path, or all of them, meet a dead
 * node: it has the path that it would have if all lived.
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

		/* the relay of the fixed one stands as the destination does */
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

/**
 * tofu_path_stays() - does a path keep to its node's partition, where the key `isolate` wants it?
 * @f: the fabric
 * @node: where it begins
 * @dest: where it ends
 * @path: the path
 *
 * Return: true if so, or if partitions are not isolated.
 */
bool tofu_path_stays(const struct torus_fabric *f, u32 node, u32 dest, u32 path)
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

/**
 * tofu_stays() - does a program's packet stay in its node's partition?
 * @f: the fabric, which has partitions
 * @node: where it is injected
 * @packet: the packet, with its path
 *
 * Return: true if so.
 */
bool tofu_stays(struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct tofu_fields *fields = (const struct tofu_fields *)packet->header;

	return tofu_path_stays(f, node, packet->dst, fields->path);
}

/**
 * tofu_loop() - a packet to the own node goes through the NIC alone
 * @f: the fabric
 * @node: the node
 * @packet: the packet
 * @ticks: out: until its last byte is there
 *
 * Return: its reception FIFO.
 */
u32 tofu_loop(struct torus_fabric *f, u32 node, const struct torus_packet *packet, u32 *ticks)
{
	*ticks = packet->chunks * TOFU_CHUNK_TICKS;
	return ((const struct tofu_fields *)packet->header)->fifo;
}

/**
 * tofu_image() - the header as it is on the wire
 * @packet: the packet
 * @seq: sequence number on the link; the header has its low 16 bits
 * @bytes: out: 16 bytes
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

/**
 * tofu_adopt() - believe a header whose CRCs were right
 * @f: the fabric
 * @bytes: 16 bytes
 * @packet: the packet whose fields they become
 *
 * Return: false if it names nothing that there is, or another size or order than the buffers
 * were promised.
 */
bool tofu_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	struct tofu_header h;

	tofu_header_unpack(&h, bytes);
	return h.chunks == packet->chunks && h.order == tofu_fields(packet)->order &&
	       h.path < TOFU_PATHS && h.fifo != TORUS_TOFU_FIFO_ANY &&
	       tofu_take_fields(f, packet, &h);
}

/**
 * tofu_packet_crc() - CRC-32C of a packet
 * @bytes: header and data
 * @len: their number
 *
 * The header's last word is the CRC's own place.
 *
 * Return: the CRC.
 */
u32 tofu_packet_crc(const u8 *bytes, u32 len)
{
	u32 state = torus_crc32c_update(TORUS_CRC32_INIT, bytes, TORUS_TOFU_CRC_AT);

	return torus_crc32_value(torus_crc32c_update(state, bytes + TORUS_TOFU_HEADER_BYTES,
						     len - TORUS_TOFU_HEADER_BYTES));
}

/**
 * tofu_sane() - could a packet of no gate and no engine stand in a node's buffers?
 * @f: the fabric
 * @node: the node
 * @packet: the packet
 *
 * Return: its group, path, order and reception FIFO are some.
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

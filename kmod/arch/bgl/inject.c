// SPDX-License-Identifier: GPL-2.0
/* Blue Gene/L: validate packets of software, and route them at injection. */
#include "bgl.h"
#include "inject.h"
#include "registers_error.h"

/* Return the chunks of a packet (1..8) from its header; the field has no invalid value. */
u32 bgl_size(const u8 *bytes)
{
	return (bgl_word_load(bytes) >> TORUS_BGL_CHUNKS_SHIFT & TORUS_BGL_CHUNKS_MASK) + 1;
}

/*
 * Validate hints that software has set: there must be a hint for each dimension with hops, and
 * it must lead to the destination.
 */
static u32 bgl_check_hints(struct torus_fabric *f, u32 node, const struct bgl_header *h)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 coords[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < BGL_DIMS; dim++) {
		u32 plus = bgl_hint_bit(2 * dim), minus = bgl_hint_bit(2 * dim + 1);
		u32 hints = h->hints & (plus | minus);

		if (hints == (plus | minus))
			return TORUS_REFUSE_HINTS;
		if (!hints) {
			if (coords[dim] != h->dest[dim])
				return TORUS_REFUSE_UNREACHABLE;
			continue;
		}
		if (g->dims[dim] == 1)
			return TORUS_REFUSE_HINTS;
		if (!(g->mesh >> dim & 1))
			continue;
		/* a mesh has no link between its ends */
		if (hints == plus ? h->dest[dim] <= coords[dim] : h->dest[dim] >= coords[dim])
			return TORUS_REFUSE_UNREACHABLE;
	}
	return TORUS_REFUSE_NONE;
}

/*
 * Deposit works only along a straight line: check that the packet has hops in exactly one
 * dimension. The hint bits show the dimensions. If the hardware computes the hints, compare the
 * coordinates instead.
 */
static bool bgl_straight(const struct torus_geometry *g, u32 node, const struct bgl_header *h)
{
	u32 coords[TORUS_DIMS_MAX], dim, dims = 0;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < BGL_DIMS; dim++)
		dims += h->hints ? (h->hints & (bgl_hint_bit(2 * dim) |
						bgl_hint_bit(2 * dim + 1))) != 0 :
				   coords[dim] != h->dest[dim];
	return dims == 1;
}

/* Apply the header checks of register 62: fill in @packet, or return the reason of a rejection. */
torus_inline u32 bgl_check_header(struct torus_fabric *f, u32 node, u32 fifo, bool priority,
				  const u8 *bytes, struct torus_packet *packet)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dest[TORUS_DIMS_MAX] = { 0 }, dim, code;
	struct bgl_fields *fields;
	struct bgl_header h;

	bgl_header_unpack(&h, bytes);
	for (dim = 0; dim < BGL_DIMS; dim++) {
		dest[dim] = h.dest[dim];
		if (dest[dim] >= g->dims[dim])
			return TORUS_REFUSE_DESTINATION;
	}
	if (h.dynamic != (h.vc <= TORUS_BGL_D1))
		return TORUS_REFUSE_VC;
	if ((h.vc == TORUS_BGL_BP) != (fifo == TORUS_BGL_INJECT_PRIORITY))
		return TORUS_REFUSE_PRIORITY;
	if (h.vc == TORUS_BGL_BP && !priority)
		return TORUS_REFUSE_PRIORITY;
	memset(packet, 0, sizeof(*packet));
	packet->src = node;
	packet->dst = torus_geometry_node(g, dest);
	if (!h.hints && packet->dst == node)
		return TORUS_REFUSE_SELF;
	if (h.hints) {
		code = bgl_check_hints(f, node, &h);
		if (code)
			return code;
	}
	if (h.dp && !bgl_straight(g, node, &h))
		return TORUS_REFUSE_DEPOSIT;
	packet->chunks = h.chunks;
	packet->group = h.pid;
	packet->flags = h.vc == TORUS_BGL_BP ? TORUS_PACKET_PRIORITY : 0;
	packet->flags |= h.dp ? TORUS_PACKET_DEPOSIT : 0;
	fields = bgl_fields(packet);
	fields->hints = h.hints;
	fields->vc = h.vc;
	fields->dynamic = h.dynamic;
	fields->pid = h.pid;
	memcpy(fields->dest, h.dest, sizeof(fields->dest));
	fields->csum_skip = h.csum_skip;
	fields->sk = h.sk;
	fields->sw = h.sw;
	fields->dp = h.dp;
	return TORUS_REFUSE_NONE;
}

/*
 * Validate a user's packet.
 *
 * @node: source of the packet
 * @group: FIFO group that injects it
 * @fifo: injection FIFO of the group
 * @priority: the client may inject priority packets
 * @bytes: the kernel's copy of the packet
 * @packet: [out] the packet, valid if it is accepted
 *
 * Rejections except TORUS_REFUSE_PRIORITY are recorded in registers 62 and 7D.
 *
 * Return: TORUS_REFUSE_NONE, or the reason of a rejection.
 */
u32 bgl_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
	      const u8 *bytes, struct torus_packet *packet)
{
	u32 code = bgl_check_header(f, node, fifo, priority, bytes, packet);

	if (torus_unlikely(code))
		bgl_error_refused(f, node, bytes, code);
	return code;
}

/*
 * Fill in the header of a synthetic packet.
 *
 * @packet: the packet; source and destination are set
 * @chunks: size, 1..8
 *
 * Parameter `routing` selects the default of IBM's packet layer for point-to-point packets
 * (Dynamic, D0, hints computed by the hardware), or a deterministic packet on the bubble VC.
 */
void bgl_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	const struct torus_geometry *g = &f->cfg.geo;
	struct bgl_fields *fields = bgl_fields(packet);
	bool dynamic = f->cfg.params[BGL_P_ROUTING] == BGL_ROUTING_DYNAMIC;
	u32 x = packet->dst % g->dims[0], yz = packet->dst / g->dims[0];

	packet->chunks = (u8)chunks;
	memset(fields, 0, sizeof(*fields));
	fields->dynamic = dynamic;
	fields->vc = dynamic ? TORUS_BGL_D0 : TORUS_BGL_BN;
	fields->dest[0] = (u8)x;
	fields->dest[1] = (u8)(yz % g->dims[1]);
	fields->dest[2] = (u8)(yz / g->dims[1]);
}

/*
 * Return the bytes, from the packet's start, that the injection checksum omits. Header field Sk
 * omits the whole packet. CSum_Skip counts units of two bytes: software sets 4 to omit the
 * hardware's header.
 */
u32 bgl_checksum_skip(const struct torus_packet *packet)
{
	const struct bgl_fields *f = bgl_fields_const(packet);

	if (f->sk)
		return packet->chunks * BGL_CHUNK_BYTES;
	return 2u * f->csum_skip;
}

/*
 * Fill in the header of a synthetic row broadcast.
 *
 * @packet: the packet; its source is set, its destination becomes the last node of the row
 * @chunks: size, 1..8
 * @dir: direction
 * @hops: number of receiving nodes, 1 to the length of the dimension
 *
 * The header is that of row broadcasts in IBM's packet layer: Dynamic, D0, one hint bit, Dp.
 */
void bgl_deposit(struct torus_fabric *f, struct torus_packet *packet, u32 chunks, u32 dir,
		 u32 hops)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 coords[TORUS_DIMS_MAX], dim = TORUS_DIM(dir), n = g->dims[dim];

	torus_geometry_coords(g, packet->src, coords);
	coords[dim] = (coords[dim] + (dir & 1 ? n - hops : hops)) % n;
	packet->dst = torus_geometry_node(g, coords);
	bgl_make(f, packet, chunks);
	packet->flags |= TORUS_PACKET_DEPOSIT;
	bgl_fields(packet)->hints = (u8)bgl_hint_bit(dir);
	bgl_fields(packet)->dp = 1;
}

/*
 * Check that a broadcast leaves copies only at nodes of its own partition. Hints from the
 * cutoff registers may lead off a mesh: the row then ends before the destination.
 */
static u32 bgl_row_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	u32 own = torus_fabric_partition(f, node), at = node, dir;

	for (dir = 0; bgl_hint_bit(dir) != bgl_fields_const(packet)->hints; dir++)
		;
	do {
		at = torus_geometry_neighbor(&f->cfg.geo, at, dir);
		if (at == TORUS_NONE)
			return TORUS_REFUSE_UNREACHABLE;
		if (torus_fabric_partition(f, at) != own)
			return TORUS_REFUSE_PARTITION;
	} while (at != packet->dst);
	return TORUS_REFUSE_NONE;
}

torus_inline u32 bgl_row(struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	if (torus_likely(!f->partition || !(packet->flags & TORUS_PACKET_DEPOSIT)))
		return TORUS_REFUSE_NONE;
	return bgl_row_partition(f, node, packet);
}

/*
 * Compute the hint bits of a packet at its injection, as the hardware does.
 *
 * "The hint bits can be initialized by either software or hardware; if done by hardware, a set
 * of two registers per dimension is used to determine the appropriate directions." The hardware
 * does so if all hint bits are zero.
 *
 * Return: TORUS_REFUSE_NONE.
 * TORUS_REFUSE_UNREACHABLE: the registers name no direction, or lead a broadcast off a mesh
 * that has partitions.
 * TORUS_REFUSE_PARTITION: a broadcast passes nodes of another partition.
 */
u32 bgl_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	struct bgl_fields *fields = bgl_fields(packet);
	const struct torus_geometry *g = &f->cfg.geo;
	struct bgl_cutoff boot[BGL_DIMS];
	u8 own[BGL_DIMS];
	u32 x, yz;

	if (fields->hints)
		return bgl_row(f, node, packet);
	x = node % g->dims[0];
	yz = node / g->dims[0];
	own[0] = (u8)x;
	own[1] = (u8)(yz % g->dims[1]);
	own[2] = (u8)(yz / g->dims[1]);
	fields->hints = bgl_hints(own, fields->dest,
				  bgl_cutoffs_of(bgl_machine(f), node, own, boot));
	return fields->hints ? bgl_row(f, node, packet) : TORUS_REFUSE_UNREACHABLE;
}

/*
 * Return the number of hops in a dimension, negative in minus direction, if the registers have
 * their values at boot.
 *
 * @from: coordinate of the source
 * @to: coordinate of the destination
 */
s32 bgl_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to)
{
	const struct torus_geometry *g = &f->cfg.geo;
	bool minimal = f->cfg.params[BGL_P_HINTS] == BGL_HINTS_MINIMAL;
	struct bgl_cutoff cutoff = bgl_cutoffs(g->dims[dim], from, g->mesh >> dim & 1, minimal);
	s32 way = (s32)to - (s32)from, n = (s32)g->dims[dim];

	switch (bgl_hint((u8)from, (u8)to, cutoff)) {
	case BGL_HINT_PLUS:
		return way > 0 ? way : way + n;
	case BGL_HINT_MINUS:
		return way < 0 ? way : way - n;
	default:
		return 0;
	}
}

/*
 * Serialize the header as it is on the wire.
 *
 * @seq: sequence number on the link; the header contains its low 8 bits
 * @bytes: [out] 8 bytes
 */
void bgl_image(const struct torus_packet *packet, u32 seq, u8 *bytes)
{
	const struct bgl_fields *f = bgl_fields_const(packet);
	struct bgl_header h = {
		.csum_skip = f->csum_skip,
		.sk = f->sk,
		.hints = f->hints,
		.dp = f->dp,
		.pid = f->pid,
		.chunks = packet->chunks,
		.sw = f->sw,
		.dynamic = f->dynamic,
		.vc = f->vc,
		.dest = { f->dest[0], f->dest[1], f->dest[2] },
	};

	bgl_header_pack(&h, bytes);
	bgl_header_seal(bytes, (u8)seq);
}

/*
 * Copy destination, hint bits, VC, Dynamic bit and FIFO group of a received header with correct
 * CRCs to its packet. The header may differ from the header sent, because the CRCs do not detect
 * all errors.
 *
 * @bytes: 8 bytes
 * @packet: the packet, as it was sent
 *
 * Return: false if the destination is invalid, if the Dynamic bit contradicts the VC, or if size,
 * deposit flag or kind of VC (priority or not) differ from those for which buffers were reserved.
 */
bool bgl_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	const struct torus_geometry *g = &f->cfg.geo;
	struct bgl_fields *fields = bgl_fields(packet);
	u32 dest[TORUS_DIMS_MAX] = { 0 }, dim;
	struct bgl_header h;

	bgl_header_unpack(&h, bytes);
	for (dim = 0; dim < BGL_DIMS; dim++) {
		dest[dim] = h.dest[dim];
		if (dest[dim] >= g->dims[dim])
			return false;
	}
	if (h.chunks != packet->chunks || h.dp != fields->dp ||
	    h.dynamic != (h.vc <= TORUS_BGL_D1) ||
	    (h.vc == TORUS_BGL_BP) != !!(packet->flags & TORUS_PACKET_PRIORITY))
		return false;
	packet->dst = torus_geometry_node(g, dest);
	packet->group = h.pid;
	fields->hints = h.hints;
	fields->vc = h.vc;
	fields->dynamic = h.dynamic;
	fields->pid = h.pid;
	memcpy(fields->dest, h.dest, sizeof(fields->dest));
	return true;
}

/* Check that the hints of a restored packet contain only bits of the six directions. */
bool bgl_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	return bgl_fields_const(packet)->hints < 1u << BGL_DIRS;
}

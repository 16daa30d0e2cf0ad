// SPDX-License-Identifier: GPL-2.0
/* Bytes on a link: link CRCs, and for live links bit errors and CRC checks when a copy is sent. */
#include "core/base/crc.h"
#include "core/link/corruption.h"
#include "core/link/internal.h"
#include "core/link/payload_crc.h"
#include "core/link/capture.h"
#include "core/base/random.h"

/*
 * Draw the number of bits until the next bit error from a geometric distribution, with an integer
 * logarithm. Return ~0, no error, for a rate below 2^-58.
 */
u64 torus_link_error_gap(struct torus_link *l)
{
	u64 neg;

	if (l->ber < 64)
		return ~0ull;
	neg = (64ull << 26) - torus_log2_q26(torus_random(&l->rng) | 1);
	/* -ln u in units of 2^-58, divided by the rate in units of 2^-58 */
	return neg * TORUS_LN2_Q32 / (l->ber >> 6);
}

/**
 * torus_link_crcs_init() - allocate the 32-bit link CRCs
 * @f: the fabric; no run may be in progress
 *
 * Link CRCs are needed when packets may have bytes: with crc=full, from clients, or on live links.
 * Without crc=full, a synthetic packet that no error can have changed is not included in a CRC.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_link_crcs_init(struct torus_fabric *f)
{
	if (!f->link_crc)
		f->link_crc = torus_alloc(torus_link_crcs_bytes(f));
	return f->link_crc ? torus_payloads_init(f) : -ENOMEM;
}

/**
 * torus_link_crc_at() - read the link CRC of one end of a link
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the link's direction
 * @receiver: true for the receiver's CRC, false for the sender's
 *
 * Return: the 32-bit link CRC, 0 if no packet with bytes has crossed the link since it
 * was cleared.
 */
u32 torus_link_crc_at(const struct torus_fabric *f, u32 node, u32 dir, bool receiver)
{
	return f->link_crc ? f->link_crc[((size_t)node * f->dirs + dir) * 2 + receiver] : 0;
}

/* Clear the link CRC of one end. No run may be in progress. */
void torus_link_crc_clear(struct torus_fabric *f, u32 node, u32 dir, bool receiver)
{
	if (f->link_crc)
		f->link_crc[((size_t)node * f->dirs + dir) * 2 + receiver] = 0;
}

/* Extend a CRC by the bytes of a packet that has a body, as they are on the link. */
static u32 link_crc_extend(struct torus_domain *d, const struct torus_packet *p, u32 crc)
{
	u32 header = torus_payload_at(d->f), state = torus_crc32_value(crc);

	if (header) {
		memcpy(d->scratch, torus_body_at(&d->bodies, p->body)->bytes, header);
		d->f->arch->image(p, p->link_seq, d->scratch);
		state = torus_crc32_extend(state, d->scratch, header);
	}
	return torus_crc32_value(torus_payload_extend(d, p, state));
}

/*
 * Extend a CRC by the bytes of any packet, with or without a body. With crc=full, also check the
 * packet's own CRC at the receiver.
 */
static u32 link_crc_full(struct torus_domain *d, struct torus_packet *p, bool receiver, u32 crc)
{
	const struct torus_arch *arch = d->f->arch;
	u32 len = torus_link_packet_bytes(d->f, p);
	u8 *bytes = d->scratch;

	torus_packet_bytes(d, p, bytes);
	if (d->f->crc_full && !receiver) {
		p->uncounted = false;
		p->tail_at = arch->crc(bytes, len);
	} else if (d->f->crc_full) {
		torus_assert(arch->intact(bytes));
		torus_assert(arch->crc(bytes, len) == p->tail_at);
	}
	return torus_crc32_value(torus_crc32_extend(torus_crc32_value(crc), bytes, len));
}

/**
 * torus_link_crc() - include a packet in the 32-bit link CRC of one end
 * @d: the domain of that end
 * @node: the node of that end
 * @dir: the link's direction
 * @pkt: the packet as it is on the link; at the sender's end it must be wide
 * @receiver: true for the receiver's end, false for the sender's
 *
 * "Each sender (receiver) also maintains a 32-bit link-level CRC that includes all data packets
 * sent (received) successfully on the link": header and body, each sequence number once.
 *
 * Shortcut: the receiver copies the sender's result if both ends had the same CRC before this
 * packet and the packet has the body that the sender included. An undetected error gives the packet
 * a new body, so the shortcut does not apply.
 */
void torus_link_crc(struct torus_domain *d, u32 node, u32 dir, u32 pkt, bool receiver)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_fabric *f = d->f;
	u32 sender = node, link, *crc, from;
	struct torus_link_counted *counted;

	if (receiver) {
		sender = torus_link_from(f, node, dir);
		/*
		 * a narrow packet was sent before crc=full began, so the sender's CRC does not
		 * include it
		 */
		if (sender == TORUS_NONE || !torus_pool_is_wide(&d->pool, pkt))
			return;
	} else if (!d->links || !torus_link_at(d, node, dir)->live) {
		p->link_seq = torus_link_packets(d, node, dir) - 1;
	}
	if (p->flags & TORUS_PACKET_INVALID)
		return;
	link = sender * f->dirs + dir;
	crc = &f->link_crc[(size_t)link * 2 + receiver];
	/*
	 * sent before crc=full began: the sender's CRC includes the packet if it has a body
	 */
	if (receiver && f->crc_full && p->uncounted) {
		if (p->body == TORUS_NONE)
			return;
	} else if (f->crc_full || p->body == TORUS_NONE) {
		*crc = link_crc_full(d, p, receiver, *crc);
		return;
	}
	from = *crc;
	counted = &torus_body_at(&d->bodies, p->body)->counted;
	if (receiver && counted->link == link && counted->seq == p->link_seq &&
	    counted->from == from) {
		*crc = counted->to;
		return;
	}
	*crc = link_crc_extend(d, p, from);
	if (!receiver)
		*counted = (struct torus_link_counted){
			.link = link, .seq = p->link_seq, .from = from, .to = *crc,
		};
}

static void link_flip_bit(u8 *bytes, u64 bit)
{
	bytes[bit >> 3] ^= (u8)(0x80 >> (bit & 7));
}

/*
 * Draw the bit errors of the next @bits bits, and flip these bits in @bytes unless @bytes is NULL.
 * Return true if there was an error.
 */
bool torus_link_draw_errors(struct torus_link *l, u64 bits, u8 *bytes)
{
	u64 at = 0;
	bool hit = false;

	while (l->error_in < bits - at) {
		at += l->error_in;
		if (bytes)
			link_flip_bit(bytes, at);
		hit = true;
		at++;
		l->error_in = torus_link_error_gap(l);
		if (at >= bits)
			return hit;
	}
	if (l->error_in != ~0ull)
		l->error_in -= bits - at;
	return hit;
}

/* XOR the packet CRC's generator into the last bytes: an error that the CRC cannot detect. */
static void link_flip_generator(const struct torus_arch *arch, u8 *bytes, u32 len)
{
	u64 g = arch->crc_generator;

	for (; g; g >>= 8)
		bytes[--len] ^= (u8)g;
}

static void link_keep_bytes(struct torus_domain *d, struct torus_packet *p, const u8 *bytes)
{
	u32 body = torus_bodies_get(&d->bodies);

	if (body == TORUS_NONE) {
		d->failed = true;
		return;
	}
	memcpy(torus_body_at(&d->bodies, body)->bytes, bytes, torus_link_packet_bytes(d->f, p));
	if (p->body != TORUS_NONE) {
		torus_body_at(&d->bodies, body)->sender =
			torus_body_at(&d->bodies, p->body)->sender;
		torus_bodies_put(&d->bodies, p->body);
	}
	p->body = body;
}

/* Return the number of bytes that a packet has on a link, without the valid byte. */
static u32 link_image_bytes(const struct torus_arch *arch, u32 len)
{
	return arch->crc_at ? len : len + arch->crc_bytes;
}

static void link_put_crc(const struct torus_arch *arch, u8 *bytes, u32 len, u32 crc)
{
	u8 *at = bytes + (arch->crc_at ? arch->crc_at : len);
	u32 i;

	for (i = 0; i < arch->crc_bytes; i++)
		at[i] = (u8)(crc >> (8 * (arch->crc_bytes - 1 - i)));
}

/**
 * torus_link_wire_image() - build a packet's bytes on a link, before any error
 * @d: the domain
 * @p: the packet
 * @seq: its sequence number on the link
 * @bytes: [out] header, payload and packet CRC in the machine's format, and the valid byte; at
 *         most TORUS_LINK_CAPTURE_BYTES. A synthetic payload if the machine's packets have no
 *         bytes
 *
 * Return: number of bytes.
 */
u32 torus_link_wire_image(struct torus_domain *d, const struct torus_packet *p, u32 seq, u8 *bytes)
{
	const struct torus_arch *arch = d->f->arch;
	u32 len = torus_link_packet_bytes(d->f, p), wire = link_image_bytes(arch, len);

	torus_packet_bytes(d, p, bytes);
	if (!arch->image)
		return len;
	arch->image(p, seq, bytes);
	link_put_crc(arch, bytes, len, arch->crc(bytes, len));
	bytes[wire] = p->flags & TORUS_PACKET_INVALID ? 0 : 0xff;
	return wire + 1;
}

/* Read the received packet CRC, and clear its bytes. */
static u32 link_take_crc(const struct torus_arch *arch, u8 *bytes, u32 len)
{
	u8 *at = bytes + (arch->crc_at ? arch->crc_at : len);
	u32 i, crc = 0;

	for (i = 0; i < arch->crc_bytes; i++) {
		crc = crc << 8 | at[i];
		at[i] = 0;
	}
	return crc;
}

/* Record a loss: the receiver will discard the packets that follow this one. */
static void link_note_loss(struct torus_link *l, const struct torus_packet *p)
{
	l->behind_loss = true;
	l->lost_seq = p->link_seq;
}

/*
 * Check the CRCs of a wire image with flipped bits, on behalf of the receiver. Mark the copy @p:
 * TORUS_PACKET_BAD_HEADER, TORUS_PACKET_DAMAGED; torus_link_receive() acts on the marks.
 * @header: the header before the errors. Return TORUS_WIRE_*, 0 for an intact packet.
 */
static u32 link_check_crcs(struct torus_domain *d, struct torus_link *l, struct torus_packet *p,
			   u8 *bytes, u32 trailer, const u8 *header)
{
	const struct torus_arch *arch = d->f->arch;
	u32 len = torus_link_packet_bytes(d->f, p), wire = link_image_bytes(arch, len);

	if (!arch->intact(bytes)) {
		p->flags |= TORUS_PACKET_BAD_HEADER | TORUS_PACKET_DAMAGED;
		link_note_loss(l, p);
		return TORUS_WIRE_HEADER;
	}
	if (arch->crc(bytes, len) != trailer || bytes[wire] != 0xff) {
		p->flags |= TORUS_PACKET_DAMAGED;
		link_note_loss(l, p);
		/* the error is in the header, too: the receiver must not act on this header */
		if (memcmp(header, bytes, arch->header_bytes))
			p->flags |= TORUS_PACKET_BAD_HEADER;
		return TORUS_WIRE_CRC;
	}
	/* two errors may have flipped the same bit, so that the packet is correct */
	torus_packet_bytes(d, p, d->scratch + TORUS_SCRATCH_BYTES);
	if (!memcmp(d->scratch + TORUS_SCRATCH_BYTES, bytes, len))
		return 0;
	link_keep_bytes(d, p, bytes);
	if (memcmp(header, bytes, arch->header_bytes) && !arch->adopt(d->f, bytes, p)) {
		p->flags |= TORUS_PACKET_DAMAGED | TORUS_PACKET_BAD_HEADER;
		link_note_loss(l, p);
		return TORUS_WIRE_HEADER;
	}
	/* the receiver will accept this damaged packet */
	l->escapes++;
	return TORUS_WIRE_ESCAPED;
}

/* Report a copy to the tracer, with the bytes that arrive if errors have changed them. */
static void link_trace_copy(struct torus_domain *d, u32 node, u32 dir, u32 wire, u8 *image,
			    const struct torus_packet *p)
{
	if (!torus_traced(d))
		return;
	d->tracer->image = image;
	torus_trace_emit(d, TORUS_TRACE_WIRE, node, dir, p->slot % d->f->vcs, wire, p);
	d->tracer->image = NULL;
}

/*
 * Apply a link's faults to a copy of a packet: build the wire image, flip bits, and check the CRCs
 * of the result. @again: the copy is a retransmission. Return false if nothing arrives.
 */
bool torus_link_corrupt(struct torus_domain *d, u32 node, u32 dir, struct torus_packet *p,
			bool again)
{
	const struct torus_arch *arch = d->f->arch;
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 len = torus_link_packet_bytes(d->f, p), wire = link_image_bytes(arch, len), found;
	u64 bits = (u64)(wire + 1) * 8;
	u8 *bytes = d->scratch, header[TORUS_WIRE_HEADER_MAX];
	u32 trailer, about = again ? TORUS_WIRE_AGAIN : 0;
	bool hit;

	if (p->flags & TORUS_PACKET_INVALID)
		about |= TORUS_WIRE_INVALID;
	if (torus_link_down(l)) {
		link_note_loss(l, p);
		link_trace_copy(d, node, dir, about | TORUS_WIRE_LOST, NULL, p);
		return false;
	}
	if (torus_likely(l->error_in >= bits && !l->corrupt && !l->escape)) {
		if (l->error_in != ~0ull)
			l->error_in -= bits;
		link_trace_copy(d, node, dir, about, NULL, p);
		return true;
	}
	torus_packet_bytes(d, p, bytes);
	/* save the header before the CRC is written, because the CRC may be in the header */
	memcpy(header, bytes, arch->header_bytes);
	link_put_crc(arch, bytes, len, arch->crc(bytes, len));
	bytes[wire] = 0xff;	/* the valid byte */

	hit = torus_link_draw_errors(l, bits, bytes);
	if (l->corrupt) {
		l->corrupt--;
		link_flip_bit(bytes, torus_random(&l->rng) % bits);
		hit = true;
	}
	/* inject an escape only into a copy that the receiver would otherwise accept */
	if (l->escape && !hit && !l->behind_loss && !again && !(p->flags & TORUS_PACKET_INVALID)) {
		l->escape--;
		link_flip_generator(arch, bytes, len);
		hit = true;
	}
	if (!hit) {
		link_trace_copy(d, node, dir, about, NULL, p);
		return true;
	}

	trailer = link_take_crc(arch, bytes, len);
	found = link_check_crcs(d, l, p, bytes, trailer, header);
	link_put_crc(arch, bytes, len, trailer);
	if (about & TORUS_WIRE_INVALID)
		bytes[wire] ^= 0xff;	/* the sender cleared the packet's valid byte */
	link_trace_copy(d, node, dir, about | found, bytes, p);
	return true;
}

// SPDX-License-Identifier: GPL-2.0
/* Packets of a domain: allocate, copy, free them, and get their bytes. */
#include "core/state/packets.h"

/**
 * torus_packets_waited() - delay a client's request that found no memory
 * @d: the domain
 *
 * In virtual time the domain fails instead: a delay would make results depend on the memory.
 *
 * Return: false, for the caller to return.
 */
bool torus_packets_waited(struct torus_domain *d)
{
	if (d->f->cfg.params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL)
		d->failed = true;
	d->wanting = true;
	return false;
}

/*
 * Memory that other domains may need when this domain's packets in flight reach them, because each
 * domain keeps its segments. The result need not be exact: other threads may change the counts
 * meanwhile.
 */
static u64 packets_owed(const struct torus_domain *d)
{
	const struct torus_fabric *f = d->f;
	u64 used = 0, room, owed = 0;
	u32 i;

	for (i = 0; f->ndomains > 1 && i < f->ndomains; i++)
		used += torus_load(&f->domain[i].bodies.used);
	for (i = 0; used && i < f->ndomains; i++) {
		room = (u64)torus_load(&f->domain[i].bodies.segments) << TORUS_BODY_SEGMENT_BITS;
		if (i != d->index && used > room)
			owed += used - room;
	}
	return owed * (d->bodies.stride + sizeof(struct torus_packet));
}

/**
 * torus_packets_supply() - make sure that there is memory for a client's packet
 * @d: the domain
 * @kept: the client's FIFO group has less than TORUS_PACKETS_KEPT packets in flight
 *
 * Packets in flight need memory as they move, and cannot wait. Therefore new packets wait before
 * the fabrics reach their memory limit. In virtual time, the domain fails instead.
 *
 * Return: false if the packet must wait.
 */
bool torus_packets_supply(struct torus_domain *d, bool kept)
{
	u32 others = kept ? 0 : d->f->nattached * TORUS_PACKETS_KEPT;
	u64 owed;

	if (torus_likely(torus_bodies_room(&d->bodies) > others &&
			 torus_pool_room(&d->pool) > others))
		return true;
	owed = kept ? 0 : packets_owed(d);
	if (torus_bodies_supply(&d->bodies, others, owed) &&
	    torus_pool_supply(&d->pool, others, owed))
		return true;
	return torus_packets_waited(d);
}

/**
 * torus_packet_clone() - copy a packet; the copy shares the body
 * @d: domain of the packet
 * @pkt: index of the packet
 *
 * Return: index of the copy; TORUS_NONE if memory is exhausted, and the domain fails.
 */
u32 torus_packet_clone(struct torus_domain *d, u32 pkt)
{
	u32 copy = torus_pool_get(&d->pool);
	struct torus_packet *p;

	if (copy == TORUS_NONE) {
		d->failed = true;
		return copy;
	}
	torus_pool_fill(&d->pool, copy, torus_packet_at(d, pkt));
	p = torus_packet_at(d, copy);
	if (p->body != TORUS_NONE)
		torus_body_at(&d->bodies, p->body)->refs++;
	return copy;
}

/**
 * torus_packets_uncount() - mark the packets on links when crc=full begins
 * @f: the fabric, locked
 *
 * Link CRCs have not counted these packets. Senders clear the mark of each packet that they count,
 * see struct torus_packet.
 */
void torus_packets_uncount(struct torus_fabric *f)
{
	u32 i, pkt;

	for (i = 0; i < f->ndomains; i++) {
		struct torus_pool *pool = &f->domain[i].pool;

		for (pkt = pool->wide_from; pkt < pool->fresh; pkt += TORUS_PACKET_WIDE)
			torus_pool_at(pool, pkt)->uncounted = true;
	}
}

/**
 * torus_packets_widen() - allocate wide packets from now on
 * @f: the fabric, locked
 *
 * For users' packets, packets of the machine's own NIC, replies, live links and crc=full; see
 * struct torus_packet.
 */
void torus_packets_widen(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		torus_pool_widen(&f->domain[i].pool);
}

/**
 * torus_packet_widen() - replace a narrow packet by a wide one
 * @d: domain of the packet, whose new packets are wide
 * @pkt: index of the packet, in no queue
 *
 * Return: index of the wide packet, @pkt if that was wide; TORUS_NONE if memory is exhausted, and
 * the domain fails.
 */
u32 torus_packet_widen(struct torus_domain *d, u32 pkt)
{
	u32 wide;

	if (torus_likely(torus_pool_is_wide(&d->pool, pkt)))
		return pkt;
	wide = torus_packet_clone(d, pkt);
	torus_packet_free(d, pkt);
	return wide;
}

/*
 * Sequence number of a packet on its last link. In a pool of narrow packets, no packet was on a
 * live link, and the number is 0.
 */
static u32 packet_seq(const struct torus_domain *d, const struct torus_packet *p)
{
	return d->pool.grains == TORUS_PACKET_WIDE ? p->link_seq : 0;
}

/*
 * Eight bytes of a synthetic packet, lowest byte first: bytes and CRCs must not depend on the
 * processor's byte order.
 */
static u64 packet_word(u64 key)
{
	u64 word = torus_mix(key);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

/**
 * torus_packet_bytes() - get the bytes of a packet as software sees them
 * @d: domain of the packet
 * @p: the packet
 * @bytes: [out] chunks * chunk_bytes bytes
 *
 * The header is as on the wire. The bytes of a synthetic packet are a function of its source and
 * sequence.
 */
void torus_packet_bytes(struct torus_domain *d, const struct torus_packet *p, u8 *bytes)
{
	u32 len = p->chunks * d->f->arch->chunk_bytes, i;

	if (p->body != TORUS_NONE) {
		memcpy(bytes, torus_body_at(&d->bodies, p->body)->bytes, len);
	} else {
		u64 key = torus_mix((u64)p->src << 32 | p->seq);

		for (i = 0; i + 8 <= len; i += 8) {
			u64 word = packet_word(key + i);

			memcpy(bytes + i, &word, 8);
		}
	}
	if (d->f->arch->image)
		d->f->arch->image(p, packet_seq(d, p), bytes);
}

/**
 * torus_packet_last() - get the bytes of a packet that is freed after this use
 * @d: domain of the packet
 * @p: the packet
 *
 * Same as torus_packet_bytes(), but without a copy if no other packet shares the body.
 *
 * Return: the bytes, valid until the packet is freed or until the next call.
 */
const u8 *torus_packet_last(struct torus_domain *d, const struct torus_packet *p)
{
	struct torus_body *body;

	if (p->body == TORUS_NONE || torus_body_at(&d->bodies, p->body)->refs > 1) {
		torus_packet_bytes(d, p, d->scratch);
		return d->scratch;
	}
	body = torus_body_at(&d->bodies, p->body);
	if (d->f->arch->image)
		d->f->arch->image(p, packet_seq(d, p), body->bytes);
	return body->bytes;
}

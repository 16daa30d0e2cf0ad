// SPDX-License-Identifier: GPL-2.0
/* Packets of a domain: copies, ends, and their bytes. */
#include "core/state/packets.h"

/**
 * torus_packets_waited() - a client's request finds no memory, and waits if it can
 * @d: the domain
 *
 * In virtual time it cannot: results would depend on the memory.  The domain fails there.
 *
 * Return: false.
 */
bool torus_packets_waited(struct torus_domain *d)
{
	if (d->f->cfg.params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL)
		d->failed = true;
	d->wanting = true;
	return false;
}

/*
 * Memory that other domains may need when the packets in flight come to them: they have what they
 * had once.  Their threads may be counting: it need not be exact.
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
 * torus_packets_supply() - make sure that there is memory for a packet that a client sends
 * @d: the domain
 * @kept: its FIFO group has less than TORUS_PACKETS_KEPT under way
 *
 * Packets that move need memory, too, and cannot wait.  So those that have not begun do, once the
 * fabrics have taken what they may.
 *
 * Return: false if it must wait.
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
 * torus_packet_clone() - a copy that shares the body
 * @d: its domain
 * @pkt: the packet
 *
 * Return: the copy, TORUS_NONE when memory has run out (the domain has failed).
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
 * torus_packets_uncount() - crc=full begins: packets that are on links now were not counted so
 * @f: the fabric, held
 *
 * A sender marks its packets as counted from now on, see struct torus_packet.
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
 * torus_packets_widen() - the fabric's packets have all members from now on
 * @f: the fabric, held
 *
 * For users' packets, live links and crc=full; see struct torus_packet.
 */
void torus_packets_widen(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		torus_pool_widen(&f->domain[i].pool);
}

/**
 * torus_packet_widen() - a packet with all members in place of one that lacks some
 * @d: its domain, whose packets are wide
 * @pkt: the packet, in no queue
 *
 * Return: the packet, or the one that it has become; TORUS_NONE when memory has run out
 * (the domain has failed).
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

/* Its sequence number on the last link; a narrow packet has been on none that counted. */
static u32 packet_seq(const struct torus_domain *d, const struct torus_packet *p)
{
	return d->pool.grains == TORUS_PACKET_WIDE ? p->link_seq : 0;
}

/* Synthetic bytes and the CRCs over them are the same on every processor: lowest byte first. */
static u64 packet_word(u64 key)
{
	u64 word = torus_mix(key);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
}

/**
 * torus_packet_bytes() - a packet as software sees it, its header as on the wire
 * @d: its domain
 * @p: the packet
 * @bytes: out: chunks * chunk_bytes bytes
 *
 * The bytes of a synthetic packet are a function of its source and sequence.
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
 * torus_packet_last() - the bytes of a packet that ends when somebody has taken them
 * @d: its domain
 * @p: the packet
 *
 * As torus_packet_bytes(), without a copy where nobody else has the same body.
 *
 * Return: the bytes, until the packet is freed or another's are asked for.
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

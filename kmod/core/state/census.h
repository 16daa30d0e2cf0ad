/* SPDX-License-Identifier: GPL-2.0 */
/* State of a census, to which routers and links add their packets and tokens. */
#ifndef TORUS_CORE_STATE_CENSUS_H
#define TORUS_CORE_STATE_CENSUS_H

#include "core/base/packet.h"
#include "core/state/fabric.h"

/**
 * struct torus_check - a census
 * @f: the fabric
 * @packets: number of packets found
 * @identity: sum of torus_packet_identity() of these packets
 * @wrong: number of links and VCs whose tokens do not add up
 * @bubbles: number of bubble rings without free space for a full packet
 * @capacity: chunks of a buffer, by VC
 * @conserved: the number and identity of packets match the statistics
 * @space: chunks accounted for, nodes x dirs x vcs elements; saturates at 65535
 * @held: part of @space that packets occupy, in the buffer or while they leave it
 * @free: part of @space that is free
 * @ring: sum of @free over a whole ring, stored at the ring's first node; as many elements as
 *   @space
 */
struct torus_check {
	struct torus_fabric *f;
	u64 packets;
	u64 identity;
	u64 wrong;
	u64 bubbles;
	u32 capacity[TORUS_VCS_MAX];
	bool conserved;
	u16 *space;
	u16 *held;
	u16 *free;
	u16 *ring;
};

torus_inline size_t torus_check_index(const struct torus_check *c, u32 node, u32 dir, u32 vc)
{
	return ((size_t)node * c->f->dirs + dir) * c->f->vcs + vc;
}

/*
 * Count a packet that a router has. An INVALID packet is not counted, because the sender of its
 * link keeps a valid copy, which is counted.
 */
torus_inline void torus_check_packet(struct torus_check *c, const struct torus_packet *p)
{
	if (p->flags & TORUS_PACKET_INVALID)
		return;
	c->packets++;
	c->identity += torus_packet_identity(p);
}

/* Add chunks to a sum. The sum saturates, because values from a file may be arbitrary. */
torus_inline void torus_check_add(u16 *sum, u32 chunks)
{
	u32 more = chunks < 0xffff ? *sum + chunks : 0xffff;

	*sum = (u16)(more < 0xffff ? more : 0xffff);
}

/* Add @tokens to the space accounted for in the buffer that receives from (@node, @dir) on @vc. */
torus_inline void torus_check_tokens(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_check_add(&c->space[torus_check_index(c, node, dir, vc)], tokens);
}

/*
 * Account for @tokens that a packet occupies in the buffer that receives from (@node, @dir) on @vc.
 */
torus_inline void torus_check_held(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_check_tokens(c, node, dir, vc, tokens);
	torus_check_add(&c->held[torus_check_index(c, node, dir, vc)], tokens);
}

/* Count @tokens that are free in the buffer that receives from (@node, @dir) on @vc. */
torus_inline void torus_check_free(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_check_add(&c->free[torus_check_index(c, node, dir, vc)], tokens);
}

#endif /* TORUS_CORE_STATE_CENSUS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The census as it is being taken: routers and links enter what they hold. */
#ifndef TORUS_CORE_STATE_CENSUS_H
#define TORUS_CORE_STATE_CENSUS_H

#include "core/base/packet.h"
#include "core/state/fabric.h"

/**
 * struct torus_check - a census
 * @f: the fabric
 * @packets: packets found
 * @identity: sum of torus_packet_identity() of these
 * @wrong: links and VCs whose tokens do not add up
 * @bubbles: bubble rings without a free full-packet slot
 * @capacity: chunks of each VC's buffer
 * @conserved: the packets add up
 * @space: nodes x dirs x vcs: chunks accounted for; of more than 65535 no more is to be known
 * @held: of those, packets' that are in the buffer or leaving it
 * @free: free ones
 * @ring: the same size: free ones of a whole ring, at its first node
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

/* Enter a packet.  An INVALID one is counted where its link keeps it. */
torus_inline void torus_check_packet(struct torus_check *c, const struct torus_packet *p)
{
	if (p->flags & TORUS_PACKET_INVALID)
		return;
	c->packets++;
	c->identity += torus_packet_identity(p);
}

/* No sum of chunks wraps: what a file brings may be any. */
torus_inline void torus_check_add(u16 *sum, u32 chunks)
{
	u32 more = chunks < 0xffff ? *sum + chunks : 0xffff;

	*sum = (u16)(more < 0xffff ? more : 0xffff);
}

/* @tokens of the buffer that (@node, @dir) sends to on @vc are accounted for. */
torus_inline void torus_check_tokens(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_check_add(&c->space[torus_check_index(c, node, dir, vc)], tokens);
}

/* By a packet in that buffer. */
torus_inline void torus_check_held(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_check_tokens(c, node, dir, vc, tokens);
	torus_check_add(&c->held[torus_check_index(c, node, dir, vc)], tokens);
}

/* And free. */
torus_inline void torus_check_free(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	torus_check_add(&c->free[torus_check_index(c, node, dir, vc)], tokens);
}

#endif /* TORUS_CORE_STATE_CENSUS_H */

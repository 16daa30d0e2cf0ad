// SPDX-License-Identifier: GPL-2.0
/* What a live link holds, for the census. */
#include "core/link/parts.h"
#include "core/state/census.h"

/**
 * torus_link_census() - the packets that a live link has not brought over yet
 * @c: the census
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 * @peer: the receiver
 *
 * A packet in the resend FIFO that the receiver has not accepted is on the link,
 * however many copies of it have been sent or lost.
 */
void torus_link_census(struct torus_check *c, struct torus_domain *d, u32 node, u32 dir, u32 peer)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u16 expected = torus_link_at(torus_domain_of(c->f, peer), peer, dir)->expected;
	u32 pkt, vc, vcs = c->f->vcs;

	for (pkt = l->head; pkt != TORUS_NONE;
	     pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next) {
		struct torus_packet *p = torus_packet_at(d, pkt);

		if (torus_link_before(p->link_seq, expected))
			continue;
		c->packets += !(p->flags & TORUS_PACKET_INVALID);
		vc = p->slot % vcs;
		torus_check_tokens(c, node, dir, vc, c->f->router->tokens(c->f, p, vc));
	}
	for (vc = 0; vc < vcs; vc++) {
		torus_check_tokens(c, node, dir, vc, l->lost[vc]);
		torus_check_free(c, node, dir, vc, l->lost[vc]);
	}
}

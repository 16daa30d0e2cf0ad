// SPDX-License-Identifier: GPL-2.0
/* The part of the census for live links: packets in resend FIFOs, and tokens in lost messages. */
#include "core/link/census.h"
#include "core/link/internal.h"
#include "core/state/census.h"

/**
 * torus_link_census() - count packets and lost tokens of a live link
 * @c: the census
 * @d: the sender's domain
 * @node: the sender
 * @dir: the direction
 * @peer: the receiver
 *
 * A packet in the resend FIFO that the receiver has not accepted counts as one packet on the link,
 * regardless of the number of copies sent or lost.
 */
void torus_link_census(struct torus_check *c, struct torus_domain *d, u32 node, u32 dir, u32 peer)
{
	struct torus_link *l = torus_link_at(d, node, dir);
	u32 expected = torus_link_at(torus_domain_of(c->f, peer), peer, dir)->expected;
	u32 pkt, vc, vcs = c->f->vcs;

	for (pkt = l->head; pkt != TORUS_NONE;
	     pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next) {
		struct torus_packet *p = torus_packet_at(d, pkt);

		if (torus_link_before(p->link_seq, expected))
			continue;
		torus_check_packet(c, p);
		vc = p->slot % vcs;
		torus_check_tokens(c, node, dir, vc, c->f->router->tokens(c->f, p, vc));
	}
	for (vc = 0; vc < vcs; vc++) {
		torus_check_tokens(c, node, dir, vc, l->lost[vc]);
		torus_check_free(c, node, dir, vc, l->lost[vc]);
	}
}

/*
 * Next sequence number that a link's receiver expects, for the process that simulates the sender.
 */
struct link_expected {
	u64 link;
	u32 expected;
	u32 spare;
};

/*
 * List the links whose sender is in another process and whose receiver is in this process. If
 * @expected is NULL, only count these links.
 */
static size_t links_expected(const struct torus_fabric *f, struct link_expected *expected)
{
	u32 node, dir, from;
	size_t n = 0, link;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; torus_node_here(f, node) && dir < f->dirs; dir++) {
			from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
			if (from == TORUS_NONE || torus_node_here(f, from))
				continue;
			link = (size_t)node * f->dirs + dir;
			if (expected)
				expected[n] = (struct link_expected){
					.link = link, .expected = f->links[link].expected,
				};
			n++;
		}
	return n;
}

/**
 * torus_links_exchange() - exchange the receivers' expected sequence numbers between processes
 * @f: the fabric; no run may be in progress
 *
 * The census compares these numbers with the senders' resend FIFOs.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_links_exchange(struct torus_fabric *f)
{
	struct torus_procs *procs = f->cfg.procs;
	const struct link_expected *all;
	struct link_expected *expected;
	size_t n, got;

	if (!procs || !f->links)
		return 0;
	n = links_expected(f, NULL);
	expected = torus_procs_alloc(f, (n + 1) * sizeof(*expected));
	if (!expected)
		return -ENOMEM;
	links_expected(f, expected);
	all = procs->pass(procs, expected, n * sizeof(*expected), &got);
	for (; got; got -= sizeof(*all), all++)
		if (!torus_node_here(f, (u32)(all->link / f->dirs)))
			f->links[all->link].expected = all->expected;
	torus_free(expected, (n + 1) * sizeof(*expected));
	return 0;
}

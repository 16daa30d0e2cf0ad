// SPDX-License-Identifier: GPL-2.0
/*
 * Dead nodes. A node that is known to be dead is isolated as the machine's software does it: its
 * own senders and those of the links to it are disabled (BG/L register 0B). Routers do not lead
 * packets around a dead node. On BG/L, programs can set hint bits that avoid it (user/route). Tofu
 * selects another path when a packet that names no path is injected.
 */
#include "core/link/control.h"
#include "core/link/dead_node.h"
#include "core/state/domain.h"
#include "core/link/fault.h"
#include "core/link/internal.h"

/**
 * torus_link_discard() - discard the packets of a link's resend FIFO
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction, which has a link
 * @reason: TORUS_DROP_* of the packets that the receiver has not accepted
 *
 * Afterwards the receiver expects the sender's next packet, so that it discards copies still on
 * the link as duplicates.
 */
void torus_link_discard(struct torus_fabric *f, u32 node, u32 dir, u32 reason)
{
	u32 peer = torus_link_peer(f, node, dir), pkt;
	struct torus_domain *d = torus_domain_of(f, node);
	struct torus_link *l = torus_link_at(d, node, dir);
	struct torus_link *far = torus_link_at(torus_domain_of(f, peer), peer, dir);

	while (l->head != TORUS_NONE) {
		struct torus_packet *p = torus_packet_at(d, l->head);

		pkt = l->head;
		l->head = pkt == l->tail ? TORUS_NONE : p->next;
		if (torus_link_before(p->link_seq, far->expected)) {
			torus_packet_free(d, pkt);
			continue;
		}
		f->router->reclaim_tokens(f, node, p->slot,
					  f->router->tokens(f, p, p->slot % f->vcs));
		torus_stats_drop(d, node, pkt, reason);
	}
	l->tail = TORUS_NONE;
	l->resend = TORUS_NONE;
	l->bytes = 0;
	l->behind_loss = false;
	far->expected = l->next_seq;
}

/**
 * torus_link_give_up() - declare a link dead
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction
 * @err: [out] error message
 *
 * The sender is disabled. Packets that can use no other link are dropped as link_dead: packets in
 * the resend FIFO that have not arrived, and packets that wait for the link. Later packets are
 * dropped, too, until torus_link_disable() changes the state.
 *
 * Return: as torus_link_disable().
 */
int torus_link_give_up(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err)
{
	int ret = torus_link_disable(f, node, dir, true, err);

	if (ret)
		return ret;
	torus_link_at(torus_domain_of(f, node), node, dir)->dead = true;
	torus_link_discard(f, node, dir, TORUS_DROP_LINK_DEAD);
	f->router->discard_link(f, node, dir);
	return 0;
}

static int sender_set(struct torus_fabric *f, u32 node, u32 dir, enum torus_sender_state state,
		      struct torus_error *err)
{
	if (state == TORUS_SENDER_DEAD)
		return torus_link_give_up(f, node, dir, err);
	return torus_link_disable(f, node, dir, state == TORUS_SENDER_OFF, err);
}

/**
 * torus_senders_set() - set the state of one or more senders
 * @f: the fabric; no run may be in progress
 * @node: node of the sender, TORUS_NONE for all
 * @dir: direction, TORUS_NONE for all
 * @state: on, off, or dead
 * @err: [out] error message
 *
 * Return: as torus_link_disable().
 */
int torus_senders_set(struct torus_fabric *f, u32 node, u32 dir, enum torus_sender_state state,
		      struct torus_error *err)
{
	u32 first = node == TORUS_NONE ? 0 : node, last = node == TORUS_NONE ? f->nodes - 1 : node;
	u32 begin = dir == TORUS_NONE ? 0 : dir, end = dir == TORUS_NONE ? f->dirs : dir + 1;
	u32 i, j;
	int ret;

	for (i = first; i <= last; i++) {
		for (j = begin; j < end; j++) {
			/* if all nodes or all directions are meant, skip those without a link */
			if ((node == TORUS_NONE || dir == TORUS_NONE) && j < f->dirs &&
			    torus_geometry_neighbor(&f->cfg.geo, i, j) == TORUS_NONE)
				continue;
			ret = sender_set(f, i, j, state, err);
			if (ret)
				return ret;
		}
		if (!(i & 1023))
			torus_yield();
	}
	return 0;
}

/**
 * torus_node_dead() - check whether a node is dead
 * @f: the fabric
 * @node: index of the node
 *
 * Return: true if it is dead or has failed.
 */
bool torus_node_dead(const struct torus_fabric *f, u32 node)
{
	return f->dead && f->dead[node];
}

/**
 * torus_link_stopped() - check whether a link's sender is stopped until its state is changed
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction, which has a link
 *
 * Return: true if the sender is disabled or parked, or if a node at an end of the link is dead.
 */
bool torus_link_stopped(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct torus_link *l;

	if (!f->links)
		return false;
	l = torus_link_at(torus_domain_of(f, node), node, dir);
	return l->live && (l->parked || torus_link_off(f, l, node, dir));
}

/**
 * torus_link_blocked() - find packets in a parked link's resend FIFO that have not arrived
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction, which has a link
 * @after: the previous packet, TORUS_NONE to begin
 *
 * Skips packets in the resend FIFO that the receiver has accepted but not yet acknowledged.
 *
 * Return: the next packet, TORUS_NONE at the end.
 */
u32 torus_link_blocked(struct torus_fabric *f, u32 node, u32 dir, u32 after)
{
	u32 peer = torus_link_peer(f, node, dir), pkt;
	struct torus_domain *d = torus_domain_of(f, node);
	const struct torus_link *l = torus_link_at(d, node, dir);
	u32 expected = torus_link_at(torus_domain_of(f, peer), peer, dir)->expected;

	if (!l->live || !l->parked || after == l->tail)
		return TORUS_NONE;
	pkt = after == TORUS_NONE ? l->head : torus_packet_at(d, after)->next;
	while (pkt != TORUS_NONE && torus_link_before(torus_packet_at(d, pkt)->link_seq, expected))
		pkt = pkt == l->tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
	return pkt;
}

/*
 * Make both links between a node and its neighbour in direction @dir live. This allocates memory
 * before the node is changed, so that a node is isolated completely or not at all.
 */
static int dead_node_reserve(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	int ret;

	if (peer == TORUS_NONE)
		return 0;
	ret = torus_link_live(f, node, dir, err);
	return ret ? ret : torus_link_live(f, peer, TORUS_REVERSE(dir), err);
}

/*
 * Update the routers' ready state of both links between a node and its neighbour in direction @dir.
 */
static void dead_node_update(struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);

	if (peer == TORUS_NONE)
		return;
	torus_link_update_ready(torus_domain_of(f, node), node, dir);
	torus_link_update_ready(torus_domain_of(f, peer), peer, TORUS_REVERSE(dir));
}

/**
 * torus_node_kill() - mark a node as dead or alive
 * @f: the fabric; no run may be in progress
 * @node: index of the node
 * @dead: true: dead; false: alive again
 * @err: [out] error message
 *
 * Packets on a link to the node still arrive. Packets that wait for such a link wait until the node
 * lives again or the fabric is reset, unless their header allows another link. Settings of the
 * node's links are kept, and apply again when the node is alive.
 *
 * Return: 0, -EINVAL (no such node), -EOPNOTSUPP, -ENOMEM.
 */
int torus_node_kill(struct torus_fabric *f, u32 node, bool dead, struct torus_error *err)
{
	u32 dir;
	int ret;

	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (!f->router->link_live)
		return torus_fail(err, EOPNOTSUPP, "%s does not support dead nodes", f->arch->name);
	if (!f->dead)
		f->dead = torus_alloc(f->nodes);
	if (!f->dead)
		return torus_fail(err, ENOMEM, "no memory for %u nodes", f->nodes);
	for (dir = 0; dir < f->dirs; dir++) {
		ret = dead_node_reserve(f, node, dir, err);
		if (ret)
			return ret;
	}
	f->dead[node] = dead;
	for (dir = 0; dir < f->dirs; dir++)
		dead_node_update(f, node, dir);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Switches of links, as in BG/L's registers 0B and 12. Two switches stop a sender: it starts no
 * packets, or it retransmits none. A third stops a receiver: it accepts no packets. The first use
 * of a switch makes the link live.
 */
#include "core/link/control.h"
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/link/recovery.h"

static int link_switch_check(struct torus_fabric *f, u32 node, u32 sender, u32 dir,
			     struct torus_error *err)
{
	char name[16], text[64];

	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (dir >= f->dirs)
		return torus_fail(err, EINVAL, "direction %u: a node has only %u directions", dir,
				  f->dirs);
	if (sender == TORUS_NONE)
		return torus_fail(err, ENOLINK, "node %s has no link in direction %s",
				  torus_geometry_text(&f->cfg.geo, node, text, sizeof(text)),
				  torus_direction_name(dir, name, sizeof(name)));
	return torus_link_live(f, sender, dir, err);
}

static u32 link_end(const struct torus_fabric *f, u32 node, u32 dir)
{
	if (node >= f->nodes || dir >= f->dirs ||
	    torus_geometry_neighbor(&f->cfg.geo, node, dir) == TORUS_NONE)
		return TORUS_NONE;
	return node;
}

/**
 * torus_link_disable() - disable or enable a sender
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction
 * @disable: true: start no packet; false: start packets again
 * @err: [out] error message
 *
 * Packets that want a disabled link wait, or take another link if their header allows it. A
 * transmission in progress is completed, and retransmissions continue. Enabling a parked sender
 * restarts it, unless its link is down.
 *
 * Return: 0, -EINVAL, -ENOLINK if there is no such link, -EOPNOTSUPP, -ENOMEM.
 */
int torus_link_disable(struct torus_fabric *f, u32 node, u32 dir, bool disable,
		       struct torus_error *err)
{
	int ret = link_switch_check(f, node, link_end(f, node, dir), dir, err);
	struct torus_domain *d;
	struct torus_link *l;

	if (ret)
		return ret;
	d = torus_domain_of(f, node);
	l = torus_link_at(d, node, dir);
	l->dead = false;
	if (l->disabled != disable) {
		l->disabled = disable;
		torus_link_update_ready(d, node, dir);
	}
	if (!disable && l->parked)
		torus_link_wake(d, node, dir);
	return 0;
}

/**
 * torus_link_stop_resend() - disable or enable a sender's retransmissions
 * @f: the fabric; no run may be in progress
 * @node: the sender
 * @dir: the direction
 * @stop: true: ignore time-outs and nacks; false: obey them again
 * @err: [out] error message
 *
 * Unacknowledged packets stay in the resend FIFO. They are retransmitted at most one time-out after
 * retransmission is enabled, unless the sender is parked.
 *
 * Return: as torus_link_disable().
 */
int torus_link_stop_resend(struct torus_fabric *f, u32 node, u32 dir, bool stop,
			   struct torus_error *err)
{
	int ret = link_switch_check(f, node, link_end(f, node, dir), dir, err);
	struct torus_domain *d;

	if (ret)
		return ret;
	d = torus_domain_of(f, node);
	if (torus_link_at(d, node, dir)->no_resend != stop)
		torus_link_hold_resend(d, node, dir, stop);
	return 0;
}

/**
 * torus_link_stop_receive() - stop or resume a receiver
 * @f: the fabric; no run may be in progress
 * @node: the receiver
 * @dir: direction in which its packets travel
 * @stop: true: accept no packet; false: accept packets again
 * @err: [out] error message
 *
 * A stopped receiver acknowledges nothing. The sender retransmits after its time-outs, and
 * succeeds when the receiver is resumed.
 *
 * Return: as torus_link_disable().
 */
int torus_link_stop_receive(struct torus_fabric *f, u32 node, u32 dir, bool stop,
			    struct torus_error *err)
{
	u32 from = TORUS_NONE;
	int ret;

	if (node < f->nodes && dir < f->dirs)
		from = torus_link_from(f, node, dir);
	ret = link_switch_check(f, node, from, dir, err);
	if (ret)
		return ret;
	torus_link_at(torus_domain_of(f, node), node, dir)->deaf = stop;
	if (!stop)
		torus_link_wake(torus_domain_of(f, from), from, dir);
	return 0;
}

static bool loopback_buffers_empty(struct torus_fabric *f, u32 node)
{
	u32 slot, slots = f->dirs * f->vcs;
	bool blocked;
	u64 waits;

	for (slot = 0; slot < slots; slot++)
		if (f->router->head(f, node, slot, &waits, &blocked) != TORUS_NONE)
			return false;
	return true;
}

static bool link_acknowledged(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_domain *d = torus_domain_of(f, node);

	return !d->links || !torus_link_at(d, node, dir)->live ||
	       torus_link_at(d, node, dir)->head == TORUS_NONE;
}

/*
 * Check that no packet is in a node's buffers or on its links. If no event is pending, each packet
 * on a link is in the sender's resend FIFO or in the receiver's buffer.
 */
static bool loopback_at_rest(struct torus_fabric *f, u32 node, bool on)
{
	u32 dir, peer, from;

	if (torus_fabric_pending(f) || !loopback_buffers_empty(f, node))
		return false;
	for (dir = 0; dir < f->dirs; dir++) {
		peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
		if (peer == TORUS_NONE)
			continue;
		if (!link_acknowledged(f, node, dir))
			return false;
		/*
		 * Do not check the neighbours when loopback ends: they may keep packets that the
		 * cut links lost, and send them again afterwards.
		 */
		from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
		if (on && (!loopback_buffers_empty(f, peer) ||
			   (from != TORUS_NONE && !link_acknowledged(f, from, dir))))
			return false;
	}
	return true;
}

/*
 * Check that tokens can return in loopback. Simulated control packets return them over the link in
 * the opposite direction. At the edge of a mesh that link does not exist.
 */
static bool loopback_has_way_back(const struct torus_fabric *f, u32 node)
{
	u32 dir;

	for (dir = 0; dir < f->dirs && f->control_ticks; dir++)
		if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE &&
		    torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir)) == TORUS_NONE)
			return false;
	return true;
}

/*
 * Reconnect a link, or cut it if its receiver is in loopback. A connected receiver expects the
 * first packet that the sender still has.
 */
static void link_resume(struct torus_fabric *f, u32 node, u32 dir)
{
	u32 peer = torus_link_peer(f, node, dir), to;
	struct torus_domain *d = torus_domain_of(f, node);
	struct torus_link *l = torus_link_at(d, node, dir);

	to = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	l->cut = f->loopback[to] && peer != node;
	if (l->cut)
		return;
	torus_link_at(torus_domain_of(f, peer), peer, dir)->expected =
		l->head == TORUS_NONE ? l->next_seq : torus_packet_at(d, l->head)->link_seq;
	torus_link_wake(d, node, dir);
}

/**
 * torus_link_loopback() - switch a node's loopback, in which its senders feed its own receivers
 * @f: the fabric, without packets in motion; no run may be in progress
 * @node: the node
 * @on: true: loopback; false: normal links
 * @err: [out] error message
 *
 * The neighbours' links to the node are down. The CRCs at both ends of the node's links are reset,
 * because each link now connects two other ends. To have a packet's hint bits cleared in the loop,
 * software sets the neighbour registers to the node itself.
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP, -ENOMEM, -EBUSY if packets are in motion.
 */
int torus_link_loopback(struct torus_fabric *f, u32 node, bool on, struct torus_error *err)
{
	u32 dir, from;
	int ret;

	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (!f->router->loopback)
		return torus_fail(err, EOPNOTSUPP, "%s has no loopback", f->arch->name);
	if (on == (f->loopback && f->loopback[node]))
		return 0;
	if (!loopback_has_way_back(f, node))
		return torus_fail(err, EOPNOTSUPP,
				  "loopback of node %u: not possible at the edge of a mesh with "
				  "control=simulated, no link returns its tokens", node);
	if (!loopback_at_rest(f, node, on))
		return torus_fail(err, EBUSY,
				  "loopback of node %u: requires an idle fabric, but packets are "
				  "in flight", node);
	if (!f->loopback)
		f->loopback = torus_alloc(f->nodes);
	if (!f->loopback)
		return torus_fail(err, ENOMEM, "no memory for the loopback of %u nodes", f->nodes);
	for (dir = 0; dir < f->dirs; dir++) {
		from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
		ret = 0;
		if (torus_link_peer(f, node, dir) != TORUS_NONE)
			ret = torus_link_live(f, node, dir, err);
		if (!ret && from != TORUS_NONE)
			ret = torus_link_live(f, from, dir, err);
		if (ret)
			return ret;
	}
	f->loopback[node] = on;
	f->router->loopback(f, node, on);
	for (dir = 0; dir < f->dirs; dir++) {
		if (torus_link_peer(f, node, dir) != TORUS_NONE) {
			torus_link_crc_clear(f, node, dir, false);
			torus_link_crc_clear(f, node, dir, true);
			link_resume(f, node, dir);
		}
		from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
		if (from != TORUS_NONE && !f->loopback[from])
			link_resume(f, from, dir);
	}
	return 0;
}

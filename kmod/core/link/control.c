// SPDX-License-Identifier: GPL-2.0
/*
 * Switches of a link's two ends: the sender may be kept from starting packets or
 * from sending again, the receiver from taking anything.  (BG/L registers 0B
 * and 12.)  They make the link live.
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
		return torus_fail(err, EINVAL, "direction %u: a node has %u", dir, f->dirs);
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
 * torus_link_disable() - keep a sender from starting packets, or let it again
 * @f: the fabric, held
 * @node: the sender
 * @dir: the direction
 * @disable: which of the two
 * @err: why not
 *
 * Packets that want the link stay where they are, or take another if their
 * header leaves a choice; what is on its way finishes, resends included.  A sender
 * that has given up tries again when it is let.
 *
 * Return: 0, -EINVAL, -ENOLINK where there is no such link, -EOPNOTSUPP,
 * -ENOMEM.
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
 * torus_link_stop_resend() - let a sender's time-outs pass by, or act again
 * @f: the fabric, held
 * @node: the sender
 * @dir: the direction
 * @stop: which of the two
 * @err: why not
 *
 * What is not acknowledged stays in the resend FIFO, and is sent again a time-out
 * after the sender may.
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
 * torus_link_stop_receive() - keep a receiver from taking packets, or let it again
 * @f: the fabric, held
 * @node: the receiver
 * @dir: direction in which its packets travel
 * @stop: which of the two
 * @err: why not
 *
 * It acknowledges nothing: the sender sends again after its time-outs, and gets
 * through when the receiver is let go.
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

/* --------------------------------------------------------------- loopback */

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

/* With no event pending, what is on a link is in its resend FIFO or a buffer behind it. */
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
		/* a neighbour that was cut off may have sent: it gets through later */
		from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
		if (on && (!loopback_buffers_empty(f, peer) ||
			   (from != TORUS_NONE && !link_acknowledged(f, from, dir))))
			return false;
	}
	return true;
}

/*
 * Where control packets are simulated a loop's tokens go back over the link the
 * other way, which the edge of a mesh has not got.
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

/* A link's receiver goes on with the first packet that its sender still holds. */
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
 * torus_link_loopback() - have a node's senders feed its own receivers, or no longer
 * @f: the fabric, held and at rest
 * @node: the node
 * @on: which of the two
 * @err: why not
 *
 * Its neighbours find the links to it down.  Both CRCs of its own links start
 * anew, for they have another end.  Software that wants a packet's hint cleared
 * in the loop says so in the neighbour registers: the neighbour is the node itself.
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP, -ENOMEM, -EBUSY if something is under way.
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
				  "loopback of node %u: at the edge of a mesh no link brings its "
				  "tokens back (control=simulated)",
				  node);
	if (!loopback_at_rest(f, node, on))
		return torus_fail(err, EBUSY,
				  "loopback of node %u: only on a fabric at rest, packets are "
				  "under way",
				  node);
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

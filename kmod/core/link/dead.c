// SPDX-License-Identifier: GPL-2.0
/*
 * Dead nodes.  A node that is known to be dead is cut off as the machine's software
 * cuts it off: the senders of the links to it are disabled (BG/L register 0B), and
 * its own.  Nothing routes around it by itself: hint bits do (user/route).
 */
#include "core/state/domain.h"
#include "core/link/fault.h"
#include "core/link/link.h"

/**
 * torus_senders_set() - links start packets, or not
 * @f: the fabric, held
 * @node: node of the sender, TORUS_NONE for all
 * @dir: direction, TORUS_NONE for all
 * @on: which of the two
 * @err: why not
 *
 * Return: as torus_link_disable().
 */
int torus_senders_set(struct torus_fabric *f, u32 node, u32 dir, bool on, struct torus_error *err)
{
	u32 first = node == TORUS_NONE ? 0 : node, last = node == TORUS_NONE ? f->nodes - 1 : node;
	u32 begin = dir == TORUS_NONE ? 0 : dir, end = dir == TORUS_NONE ? f->dirs : dir + 1;
	u32 i, j;
	int ret;

	for (i = first; i <= last; i++) {
		for (j = begin; j < end; j++) {
			/* of all links those that there are */
			if ((node == TORUS_NONE || dir == TORUS_NONE) && j < f->dirs &&
			    torus_geometry_neighbor(&f->cfg.geo, i, j) == TORUS_NONE)
				continue;
			ret = torus_link_disable(f, i, j, !on, err);
			if (ret)
				return ret;
		}
		if (!(i & 1023))
			torus_yield();
	}
	return 0;
}

/**
 * torus_node_dead() - is a node dead?
 * @f: the fabric
 * @node: number of the node
 *
 * Return: true if so.
 */
bool torus_node_dead(const struct torus_fabric *f, u32 node)
{
	return f->dead && f->dead[node];
}

static int dead_cut(struct torus_fabric *f, u32 node, u32 dir, bool dead, struct torus_error *err)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	int ret;

	/* links to a neighbour that stays dead stay as they are */
	if (peer == TORUS_NONE || torus_node_dead(f, peer))
		return 0;
	ret = torus_link_disable(f, node, dir, dead, err);
	if (ret)
		return ret;
	return torus_link_disable(f, peer, TORUS_REVERSE(dir), dead, err);
}

/**
 * torus_node_kill() - a node dies, or lives again
 * @f: the fabric, held
 * @node: number of the node
 * @dead: which of the two
 * @err: why not
 *
 * What is under way to it over a link arrives; what waits for such a link waits for
 * good, unless its header leaves a choice.  Until the fabric is reset.
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
		return torus_fail(err, EOPNOTSUPP, "nodes of %s do not die", f->arch->name);
	if (!f->dead)
		f->dead = torus_alloc(f->nodes);
	if (!f->dead)
		return torus_fail(err, ENOMEM, "no memory for %u nodes", f->nodes);
	for (dir = 0; dir < f->dirs; dir++) {
		ret = dead_cut(f, node, dir, dead, err);
		if (ret)
			return ret;
	}
	f->dead[node] = dead;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Switches of a link's two ends: the sender may be kept from starting packets or
 * from sending again, the receiver from taking anything.  (BG/L registers 0B
 * and 12.)  They make the link live.
 */
#include "link.h"

static int control(struct torus_fabric *f, u32 node, u32 sender, u32 dir, struct torus_error *err)
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
 * header leaves a choice; what is on its way finishes, resends included.
 *
 * Return: 0, -EINVAL, -ENOLINK where there is no such link, -EOPNOTSUPP,
 * -ENOMEM.
 */
int torus_link_disable(struct torus_fabric *f, u32 node, u32 dir, bool disable,
		       struct torus_error *err)
{
	int ret = control(f, node, link_end(f, node, dir), dir, err);
	struct torus_domain *d;
	struct torus_link *l;

	if (ret)
		return ret;
	d = torus_domain_of(f, node);
	l = torus_link_at(d, node, dir);
	if (l->disabled == disable)
		return 0;
	l->disabled = disable;
	torus_link_offer(d, node, dir);
	return 0;
}

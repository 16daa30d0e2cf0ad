// SPDX-License-Identifier: GPL-2.0
/* The state of the links of a port's node. */
#include "core/link/dead_node.h"
#include "core/link/link.h"
#include "core/port/links.h"
#include "core/port/port.h"
#include "core/state/domain.h"

_Static_assert(2 * TORUS_DIMS_MAX < 32, "a register of all ones is no state of links");

static bool links_can_send(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct torus_link *l;

	if (torus_geometry_neighbor(&f->cfg.geo, node, dir) == TORUS_NONE)
		return false;
	if (!f->links)
		return true;
	l = torus_link_at(torus_domain_of(f, node), node, dir);
	return !torus_link_stopped(f, node, dir) && !(l->live && torus_link_down(l));
}

void torus_port_links_check(struct torus_port *port, struct torus_fabric *f)
{
	u32 links = 0, dir;

	for (dir = 0; dir < f->dirs; dir++)
		if (links_can_send(f, port->node, dir))
			links |= 1u << dir;
	torus_store(&port->links, links);
}

u32 torus_port_links_read(struct torus_port *port)
{
	u32 links = torus_load(&port->links);

	port->ops->poll(port->owner);
	return links;
}

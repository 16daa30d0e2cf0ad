// SPDX-License-Identifier: GPL-2.0
/*
 * Find the dead links and nodes of an attached fabric. user/route selects the hints that avoid
 * them.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <torus/route.h>
#include <torus/torus.h>
#include "dead_links.h"
#include "error.h"
#include "genl.h"
#include "group_owners.h"

struct faults {
	struct torus_context *context;
	struct torus_route_map *map;
};

/*
 * Check that a link which is down now stays down: no temporary fault ends by bringing it up.
 */
static bool link_stays_down(const struct genl_client *client)
{
	unsigned char nest[64];
	size_t bytes = torus_genl_attr(client, TORUS_A_LINK_BASE, nest, sizeof(nest)), at;
	struct nlattr attr;
	uint32_t state;

	for (at = 0; at + NLA_HDRLEN + sizeof(state) <= bytes; at += NLA_ALIGN(attr.nla_len)) {
		memcpy(&attr, nest + at, sizeof(attr));
		memcpy(&state, nest + at + NLA_HDRLEN, sizeof(state));
		if ((attr.nla_type & NLA_TYPE_MASK) == TORUS_A_LINK_STATE)
			return !state;
		if (attr.nla_len < NLA_HDRLEN)
			break;
	}
	return true;
}

/* Check whether the map that the context's job uses already marks a link as dead. */
static bool link_was_dead(const struct faults *faults, uint32_t node, uint32_t dir)
{
	const struct torus_route_map *map = faults->context->avoided;

	return map && torus_route_node_alive(map, node) && !torus_route_link_alive(map, node, dir);
}

static int link_read(const struct genl_client *client, void *arg)
{
	struct faults *faults = arg;
	uint32_t node, dir, state, sender, control;
	int ret;

	if (!torus_genl_attr(client, TORUS_A_NODE, &node, sizeof(node)) ||
	    !torus_genl_attr(client, TORUS_A_DIR, &dir, sizeof(dir)) ||
	    !torus_genl_attr(client, TORUS_A_LINK_STATE, &state, sizeof(state)) ||
	    !torus_genl_attr(client, TORUS_A_LINK_SENDER, &sender, sizeof(sender)) ||
	    !torus_genl_attr(client, TORUS_A_LINK_CONTROL, &control, sizeof(control)))
		return -EBADMSG;
	if (sender && !(control & (TORUS_LINK_PARKED | TORUS_LINK_DEAD))) {
		if (state || (!link_stays_down(client) && !link_was_dead(faults, node, dir)))
			return 0;
		faults->context->link_down = true;
	}
	ret = torus_route_kill_link(faults->map, node, dir);
	return ret == -ENOLINK ? 0 : ret;
}

static int faults_group(const struct torus_group *group, uint32_t holder, void *map)
{
	(void)holder;
	return group->flags & TORUS_GROUP_DEAD ? torus_route_kill_node(map, group->node) : 0;
}

/*
 * Mark dead links in @map, see torus_route_learn().  Netlink does not find a fabric of another
 * network namespace.  In that case the device reports dead nodes only.
 */
int torus_context_faults(struct torus_context *context, struct torus_route_map *map)
{
	struct faults faults = { .context = context, .map = map };
	int ret;

	context->link_down = false;
	ret = torus_genl_fabric(context->info.fabric, TORUS_CMD_LINK_GET, TORUS_A_CHANGED,
				link_read, &faults);

	return ret == -ENOENT ? torus_groups_each(context, faults_group, map) : ret;
}

static int map_new(const struct torus_context *context, struct torus_route_map **map)
{
	const struct torus_ioc_info *info = &context->info;
	int ret = torus_route_map_new(map, info->dims, info->ndims, info->mesh);

	return ret ? torus_error_set(ret, "out of memory for a map of %u nodes", info->nodes) : 0;
}

/*
 * Complete a map of dead links: mark each node whose links are all dead.  After an error, free the
 * map instead.
 */
static int map_end(int ret, struct torus_route_map **map)
{
	if (!ret)
		ret = torus_route_find_nodes(*map);
	if (ret) {
		torus_route_map_free(*map);
		*map = NULL;
	}
	return ret;
}

/**
 * torus_route_given() - make a map of given dead links
 * @context: the context; its link_down is set if one of the links is down
 * @dead: array of the links
 * @map: [out] freed by the caller with torus_route_map_free()
 *
 * Return: 0, -ENOMEM, -ERANGE (no such node or direction).
 */
int torus_route_given(struct torus_context *context, const struct dead_links *dead,
		      struct torus_route_map **map)
{
	int ret = map_new(context, map);
	uint32_t i;

	if (ret)
		return ret;
	context->link_down = false;
	for (i = 0; i < dead->count && !ret; i++) {
		const struct dead_link *link = &dead->link[i];

		ret = torus_route_kill_link(*map, link->node, link->dir);
		if (ret == -ENOLINK)
			ret = 0;
		if (ret)
			torus_error_set(ret, "TORUS_DEAD: node %u has no link in direction %u",
					link->node, link->dir);
		context->link_down |= link->down;
	}
	return map_end(ret, map);
}

/**
 * torus_route_learn() - find out which nodes and links of a context's fabric are dead now
 * @context: the context
 * @map: [out] freed by the caller with torus_route_map_free()
 *
 * A link is dead if its sender is off, dead or has given up (parked), or if it is down.  Exception:
 * the link is down only until a temporary fault ends, and the open job does not avoid it yet.  Then
 * packets wait, and the link protocol retransmits them.  A node is dead if all its links are dead
 * (torusctl node set FABRIC NODE state dead).
 *
 * Return: 0, -EOPNOTSUPP (machine), -ENOMEM, or an error of netlink or the device.
 */
int torus_route_learn(struct torus_context *context, struct torus_route_map **map)
{
	const struct torus_ioc_info *info = &context->info;
	char why[TORUS_MACHINE_WHY_MAX];
	int ret;

	ret = torus_machine_demand(info->arch, TORUS_MACHINE_AVOID, why, sizeof(why));
	if (ret)
		return torus_error_set(ret, "fabric %s: %s", info->fabric, why);
	ret = map_new(context, map);
	if (ret)
		return ret;
	if (context->ops->faults)
		ret = context->ops->faults(context, *map);
	return map_end(ret, map);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * What is dead in an attached fabric.  The choice of hints is user/route's.
 */
#include <errno.h>
#include <torus/route.h>
#include <torus/torus.h>
#include "context.h"
#include "exchange.h"

static int link_read(const struct exchange *exchange, void *arg)
{
	struct torus_route_map *map = arg;
	__u32 node, dir;
	int ret;

	if (!torus_exchange_attr(exchange, TORUS_A_NODE, &node, sizeof(node)) ||
	    !torus_exchange_attr(exchange, TORUS_A_DIR, &dir, sizeof(dir)))
		return -EBADMSG;
	ret = torus_route_kill_link(map, node, dir);
	return ret == -ENOLINK ? 0 : ret;
}

static int faults_group(const struct torus_group *group, __u32 holder, void *map)
{
	(void)holder;
	return group->flags & TORUS_GROUP_DEAD ? torus_route_kill_node(map, group->node) : 0;
}

/*
 * Ask the module: links whose sender is off.  In another network namespace than the
 * fabric's netlink does not know it, and the file only tells of nodes.
 */
int torus_context_faults(struct torus_context *context, struct torus_route_map *map)
{
	const struct exchange_word off = { .attr = TORUS_A_LINK_SENDER, .value = 0 };
	int ret = torus_exchange_fabric(context->info.fabric, TORUS_CMD_LINK_GET, &off, link_read,
					map);

	return ret == -ENOENT ? torus_groups_each(context, faults_group, map) : ret;
}

/**
 * torus_route_learn() - what is dead in a context's fabric now
 * @context: the context
 * @map: out: free it with torus_route_map_free()
 *
 * Dead is a link whose sender is off, and a node all of whose links are (torusctl node
 * set FABRIC NODE state dead).  A link that is down is not: the link protocol sends
 * again until it is up.
 *
 * Return: 0, -EOPNOTSUPP (machine), -ENOENT, -ENOMEM, or what netlink answered.
 */
int torus_route_learn(struct torus_context *context, struct torus_route_map **map)
{
	const struct torus_ioc_info *info = &context->info;
	char why[TORUS_MACHINE_WHY_MAX];
	int ret;

	ret = torus_machine_demand(info->arch, TORUS_MACHINE_AVOID, why, sizeof(why));
	if (ret)
		return torus_error_set(ret, "fabric %s: %s", info->fabric, why);
	ret = torus_route_map_new(map, info->dims, info->ndims, info->mesh);
	if (ret)
		return torus_error_set(ret, "no memory for a map of %u nodes", info->nodes);
	if (context->ops->faults)
		ret = context->ops->faults(context, *map);
	if (!ret)
		ret = torus_route_find_nodes(*map);
	if (ret) {
		torus_route_map_free(*map);
		*map = NULL;
	}
	return ret;
}

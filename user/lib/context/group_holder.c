// SPDX-License-Identifier: GPL-2.0
/* Name the program that has a FIFO group to which another program cannot attach. */
#include <stdint.h>
#include <torus/torus.h>
#include "error.h"
#include "genl.h"
#include "group_holder.h"

/* The owner of a FIFO group; @command is "" while it is not known. */
struct group_owner {
	uint32_t node;
	uint32_t group;
	uint32_t pid;
	char command[16];
};

/* Read an owner from a reply, and keep it if it has the group. */
static int holder_read(const struct genl_client *client, void *arg)
{
	struct group_owner *owner = arg;
	uint32_t node, group;

	if (!torus_genl_attr(client, TORUS_A_NODE, &node, sizeof(node)) ||
	    !torus_genl_attr(client, TORUS_A_GROUP, &group, sizeof(group)) ||
	    node != owner->node || group != owner->group)
		return 0;
	torus_genl_attr(client, TORUS_A_PID, &owner->pid, sizeof(owner->pid));
	torus_genl_attr(client, TORUS_A_COMMAND, owner->command, sizeof(owner->command));
	return 0;
}

/**
 * torus_group_taken() - report a FIFO group that another context has
 * @attach: the request that was rejected
 * @error: positive errno of the rejection
 *
 * Names the program if this user may see it, and if netlink finds the fabric: it does not find one
 * of another network namespace.
 *
 * Return: the negative errno.
 */
int torus_group_taken(const struct torus_ioc_attach *attach, int error)
{
	struct group_owner owner = { .node = attach->node, .group = attach->group };

	torus_genl_fabric(attach->fabric, TORUS_CMD_CONTEXT_GET, GENL_DUMP_ALL,
			  holder_read, &owner);
	if (*owner.command && owner.pid)
		return torus_error_set(-error, "node %u of fabric %s: FIFO group %u is in use by "
				       "pid %u (%s)", attach->node, attach->fabric, attach->group,
				       owner.pid, owner.command);
	return torus_error_set(-error, "node %u of fabric %s: FIFO group %u is in use by %s%s",
			       attach->node, attach->fabric, attach->group,
			       *owner.command ? owner.command : "another context",
			       *owner.command ? " of another PID namespace, or in the kernel" :
						"");
}

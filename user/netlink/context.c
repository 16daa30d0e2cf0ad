// SPDX-License-Identifier: GPL-2.0
/* Read the owners of FIFO groups, and the programs that have barrier gates. */
#include <errno.h>

#include "context.h"

/**
 * torus_nl_context_read - read the owner of a FIFO group, or of barrier gates, from a message
 * @item: [out] the owner, a struct torus_nl_context
 *
 * Return: 0, or -EBADMSG if the message has no node.
 */
int torus_nl_context_read(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_context *context = item;

	if (!torus_nl_has(reply, TORUS_A_NODE))
		return -EBADMSG;
	context->node = torus_nl_u32(reply, TORUS_A_NODE);
	context->group = torus_nl_has(reply, TORUS_A_GROUP) ? torus_nl_u32(reply, TORUS_A_GROUP) :
							      TORUS_NL_GATES;
	context->uid = torus_nl_u32(reply, TORUS_A_UID);
	context->pid = torus_nl_u32(reply, TORUS_A_PID);
	context->driver = torus_nl_u32(reply, TORUS_A_DRIVER);
	context->lost = torus_nl_u64(reply, TORUS_A_VALUE);
	torus_nl_string(reply, TORUS_A_COMMAND, context->command, sizeof(context->command));
	return 0;
}

/**
 * torus_nl_context_dump - list the owners of FIFO groups, and the programs that have barrier gates,
 * at nodes that this user may see
 * @fabric: name of the fabric
 * @node: number of a node, or NULL for all nodes
 * @contexts: [out] array, freed by the caller
 * @count: [out] number of entries
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_context_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
			  struct torus_nl_context **contexts, size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**contexts), .parse = torus_nl_context_read };
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_CONTEXT_GET, fabric);
	int error;

	if (msg && node && nla_put_u32(msg, TORUS_A_NODE, *node)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_dump(nl, msg, &list);
	*contexts = list.items;
	*count = list.count;
	return error;
}

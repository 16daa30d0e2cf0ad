// SPDX-License-Identifier: GPL-2.0
/* Read the position, owner and state of nodes, set owner and state, and inject faults. */
#include <errno.h>
#include <stdlib.h>

#include "node.h"

static int node_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_node *node = item;
	unsigned int attr;
	size_t sent;

	if (!torus_nl_has(reply, TORUS_A_NODE))
		return -EBADMSG;
	for (attr = 0; attr <= TORUS_A_MAX; attr++)
		if (torus_nl_has(reply, attr))
			node->present |= TORUS_NL_HAS(attr);
	node->node = torus_nl_u32(reply, TORUS_A_NODE);
	sent = torus_nl_binary(reply, TORUS_A_COORDS, node->coords, sizeof(node->coords));
	if (sent > sizeof(node->coords))
		return -EBADMSG;
	node->ndims = sent / sizeof(node->coords[0]);
	node->uid = torus_nl_u32(reply, TORUS_A_UID);
	node->partition = torus_nl_u32(reply, TORUS_A_PARTITION);
	node->contexts = torus_nl_u32(reply, TORUS_A_CONTEXTS);
	node->state = torus_nl_u32(reply, TORUS_A_NODE_STATE);
	return 0;
}

/**
 * torus_nl_node_get - describe a node
 * @fabric: name of the fabric
 * @number: number of the node
 * @node: [out] the description
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_node_get(struct torus_nl *nl, const char *fabric, uint32_t number,
		      struct torus_nl_node *node)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_NODE_GET, fabric);

	*node = (struct torus_nl_node){ .present = 0 };
	if (msg && nla_put_u32(msg, TORUS_A_NODE, number)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, node_parse, node);
}

struct fifos {
	struct torus_fifo_counters *list;
	size_t count;
};

static int fifos_parse(const struct torus_nl_reply *reply, void *item)
{
	size_t bytes = torus_nl_has(reply, TORUS_A_FIFOS) ?
		       nla_len(reply->attrs[TORUS_A_FIFOS]) : 0;
	struct fifos *fifos = item;

	if (bytes % sizeof(*fifos->list))
		return -EBADMSG;
	if (!bytes)
		return 0;
	fifos->list = malloc(bytes);
	if (!fifos->list)
		return -ENOMEM;
	torus_nl_binary(reply, TORUS_A_FIFOS, fifos->list, bytes);
	fifos->count = bytes / sizeof(*fifos->list);
	return 0;
}

/**
 * torus_nl_node_fifos - read the counters of a node's FIFOs
 * @fabric: name of the fabric
 * @number: number of the node
 * @fifos: [out] array of the FIFOs of all groups that were ever used, freed by the caller
 * @count: [out] number of FIFOs
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_node_fifos(struct torus_nl *nl, const char *fabric, uint32_t number,
			struct torus_fifo_counters **fifos, size_t *count)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_NODE_GET, fabric);
	struct fifos found = { .list = NULL };
	int error;

	if (msg && nla_put_u32(msg, TORUS_A_NODE, number)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_do(nl, msg, fifos_parse, &found);
	*fifos = found.list;
	*count = found.count;
	return error;
}

/**
 * torus_nl_node_dump - describe the nodes of a fabric that this user may see
 * @fabric: name of the fabric
 * @nodes: [out] array, freed by the caller
 * @count: [out] number of nodes
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_node_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_node **nodes,
		       size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**nodes), .parse = node_parse };
	int error = torus_nl_dump(nl, torus_nl_message(nl, TORUS_CMD_NODE_GET, fabric), &list);

	*nodes = list.items;
	*count = list.count;
	return error;
}

/**
 * torus_nl_node_dump_changed - describe the nodes that have an owner or a partition, or are dead,
 * and that this user may see
 * @fabric: name of the fabric
 * @nodes: [out] array, freed by the caller
 * @count: [out] number of nodes
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_node_dump_changed(struct torus_nl *nl, const char *fabric,
			       struct torus_nl_node **nodes, size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**nodes), .parse = node_parse };
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_NODE_GET, fabric);
	int error;

	if (msg && nla_put_flag(msg, TORUS_A_CHANGED)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_dump(nl, msg, &list);
	*nodes = list.items;
	*count = list.count;
	return error;
}

/**
 * torus_nl_node_set - set a node's owner, partition or state, evict its programs, or make its FIFO
 * groups devices
 * @fabric: name of the fabric
 * @node: number of the node, and the attributes to be set; @present names them
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_node_set(struct torus_nl *nl, const char *fabric, const struct torus_nl_node *node)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_NODE_SET, fabric);

	if (msg && (nla_put_u32(msg, TORUS_A_NODE, node->node) ||
		    ((node->present & TORUS_NL_HAS(TORUS_A_UID)) &&
		     nla_put_u32(msg, TORUS_A_UID, node->uid)) ||
		    ((node->present & TORUS_NL_HAS(TORUS_A_PARTITION)) &&
		     nla_put_u32(msg, TORUS_A_PARTITION, node->partition)) ||
		    ((node->present & TORUS_NL_HAS(TORUS_A_NODE_STATE)) &&
		     nla_put_u32(msg, TORUS_A_NODE_STATE, node->state)) ||
		    ((node->present & TORUS_NL_HAS(TORUS_A_DRIVER)) &&
		     nla_put_u32(msg, TORUS_A_DRIVER, node->driver)) ||
		    ((node->present & TORUS_NL_HAS(TORUS_A_GROUP)) &&
		     nla_put_u32(msg, TORUS_A_GROUP, node->group)) ||
		    ((node->present & TORUS_NL_HAS(TORUS_A_EVICT)) &&
		     nla_put_flag(msg, TORUS_A_EVICT)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

/**
 * torus_nl_node_inject - inject a fault into the device of a node
 * @fabric: name of the fabric
 * @number: number of the node
 * @inject: the fault
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_node_inject(struct torus_nl *nl, const char *fabric, uint32_t number,
			 const struct torus_nl_inject *inject)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_NODE_INJECT, fabric);

	if (msg && (nla_put_u32(msg, TORUS_A_NODE, number) ||
		    nla_put_u32(msg, TORUS_A_GROUP, inject->group) ||
		    nla_put_string(msg, TORUS_A_INJECT, inject->fault) ||
		    (inject->has_value && nla_put_u64(msg, TORUS_A_VALUE, inject->value)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Find the nodes of a fabric that the calling user may not see.
 *
 * The module omits these nodes and their links from its lists. A route must not treat them as
 * alive.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../../netlink/node.h"
#include "hidden_nodes.h"
#include "../../parse/node_set.h"
#include "../../config/node_addr.h"
#include "../../config/diag.h"

static int number_order(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Remove the nodes that the module listed from @all, so that hidden nodes remain. */
static void unseen_keep(struct place_list *all, struct torus_nl_node *nodes, size_t count)
{
	uint32_t *seen = malloc((count ? count : 1) * sizeof(*seen));
	size_t kept = 0, i;

	for (i = 0; seen && i < count; i++)
		seen[i] = nodes[i].node;
	if (seen)
		qsort(seen, count, sizeof(*seen), number_order);
	for (i = 0; i < all->count; i++)
		if (!seen || !bsearch(&all->numbers[i], seen, count, sizeof(*seen), number_order))
			all->numbers[kept++] = all->numbers[i];
	all->count = kept;
	free(seen);
}

/**
 * hidden_nodes_find - find the nodes that the caller may not see
 * @fabric: the fabric
 * @unseen: [out] node numbers, freed by the caller
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int hidden_nodes_find(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		      struct place_list *unseen)
{
	const struct parse_places all = { .word = "all", .all = true };
	struct torus_nl_node *nodes;
	size_t count;
	int status;

	*unseen = (struct place_list){ .count = 0 };
	if (torus_nl_node_dump(ctl->nl, fabric->name, &nodes, &count))
		return ctl_failed(ctl);
	status = CTL_OK;
	if (count < fabric->nodes)
		status = place_numbers(ctl, fabric, &all, unseen);
	if (!status)
		unseen_keep(unseen, nodes, count);
	free(nodes);
	return status;
}

/**
 * hidden_nodes_refuse - report that the result depends on a node that the caller may not see
 * @fabric: the fabric
 * @node: number of the node
 *
 * Return: CTL_FAILED.
 */
int hidden_nodes_refuse(struct ctl *ctl, const struct torus_nl_fabric *fabric, uint32_t node)
{
	char text[PLACE_TEXT_MAX];

	ctl_error(ctl, "node %s: this user may not see whether this node on the path is dead "
		  "(fabric %s: watch %s)", place_text(fabric, node, text, sizeof(text)),
		  fabric->name, torus_nl_fabric_param(fabric, "watch"));
	return CTL_FAILED;
}

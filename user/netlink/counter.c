// SPDX-License-Identifier: GPL-2.0
/* Read and reset the counters of a fabric and of its links. */
#include <errno.h>

#include "counter.h"

static int counter_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_fabric_counters *counters = item;

	return torus_nl_binary(reply, TORUS_A_COUNTERS, counters, sizeof(*counters)) ?
	       0 : -EBADMSG;
}

/**
 * torus_nl_counter_get - read a fabric's counters
 * @fabric: name of the fabric
 * @counters: [out] filled in on success
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_counter_get(struct torus_nl *nl, const char *fabric,
			 struct torus_fabric_counters *counters)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_COUNTER_GET, fabric),
			   counter_parse, counters);
}

/**
 * torus_nl_counter_link - read the counters of a link
 * @fabric: name of the fabric
 * @node: number of the sending node
 * @link: [out] node, direction and counters
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_counter_link(struct torus_nl *nl, const char *fabric, uint32_t node, uint32_t dir,
			  struct torus_nl_link *link)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_COUNTER_GET, fabric);

	*link = (struct torus_nl_link){ .present = 0 };
	if (msg && (nla_put_u32(msg, TORUS_A_NODE, node) || nla_put_u32(msg, TORUS_A_DIR, dir))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, torus_nl_link_parse, link);
}

/**
 * torus_nl_counter_dump - read the counters of all links whose sending node this user may see
 * @fabric: name of the fabric
 * @node: number of a sending node, or NULL for all nodes
 * @links: [out] array, freed by the caller; only node, direction and counters are set
 * @count: [out] number of links
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_counter_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
			  struct torus_nl_link **links, size_t *count)
{
	struct torus_nl_list list = { .size = sizeof(**links), .parse = torus_nl_link_parse };
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_COUNTER_GET, fabric);
	int error;

	if (msg && node && nla_put_u32(msg, TORUS_A_NODE, *node)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_dump(nl, msg, &list);
	*links = list.items;
	*count = list.count;
	return error;
}

/**
 * torus_nl_counter_reset - reset all counters of a fabric, except those that describe the packets
 * in flight
 * @fabric: name of the fabric
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_counter_reset(struct torus_nl *nl, const char *fabric)
{
	return torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_COUNTER_RESET, fabric), NULL, NULL);
}

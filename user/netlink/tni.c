// SPDX-License-Identifier: GPL-2.0
/* Read the counters of the network interfaces of nodes. */
#include <errno.h>

#include "tni.h"

static int tnis_parse(const struct torus_nl_reply *reply, void *item)
{
	struct torus_nl_tnis *tnis = item;
	size_t sent = torus_nl_binary(reply, TORUS_A_TNIS, tnis->tni, sizeof(tnis->tni));

	if (sent > sizeof(tnis->tni) || sent % sizeof(tnis->tni[0]))
		return -EBADMSG;
	tnis->count = (unsigned int)(sent / sizeof(tnis->tni[0]));
	return 0;
}

/**
 * torus_nl_tnis_get - read the counters of network interfaces
 * @fabric: name of the fabric
 * @node: number of a node; NULL: sum over all nodes for each interface
 * @tnis: [out] the counters
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_tnis_get(struct torus_nl *nl, const char *fabric, const uint32_t *node,
		      struct torus_nl_tnis *tnis)
{
	struct nl_msg *msg = torus_nl_message(nl, node ? TORUS_CMD_NODE_GET :
						  TORUS_CMD_COUNTER_GET, fabric);

	*tnis = (struct torus_nl_tnis){ .count = 0 };
	if (msg && node && nla_put_u32(msg, TORUS_A_NODE, *node)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, tnis_parse, tnis);
}

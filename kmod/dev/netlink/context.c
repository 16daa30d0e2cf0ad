// SPDX-License-Identifier: GPL-2.0
/* Netlink command for contexts: report the owners of FIFO groups and gates of a fabric. */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "core/base/node_number.h"
#include "dev/base/pages.h"
#include "dev/engine/client.h"
#include "dev/engine/engine.h"
#include "context.h"
#include "message.h"
#include "request.h"
#include "rights.h"

static int torus_netlink_fill_owner(struct torus_netlink_msg *msg, const struct torus_engine *e,
				    u32 node, const u32 *group, u64 lost,
				    const struct torus_group_owner *owner)
{
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, torus_netlink_put_owner(msg, e, node, group, owner) &&
				 (!lost || torus_netlink_put_u64(msg, TORUS_A_VALUE, lost)));
}

/* Return the number of notices that did not fit into the program's ring. */
static u64 torus_netlink_lost_notices(const struct torus_engine_client *client)
{
	return READ_ONCE(torus_status_notice(client->status)->lost);
}

/* Count an owner in @place, and check whether the dump must still report it. */
static bool torus_netlink_owner_next(const struct torus_netlink_msg *msg,
				     const struct torus_netlink_dump *dump, u32 *place, u32 node)
{
	return (*place)++ >= dump->next && (!dump->one || node == dump->node) &&
	       torus_netlink_sees(msg->cb->skb, dump->engine, node);
}

/* Report the owners of FIFO groups, then those of gates. */
static int torus_netlink_fill_owners(struct torus_netlink_msg *msg,
				     struct torus_netlink_dump *dump)
{
	const struct torus_engine *e = dump->engine;
	const struct torus_engine_client *client;
	const struct torus_gate_client *gates;
	u32 place = 0;
	int err = 0;

	list_for_each_entry(client, &e->clients.list, link) {
		if (torus_netlink_owner_next(msg, dump, &place, client->node))
			err = torus_netlink_fill_owner(msg, e, client->node, &client->group,
						       torus_netlink_lost_notices(client),
						       &client->owner);
		if (err)
			return err;
		dump->next = max(dump->next, place);
	}
	list_for_each_entry(gates, &e->gates.list, link) {
		if (torus_netlink_owner_next(msg, dump, &place, gates->node))
			err = torus_netlink_fill_owner(msg, e, gates->node, NULL, 0,
						       &gates->owner);
		if (err)
			return err;
		dump->next = max(dump->next, place);
	}
	return 0;
}

/*
 * TORUS_CMD_CONTEXT_GET. Contexts may come and go between two parts of the dump. The next one is
 * found by its position, so an owner may be missed or repeated: then the reader must dump again.
 */
int torus_netlink_context_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_netlink_msg msg;
	int err;

	err = torus_netlink_lock(cb);
	if (err)
		return err;
	/*
	 * A group that was taken or given back changes the sequence number, so that the reader
	 * notices.
	 */
	cb->seq = dump->engine->generation + dump->engine->clients.holders;
	torus_netlink_into_dump(&msg, skb, cb);
	err = torus_netlink_fill_owners(&msg, dump);
	torus_engine_unlock(dump->engine);
	return skb->len ?: err;
}

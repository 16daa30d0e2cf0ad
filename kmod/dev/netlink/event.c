// SPDX-License-Identifier: GPL-2.0
/* Events of a fabric as messages to the multicast groups. */
#include <linux/lockdep.h>
#include <linux/netlink.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/group_owner.h"
#include "dev/engine/rights.h"
#include "event.h"
#include "family.h"
#include "message.h"
#include "request.h"

/* Maximum size of the attributes of an event, with their headers, without text and request. */
#define TORUS_EVENT_BYTES	256

/* Repeat the attributes of the request, except the fabric's name, which every event has. */
static bool torus_event_repeat(struct sk_buff *skb, const struct nlmsghdr *request)
{
	const struct nlattr *attr;
	int rem;

	nlmsg_for_each_attr(attr, request, GENL_HDRLEN, rem) {
		if (nla_type(attr) != TORUS_A_FABRIC &&
		    nla_put(skb, attr->nla_type, nla_len(attr), nla_data(attr)))
			return false;
	}
	return true;
}

static bool torus_event_put_owner(struct sk_buff *skb, const struct torus_event_note *note)
{
	const struct torus_group_owner *owner = note->owner;

	return !nla_put_string(skb, TORUS_A_COMMAND, owner->command) &&
	       !nla_put_u32(skb, TORUS_A_UID, from_kuid_munged(&init_user_ns, owner->uid)) &&
	       (owner->pid || !nla_put_u32(skb, TORUS_A_DRIVER, 1)) &&
	       (!note->signal || !nla_put_u32(skb, TORUS_A_SIGNAL, note->signal));
}

static bool torus_event_put(struct torus_netlink_msg *msg, const struct torus_engine *e,
			    const struct torus_event_note *note, const u64 *clock)
{
	return !nla_put_u32(msg->skb, TORUS_A_EVENT, note->event) &&
	       !nla_put_string(msg->skb, TORUS_A_FABRIC, e->name) &&
	       (!clock || torus_netlink_put_u64(msg, TORUS_A_CLOCK, *clock)) &&
	       (!note->node || torus_netlink_put_node(msg, e, TORUS_A_NODE, *note->node)) &&
	       (!note->dir || !nla_put_u32(msg->skb, TORUS_A_DIR, *note->dir)) &&
	       (!note->group || !nla_put_u32(msg->skb, TORUS_A_GROUP, *note->group)) &&
	       (!note->owner || torus_event_put_owner(msg->skb, note)) &&
	       (!note->text || !nla_put_string(msg->skb, TORUS_A_TEXT, note->text)) &&
	       (!note->request || torus_event_repeat(msg->skb, note->request));
}

static size_t torus_event_bytes(const struct torus_event_note *note)
{
	return TORUS_EVENT_BYTES + (note->text ? strlen(note->text) : 0) +
	       (note->request ? nlmsg_len(note->request) : 0);
}

/*
 * Check whether the namespace of a fabric receives no events for administrators. Generic netlink
 * lets CAP_NET_ADMIN of the namespace's own user namespace join "events-admin", and any user who
 * creates namespaces has this capability in them. So these events are sent only in namespaces of
 * the initial user namespace.
 */
static bool torus_event_private(const struct torus_engine *e)
{
	return e->registry.net->user_ns != &init_user_ns;
}

/**
 * torus_netlink_event() - send an event to the multicast group for it
 * @e: the fabric's engine
 * @note: the event
 * @clock: tick of the event; NULL if the fabric was just added or deleted
 * @gfp: allocation flags for the message
 */
void torus_netlink_event(const struct torus_engine *e, const struct torus_event_note *note,
			 const u64 *clock, gfp_t gfp)
{
	/* All users may know that a fabric was added or deleted. */
	u32 group = !clock || torus_rights_watched(e) == TORUS_RIGHTS_ANY ?
		    TORUS_NETLINK_EVENTS : TORUS_NETLINK_EVENTS_ADMIN;
	struct torus_netlink_msg msg = { .cmd = TORUS_CMD_EVENT };

	if (group == TORUS_NETLINK_EVENTS_ADMIN && torus_event_private(e))
		return;
	if (!genl_has_listeners(&torus_netlink_family, e->registry.net, group))
		return;
	msg.skb = genlmsg_new(torus_event_bytes(note), gfp);
	if (!msg.skb) {
		/*
		 * Set the same error as for a full socket buffer: listeners learn that an event was
		 * discarded.
		 */
		genl_set_err(&torus_netlink_family, e->registry.net, 0, group, -ENOBUFS);
		return;
	}
	if (torus_netlink_begin(&msg) ||
	    torus_netlink_end(&msg, torus_event_put(&msg, e, note, clock))) {
		nlmsg_free(msg.skb);
		return;
	}
	genlmsg_multicast_netns(&torus_netlink_family, e->registry.net, msg.skb, 0, group, gfp);
}

// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for links: their states, faults and CRCs. */
#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "link.h"
#include "message.h"
#include "request.h"
#include "rights.h"

static bool torus_netlink_put_counters(struct torus_netlink_msg *msg, struct torus_engine *e,
				       u32 node, u32 dir)
{
	struct torus_link_counters counters;

	torus_link_counters(e->fabric, node, dir, &counters);
	return !nla_put_64bit(msg->skb, TORUS_A_COUNTERS, sizeof(counters), &counters,
			      TORUS_A_PAD);
}

static u32 torus_netlink_link_control(const struct torus_link_view *view)
{
	return (view->no_resend ? TORUS_LINK_NO_RESEND : 0) |
	       (view->deaf ? TORUS_LINK_DEAF : 0) |
	       (view->loopback ? TORUS_LINK_LOOPBACK : 0) |
	       (view->parked ? TORUS_LINK_PARKED : 0) |
	       (view->dead ? TORUS_LINK_DEAD : 0);
}

static bool torus_netlink_put_faults(struct torus_netlink_msg *msg,
				     const struct torus_link_view *view)
{
	return torus_netlink_put_u64(msg, TORUS_A_LINK_BER, view->ber) &&
	       torus_netlink_put_u64(msg, TORUS_A_LINK_DELAY, view->delay) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_CORRUPT, view->corrupt) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_ESCAPE, view->escape) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_DROP_ACK, view->drop_ack) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_DROP_NACK, view->drop_nack) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_CORRUPT_ACK, view->corrupt_ack) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_ECC_SINGLE, view->ecc_single) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_ECC_DOUBLE, view->ecc_double) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_PARITY, view->parity) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_CONTROL, torus_netlink_link_control(view));
}

static bool torus_netlink_put_link(struct torus_netlink_msg *msg, const struct torus_engine *e,
				   u32 node, u32 dir, const struct torus_link_view *view)
{
	return torus_netlink_put_node(msg, e, TORUS_A_NODE, node) &&
	       !nla_put_u32(msg->skb, TORUS_A_DIR, dir) &&
	       torus_netlink_put_node(msg, e, TORUS_A_LINK_PEER, view->peer) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_STATE, view->up) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_SENDER, !view->disabled) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_TX_CRC, view->tx_crc) &&
	       !nla_put_u32(msg->skb, TORUS_A_LINK_RX_CRC, view->rx_crc);
}

/* Add the values without temporary faults, if a temporary fault changes any of them now. */
static bool torus_netlink_put_base(struct torus_netlink_msg *msg,
				   const struct torus_link_view *view)
{
	struct nlattr *nest;

	if (view->base_up == view->up && view->base_ber == view->ber &&
	    view->base_delay == view->delay)
		return true;
	nest = nla_nest_start(msg->skb, TORUS_A_LINK_BASE);
	if (!nest || nla_put_u32(msg->skb, TORUS_A_LINK_STATE, view->base_up) ||
	    !torus_netlink_put_u64(msg, TORUS_A_LINK_BER, view->base_ber) ||
	    !torus_netlink_put_u64(msg, TORUS_A_LINK_DELAY, view->base_delay))
		return false;
	nla_nest_end(msg->skb, nest);
	return true;
}

/* Check whether a link has any setting or fault that a new fabric's links do not have. */
static bool torus_netlink_link_changed(const struct torus_link_view *view)
{
	return !view->up || !view->base_up || view->ber || view->base_ber || view->delay ||
	       view->base_delay || view->corrupt || view->escape || view->drop_ack ||
	       view->drop_nack ||
	       view->corrupt_ack || view->ecc_single || view->ecc_double || view->parity ||
	       view->disabled || torus_netlink_link_control(view);
}

/*
 * Check whether a dump leaves a link out: by the state of its sender, or because it is unchanged.
 */
static bool torus_netlink_filtered(const struct torus_netlink_msg *msg, u64 ber,
				   const struct torus_link_view *view)
{
	const struct torus_netlink_dump *dump = msg->cb ? torus_netlink_dump(msg->cb) : NULL;

	if (!dump)
		return false;
	/*
	 * If the whole fabric has a bit error rate, list all links: one without errors is the
	 * exception.
	 */
	return (dump->filter && dump->sender != !view->disabled) ||
	       (dump->changed && !ber && !torus_netlink_link_changed(view));
}

static int torus_netlink_fill_view(struct torus_netlink_msg *msg, struct torus_engine *e, u32 node,
				   u32 dir)
{
	struct torus_link_view view;

	torus_link_view(e->fabric, node, dir, &view);
	if (view.peer == TORUS_NONE || torus_netlink_filtered(msg, e->fabric->ber, &view))
		return 0;
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, torus_netlink_put_link(msg, e, node, dir, &view) &&
				 torus_netlink_put_faults(msg, &view) &&
				 torus_netlink_put_base(msg, &view) &&
				 torus_netlink_put_counters(msg, e, node, dir));
}

/*
 * Report an idle link whose CRCs at the two ends differ: an error that no packet's CRC detected.
 */
static int torus_netlink_fill_differ(struct torus_netlink_msg *msg, struct torus_engine *e,
				     u32 node, u32 dir)
{
	struct torus_link_view view;

	torus_link_view(e->fabric, node, dir, &view);
	if (view.peer == TORUS_NONE || !view.rest || view.tx_crc == view.rx_crc)
		return 0;
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, torus_netlink_put_link(msg, e, node, dir, &view));
}

/* TORUS_CMD_LINK_GET: one link. */
int torus_netlink_link_get(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_netlink_msg msg;
	struct torus_link_view view;
	u32 node, dir;
	int err;

	err = torus_netlink_node(skb, info, &node) ?: torus_netlink_dir(skb, info, &dir);
	if (err)
		return err;
	torus_link_view(e->fabric, node, dir, &view);
	if (view.peer == TORUS_NONE)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_DIR], -ENOLINK,
					    "node %u has no link in direction %u",
					    torus_node_number(&e->geo, node), dir);
	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	err = torus_netlink_fill_view(&msg, e, node, dir);
	return torus_netlink_send_reply(&msg, info, err);
}

/**
 * torus_netlink_dump_links() - dump a message for each link
 * @skb: message of the dump
 * @cb: the dump
 * @fill: function that adds a message for a link, or none
 *
 * Return: bytes filled, 0 at the end, or a negative errno.
 */
int torus_netlink_dump_links(struct sk_buff *skb, struct netlink_callback *cb,
			     torus_netlink_fill_link fill)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_engine *e = dump->engine;
	struct torus_netlink_msg msg;
	u32 dirs = 2 * e->geo.ndims;
	int err;

	err = torus_netlink_lock(cb);
	if (err)
		return err;
	torus_netlink_into_dump(&msg, skb, cb);
	while (dump->node < dump->last) {
		if (torus_netlink_breathe(cb))
			return skb->len ?: -ENODEV;
		if (!torus_netlink_sees(cb->skb, e, dump->node)) {
			dump->next = 0;
			dump->node++;
			continue;
		}
		err = fill(&msg, e, dump->node, dump->next);
		if (err)
			break;
		if (++dump->next == dirs) {
			dump->next = 0;
			dump->node++;
		}
	}
	torus_engine_unlock(e);
	return skb->len ?: err;
}

/* TORUS_CMD_LINK_GET, dump: all links. */
int torus_netlink_link_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return torus_netlink_dump_links(skb, cb, torus_netlink_fill_view);
}

/* TORUS_CMD_LINK_CHECK: dump the links whose CRCs differ. */
int torus_netlink_link_check(struct sk_buff *skb, struct netlink_callback *cb)
{
	return torus_netlink_dump_links(skb, cb, torus_netlink_fill_differ);
}

static bool torus_netlink_put_when(struct torus_netlink_msg *msg, const struct torus_engine *e,
				   const struct torus_fault *fault, bool begun)
{
	return (fault->node == TORUS_NONE ||
		torus_netlink_put_node(msg, e, TORUS_A_NODE, fault->node)) &&
	       (fault->dir == TORUS_NONE || !nla_put_u32(msg->skb, TORUS_A_DIR, fault->dir)) &&
	       torus_netlink_put_u64(msg, TORUS_A_LINK_AT, fault->at) &&
	       (!fault->lasts || torus_netlink_put_u64(msg, TORUS_A_LINK_FOR, fault->lasts)) &&
	       (!begun || !nla_put_flag(msg->skb, TORUS_A_BEGUN));
}

static bool torus_netlink_put_fault(struct torus_netlink_msg *msg, const struct torus_fault *fault)
{
	const struct {
		int attr;
		u32 what;
		u32 value;
	} words[] = {
		{ TORUS_A_LINK_STATE, TORUS_FAULT_STATE, fault->state },
		{ TORUS_A_LINK_CORRUPT, TORUS_FAULT_CORRUPT, fault->corrupt },
		{ TORUS_A_LINK_ESCAPE, TORUS_FAULT_ESCAPE, fault->escape },
		{ TORUS_A_LINK_DROP_ACK, TORUS_FAULT_DROP_ACK, fault->drop_ack },
		{ TORUS_A_LINK_DROP_NACK, TORUS_FAULT_DROP_NACK, fault->drop_nack },
		{ TORUS_A_LINK_CORRUPT_ACK, TORUS_FAULT_CORRUPT_ACK, fault->corrupt_ack },
		{ TORUS_A_LINK_ECC_SINGLE, TORUS_FAULT_ECC_SINGLE, fault->ecc_single },
		{ TORUS_A_LINK_ECC_DOUBLE, TORUS_FAULT_ECC_DOUBLE, fault->ecc_double },
		{ TORUS_A_LINK_PARITY, TORUS_FAULT_PARITY, fault->parity },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (fault->what & words[i].what &&
		    nla_put_u32(msg->skb, words[i].attr, words[i].value))
			return false;
	}
	return (!(fault->what & TORUS_FAULT_BER) ||
		torus_netlink_put_u64(msg, TORUS_A_LINK_BER, fault->ber)) &&
	       (!(fault->what & TORUS_FAULT_DELAY) ||
		torus_netlink_put_u64(msg, TORUS_A_LINK_DELAY, fault->delay));
}

/* TORUS_CMD_FAULT_GET: dump the faults that begin or end at a later tick. */
int torus_netlink_fault_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_engine *e = dump->engine;
	struct torus_netlink_msg msg;
	struct torus_fault fault;
	u32 next = dump->next;
	bool begun;
	int err;

	err = torus_netlink_lock(cb);
	if (err)
		return err;
	torus_netlink_into_dump(&msg, skb, cb);
	while (torus_fault_pending(e->fabric, &next, &fault, &begun)) {
		err = torus_netlink_begin(&msg);
		if (!err)
			err = torus_netlink_end(&msg,
						torus_netlink_put_when(&msg, e, &fault, begun) &&
						torus_netlink_put_fault(&msg, &fault));
		if (err)
			break;
		dump->next = next;
	}
	torus_engine_unlock(e);
	return skb->len ?: err;
}

/* Copy each attribute to its field of the fault. */
static void torus_netlink_fault(struct genl_info *info, struct torus_fault *fault)
{
	const struct {
		int attr;
		u32 what;
		u32 *value;
	} words[] = {
		{ TORUS_A_LINK_STATE, TORUS_FAULT_STATE, &fault->state },
		{ TORUS_A_LINK_CORRUPT, TORUS_FAULT_CORRUPT, &fault->corrupt },
		{ TORUS_A_LINK_ESCAPE, TORUS_FAULT_ESCAPE, &fault->escape },
		{ TORUS_A_LINK_DROP_ACK, TORUS_FAULT_DROP_ACK, &fault->drop_ack },
		{ TORUS_A_LINK_DROP_NACK, TORUS_FAULT_DROP_NACK, &fault->drop_nack },
		{ TORUS_A_LINK_CORRUPT_ACK, TORUS_FAULT_CORRUPT_ACK, &fault->corrupt_ack },
		{ TORUS_A_LINK_ECC_SINGLE, TORUS_FAULT_ECC_SINGLE, &fault->ecc_single },
		{ TORUS_A_LINK_ECC_DOUBLE, TORUS_FAULT_ECC_DOUBLE, &fault->ecc_double },
		{ TORUS_A_LINK_PARITY, TORUS_FAULT_PARITY, &fault->parity },
	};
	const struct {
		int attr;
		u32 what;
		u64 *value;
	} longs[] = {
		{ TORUS_A_LINK_BER, TORUS_FAULT_BER, &fault->ber },
		{ TORUS_A_LINK_DELAY, TORUS_FAULT_DELAY, &fault->delay },
		{ TORUS_A_LINK_AT, 0, &fault->at },
		{ TORUS_A_LINK_FOR, 0, &fault->lasts },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!info->attrs[words[i].attr])
			continue;
		*words[i].value = nla_get_u32(info->attrs[words[i].attr]);
		fault->what |= words[i].what;
	}
	for (i = 0; i < ARRAY_SIZE(longs); i++) {
		if (!info->attrs[longs[i].attr])
			continue;
		*longs[i].value = nla_get_u64(info->attrs[longs[i].attr]);
		fault->what |= longs[i].what;
	}
}

/* TORUS_CMD_LINK_SET. Without NODE: all nodes; without DIR: all directions. */
int torus_netlink_link_set(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_fault fault = { .node = TORUS_NONE, .dir = TORUS_NONE };
	struct nlattr *sender = info->attrs[TORUS_A_LINK_SENDER];
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_error why;
	int err = 0;

	if (info->attrs[TORUS_A_NODE])
		err = torus_netlink_node(skb, info, &fault.node);
	if (!err && info->attrs[TORUS_A_DIR])
		err = torus_netlink_dir(skb, info, &fault.dir);
	if (err)
		return err;
	torus_netlink_fault(info, &fault);
	if (!fault.what && !sender)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EINVAL,
					    "a change of a link requires a LINK_* attribute");
	if (sender && (fault.at || fault.lasts))
		return torus_netlink_refuse(skb, info->nlhdr, sender, -EINVAL,
					    "LINK_SENDER: takes effect immediately and "
					    "permanently, so a tick or a duration is not accepted");
	if (fault.what)
		err = torus_fault_set(e->fabric, &fault, &why);
	if (!err && sender)
		err = torus_senders_set(e->fabric, fault.node, fault.dir, nla_get_u32(sender),
					&why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, err, "%s", why.text);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_LINK_SET,
		.request = info->nlhdr,
	});
	return 0;
}

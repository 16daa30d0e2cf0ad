// SPDX-License-Identifier: GPL-2.0
/* Netlink commands that run a paused fabric to a tick, or to an event. */
#include <linux/bitops.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "core/base/node_number.h"
#include "core/port/registers.h"
#include "core/run/virtual_time.h"
#include "dev/engine/engine.h"
#include "dev/engine/leader.h"
#include "dev/engine/pause.h"
#include "dev/engine/paused_run.h"
#include "message.h"
#include "paused_run.h"
#include "reg.h"
#include "request.h"

/**
 * torus_netlink_no_run() - reject a request while a client runs the fabric
 * @skb: the request
 * @info: its info, with the fabric found
 *
 * Return: 0, or the value that the handler must return.
 */
int torus_netlink_no_run(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	if (!e->run.portid)
		return 0;
	return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -EBUSY,
				    "fabric %s: another client runs it", e->name);
}

/* Reject a request that cannot begin a run now. */
static int run_check(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TORUS_A_FABRIC];
	struct torus_engine *e = torus_netlink_engine(info);
	int err = torus_netlink_no_run(skb, info);

	if (err)
		return err;
	if (e->state == TORUS_FABRIC_FAILED)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EIO,
					    "fabric %s: stopped for want of memory, reset it",
					    e->name);
	if (e->workload.state == TORUS_TRAFFIC_DONE)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EBUSY,
					    "fabric %s: its workload has ended: stop the workload, "
					    "or reset the fabric", e->name);
	return 0;
}

/* Get the tick at which a run ends. */
static int run_tick(struct sk_buff *skb, struct genl_info *info, u64 *until)
{
	const struct nlattr *ticks = info->attrs[TORUS_A_VALUE];
	const struct nlattr *tick = info->attrs[TORUS_A_CLOCK];
	u64 clock = torus_fabric_clock(torus_netlink_engine(info)->fabric);

	*until = TORUS_PAUSED_RUN_NO_TICK;
	if (!!ticks + !!tick + !!info->attrs[TORUS_A_STOP_EVENT] != 1)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EINVAL,
					    "a run requires one of VALUE, CLOCK and STOP_EVENT");
	if (ticks && (!nla_get_u64(ticks) || nla_get_u64(ticks) > TORUS_VTIME_STEP_MAX))
		return torus_netlink_refuse(skb, info->nlhdr, ticks, -ERANGE,
					    "%llu ticks: must be 1 to 2^40", nla_get_u64(ticks));
	if (tick && (nla_get_u64(tick) < clock ||
		     nla_get_u64(tick) - clock > TORUS_VTIME_STEP_MAX))
		return torus_netlink_refuse(skb, info->nlhdr, tick, -ERANGE,
					    "tick %llu: must be %llu, the fabric's clock, to %llu",
					    nla_get_u64(tick), clock, clock + TORUS_VTIME_STEP_MAX);
	if (ticks)
		*until = clock + nla_get_u64(ticks);
	if (tick)
		*until = nla_get_u64(tick);
	return 0;
}

/* Get the nodes whose events end a run: an array of bits, owned by the caller. */
static int run_nodes(struct sk_buff *skb, struct genl_info *info, const u64 **out)
{
	const struct nlattr *attr = info->attrs[TORUS_A_STOP_NODES];
	struct torus_engine *e = torus_netlink_engine(info);
	const u32 *numbers;
	u32 node, i, count;
	u64 *nodes;

	*out = NULL;
	if (!attr)
		return 0;
	if (!info->attrs[TORUS_A_STOP_EVENT] || nla_len(attr) % sizeof(u32))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "STOP_NODES: requires STOP_EVENT and a multiple of 4 "
					    "bytes");
	nodes = kvcalloc(DIV_ROUND_UP(e->geo.nodes, 64), sizeof(*nodes), TORUS_GFP_USER);
	if (!nodes)
		return -ENOMEM;
	numbers = nla_data(attr);
	count = nla_len(attr) / sizeof(u32);
	for (i = 0; i < count; i++) {
		char text[TORUS_NUMBER_TEXT];

		node = torus_node_index(&e->geo, numbers[i]);
		if (node == TORUS_NONE) {
			kvfree(nodes);
			return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL, "%s",
						    torus_number_text(&e->geo, numbers[i], text,
								      sizeof(text)));
		}
		nodes[node / 64] |= 1ull << node % 64;
	}
	*out = nodes;
	return 0;
}

/* Get the cause of the interrupt after whose tick a run ends. */
static int run_cause(struct sk_buff *skb, struct genl_info *info, struct torus_stop *stop)
{
	const struct nlattr *attr = info->attrs[TORUS_A_STOP_CAUSE];
	u32 bit;

	stop->causes = ~0u;
	if (!attr)
		return 0;
	if (stop->events != 1u << TORUS_STOP_INTERRUPT)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "STOP_CAUSE: requires the event interrupt");
	if (!torus_stop_cause_find(nla_data(attr), &bit))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "cause %s: must be one of " TORUS_STOP_CAUSE_LIST_ALL,
					    (const char *)nla_data(attr));
	stop->causes = 1u << bit;
	return 0;
}

/* Get the accesses after whose tick a run ends. A register is the machine's, or that of a port. */
static int run_register(struct sk_buff *skb, struct genl_info *info, const struct torus_stop *stop,
			struct torus_stop_register *out)
{
	const struct nlattr *name = info->attrs[TORUS_A_REG_NAME];
	const struct nlattr *value = info->attrs[TORUS_A_REG_VALUE];
	const struct torus_arch *arch = torus_netlink_engine(info)->arch;
	const struct torus_reg *reg;

	*out = (struct torus_stop_register){ .offset = TORUS_NONE, .has_value = value };
	if (!name && !value)
		return 0;
	if (!name || stop->events != 1u << TORUS_STOP_ACCESS)
		return torus_netlink_refuse(skb, info->nlhdr, name ?: value, -EINVAL,
					    "REG_NAME and REG_VALUE: require the event access, and "
					    "REG_VALUE requires REG_NAME");
	if (value)
		out->value = nla_get_u32(value);
	reg = torus_netlink_named_reg(arch, nla_data(name));
	if (reg)
		out->offset = reg->offset * 4;
	else if (!torus_port_register_search(nla_data(name), &out->offset))
		return torus_netlink_refuse(skb, info->nlhdr, name, -ENOENT,
					    "register %s: must be a register of %s or of a port",
					    (const char *)nla_data(name), arch->name);
	return 0;
}

/* Get the event after whose tick a run ends. */
static int run_event(struct sk_buff *skb, struct genl_info *info, struct torus_stop *stop)
{
	const struct nlattr *attr = info->attrs[TORUS_A_STOP_EVENT];
	u32 event;
	int err;

	*stop = (struct torus_stop){ .events = 0 };
	if (attr && !torus_stop_find(nla_data(attr), &event))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "event %s: must be one of " TORUS_STOP_LIST_ALL,
					    (const char *)nla_data(attr));
	if (attr)
		stop->events = 1u << event;
	err = run_cause(skb, info, stop);
	if (err)
		return err;
	return run_nodes(skb, info, &stop->nodes);
}

/* TORUS_CMD_RUN_BEGIN: pause the fabric, and begin a run. */
int torus_netlink_run_begin(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_stop_register reg;
	struct torus_stop stop;
	u64 until;
	int err;

	err = run_check(skb, info);
	if (!err)
		err = run_tick(skb, info, &until);
	if (!err)
		err = run_event(skb, info, &stop);
	if (err)
		return err;
	err = run_register(skb, info, &stop, &reg);
	if (err) {
		kvfree(stop.nodes);
		return err;
	}
	torus_pause_begin(e, "a run is in progress");
	torus_paused_run_begin(e, info->snd_portid, until, &stop, &reg,
			       info->attrs[TORUS_A_RECORD]);
	return 0;
}

/* Move recorded events to a message. */
static bool run_put_records(struct torus_netlink_msg *msg, struct torus_packet_records *records)
{
	u32 n = min(records->count, TORUS_RECORDS_PART);
	struct nlattr *attr;

	if (records->lost && !torus_netlink_put_u64(msg, TORUS_A_LOST, records->lost))
		return false;
	records->lost = 0;
	if (!n)
		return true;
	attr = nla_reserve_64bit(msg->skb, TORUS_A_RECORDS,
				 n * sizeof(struct torus_packet_event), TORUS_A_PAD);
	if (!attr)
		return false;
	torus_packet_records_take(records, nla_data(attr), n);
	return true;
}

/* Add the event that has ended a run. */
static bool run_put_event(struct torus_netlink_msg *msg, const struct torus_engine *e)
{
	const struct torus_stopped *stopped = &e->run.stopped;

	return !nla_put_string(msg->skb, TORUS_A_STOP_EVENT, torus_stop_name(stopped->event)) &&
	       torus_netlink_put_node(msg, e, TORUS_A_NODE, stopped->node) &&
	       (stopped->event != TORUS_STOP_INTERRUPT ||
		!nla_put_string(msg->skb, TORUS_A_STOP_CAUSE,
				torus_stop_cause_name(stopped->cause))) &&
	       (stopped->event != TORUS_STOP_ACCESS ||
		(!nla_put_string(msg->skb, TORUS_A_REG_NAME, torus_paused_run_register(e)) &&
		 !nla_put_u32(msg->skb, TORUS_A_REG_VALUE, e->run.notes.value)));
}

/* Add why a run has ended. */
static bool run_put_end(struct torus_netlink_msg *msg, const struct torus_engine *e)
{
	return !nla_put_flag(msg->skb, TORUS_A_DONE) &&
	       !nla_put_string(msg->skb, TORUS_A_TEXT, e->pause.why) &&
	       (e->run.state == TORUS_PAUSED_RUN_TICK ||
		e->run.state == TORUS_PAUSED_RUN_EVENT ||
		!nla_put_flag(msg->skb, TORUS_A_EARLY)) &&
	       (e->run.state != TORUS_PAUSED_RUN_EVENT || run_put_event(msg, e));
}

static int run_fill(struct torus_netlink_msg *msg, struct torus_engine *e)
{
	bool fits;

	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	fits = !nla_put_string(msg->skb, TORUS_A_FABRIC, e->name) &&
	       torus_netlink_put_u64(msg, TORUS_A_CLOCK, torus_fabric_clock(e->fabric)) &&
	       run_put_records(msg, &e->run.records) &&
	       torus_netlink_put_u64(msg, TORUS_A_VALUE, e->run.records.count);
	if (fits && !e->run.records.count && e->run.state >= TORUS_PAUSED_RUN_TICK) {
		torus_paused_run_end(e);
		fits = run_put_end(msg, e);
	}
	return torus_netlink_end(msg, fits);
}

/* Reject a request of a client that runs nothing. */
static int run_own(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	if (e->run.portid == info->snd_portid)
		return 0;
	return torus_netlink_no_run(skb, info) ?:
	       torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -EINVAL,
				    "fabric %s: no run is in progress", e->name);
}

/* Wait until a program may have moved its clock. Return: 0, or the value for the caller. */
static int run_wait(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	if (torus_paused_run_wait(e))
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -ENODEV,
					    "fabric %s was deleted", e->name);
	/* Another thread with this socket may have ended the run. */
	return run_own(skb, info);
}

/*
 * TORUS_CMD_RUN_NEXT: report events that were recorded in the last piece of a run, or, if none is
 * left, do the next piece. VALUE is the number of events that are left.
 */
int torus_netlink_run_next(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_netlink_msg msg;
	int err = run_own(skb, info);

	if (err)
		return err;
	if (!e->run.records.count && e->run.state < TORUS_PAUSED_RUN_TICK) {
		torus_paused_run_piece(e);
		if (e->run.state == TORUS_PAUSED_RUN_WAITS && !e->run.records.count)
			err = run_wait(skb, info);
	}
	if (!err)
		err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	return torus_netlink_send_reply(&msg, info, run_fill(&msg, e));
}

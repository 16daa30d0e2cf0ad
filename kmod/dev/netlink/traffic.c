// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for the core's own workload. */
#include <linux/slab.h>
#include <linux/string.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/pair_upload.h"
#include "dev/engine/paused_run.h"
#include "dev/engine/registry.h"
#include "message.h"
#include "request.h"
#include "traffic.h"

static int torus_netlink_traffic_check(struct sk_buff *skb, struct genl_info *info,
				       const struct torus_traffic *traffic)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_error why;
	int err;

	if (memchr_inv(traffic->reserved, 0, sizeof(traffic->reserved)))
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_TRAFFIC], -EINVAL,
					    "reserved fields of TRAFFIC must be 0");
	if (!list_empty(&e->clients.list))
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -EBUSY,
					    "a workload requires that no program is attached, but "
					    "%u contexts are attached to fabric %s",
					    e->clients.attached, e->name);
	if (e->gates.files)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -EBUSY,
					    "a workload requires that no program has barrier "
					    "gates, but %u programs have gates of fabric %s",
					    e->gates.files, e->name);
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -EBUSY,
					    "a workload is already running on fabric %s", e->name);
	/* Check before a workload is ended, or the fabric reset, for this request. */
	if (traffic->pattern != TORUS_PATTERN_TABLE)
		err = torus_traffic_check(e->fabric, traffic, &why);
	else
		err = torus_upload_check(e, &e->uploads.pairs, info->snd_portid, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_TRAFFIC], err,
					    "%s", why.text);
	return 0;
}

/*
 * Check whether a fabric is unused and has this seed. Faults may be set: the workload is meant to
 * meet them.
 */
static bool torus_netlink_fresh(struct torus_engine *e, u64 seed)
{
	return e->workload.state == TORUS_TRAFFIC_NONE && !torus_fabric_clock(e->fabric) &&
	       !torus_fabric_in_flight(e->fabric) &&
	       torus_fabric_config(e->fabric)->seed == seed;
}

/* TORUS_CMD_TRAFFIC_START. Resets the fabric, unless it is unused and has the requested seed. */
int torus_netlink_traffic_start(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_traffic traffic;
	struct torus_error why;
	u64 seed;
	int err;

	nla_memcpy(&traffic, info->attrs[TORUS_A_TRAFFIC], sizeof(traffic));
	err = torus_netlink_traffic_check(skb, info, &traffic);
	if (err)
		return err;
	seed = torus_fabric_config(e->fabric)->seed;
	if (info->attrs[TORUS_A_SEED])
		seed = nla_get_u64(info->attrs[TORUS_A_SEED]);
	if (e->workload.state != TORUS_TRAFFIC_NONE)
		torus_engine_end_workload(e);
	err = torus_netlink_fresh(e, seed) ? 0 : torus_fabric_reset(e->fabric, seed, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, err, "%s", why.text);
	torus_engine_restart(e);
	err = traffic.pattern == TORUS_PATTERN_TABLE ?
	      torus_pairs_upload_commit(e, info->snd_portid, &why) : 0;
	if (!err)
		err = torus_traffic_start(e->fabric, &traffic, &why);
	if (err) {
		torus_traffic_stop(e->fabric);
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_TRAFFIC], err,
					    "%s", why.text);
	}
	e->workload.state = TORUS_TRAFFIC_RUNNING;
	e->state = TORUS_FABRIC_RUNNING;
	return 0;
}

static int torus_netlink_fill_result(struct torus_netlink_msg *msg, const struct torus_engine *e,
				     const struct torus_kept *result)
{
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, !nla_put_string(msg->skb, TORUS_A_FABRIC, e->name) &&
				 torus_netlink_put_u64(msg, TORUS_A_VALUE, result->progress) &&
				 !nla_put_64bit(msg->skb, TORUS_A_RESULT, sizeof(result->result),
						&result->result, TORUS_A_PAD) &&
				 (e->workload.state == TORUS_TRAFFIC_NONE ||
				  !nla_put_64bit(msg->skb, TORUS_A_TRAFFIC,
						 sizeof(struct torus_traffic),
						 torus_traffic_asked(e->fabric), TORUS_A_PAD)) &&
				 (e->workload.state == TORUS_TRAFFIC_RUNNING ||
				  !nla_put_flag(msg->skb, TORUS_A_DONE)));
}

/*
 * TORUS_CMD_TRAFFIC_GET. VALUE is the progress in units of 2^-16. If a program has ended the
 * workload, the saved result is reported, without the description of the workload (TRAFFIC).
 */
int torus_netlink_traffic_get(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_netlink_msg msg;
	struct torus_kept *now;
	int err;

	if (e->workload.state == TORUS_TRAFFIC_NONE && !e->workload.kept)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -ENODATA,
					    "fabric %s has no workload", e->name);
	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	if (e->workload.state == TORUS_TRAFFIC_NONE) {
		err = torus_netlink_fill_result(&msg, e, e->workload.kept);
		return torus_netlink_send_reply(&msg, info, err);
	}
	now = kzalloc(sizeof(*now), GFP_KERNEL);
	if (!now) {
		nlmsg_free(msg.skb);
		return -ENOMEM;
	}
	torus_traffic_result(e->fabric, &now->result);
	now->progress = torus_traffic_progress(e->fabric);
	err = torus_netlink_fill_result(&msg, e, now);
	kfree(now);
	return torus_netlink_send_reply(&msg, info, err);
}

/*
 * TORUS_CMD_TRAFFIC_STOP. The first request stops a running workload; its result can still be read.
 * A request after the workload's end discards the result, and the fabric serves programs again.
 */
int torus_netlink_traffic_stop(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);

	if (e->workload.state == TORUS_TRAFFIC_RUNNING) {
		e->workload.state = TORUS_TRAFFIC_DONE;
		e->state = TORUS_FABRIC_IDLE;
		return 0;
	}
	if (e->workload.state == TORUS_TRAFFIC_DONE)
		torus_engine_end_workload(e);
	kfree(e->workload.kept);
	e->workload.kept = NULL;
	return 0;
}

/*
 * TORUS_CMD_TRAFFIC_PAIRS. With VALUE: begin a list of VALUE pairs. With PAIRS: add pairs.
 * TRAFFIC_START uses the list.
 */
int torus_netlink_traffic_pairs(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *count = info->attrs[TORUS_A_VALUE];
	const struct nlattr *pairs = info->attrs[TORUS_A_PAIRS];
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_error why;
	int err;

	if (!count == !pairs)
		return torus_netlink_refuse(skb, info->nlhdr, pairs, -EINVAL,
					    "requires either VALUE (begins a table) or PAIRS (adds "
					    "to it)");
	if (pairs && nla_len(pairs) % sizeof(struct torus_pair))
		return torus_netlink_refuse(skb, info->nlhdr, pairs, -EINVAL,
					    "PAIRS is %d bytes long, must be a multiple of %zu",
					    nla_len(pairs), sizeof(struct torus_pair));
	if (count)
		err = torus_upload_begin(e, &e->uploads.pairs, info->snd_portid, nla_get_u64(count),
					 &why);
	else
		err = torus_pairs_upload_add(e, info->snd_portid, nla_data(pairs),
					     nla_len(pairs) / sizeof(struct torus_pair), &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, count ?: pairs, err, "%s", why.text);
	return 0;
}

/**
 * torus_netlink_traffic_leave() - discard the uploads and end the runs of a socket that was closed
 * @net: network namespace of the socket
 * @portid: port of the socket
 */
void torus_netlink_traffic_leave(struct net *net, u32 portid)
{
	struct torus_engine *e;
	u32 generation;
	unsigned long n;

	do {
		/*
		 * If a fabric is deleted during the walk, the ones after it move up, and one may be
		 * skipped. Then start again.
		 */
		generation = torus_registry_generation(net);
		for (n = 0; (e = torus_registry_nth(net, n)); n++) {
			torus_upload_leave(e, &e->uploads.pairs, portid);
			torus_upload_leave(e, &e->uploads.routes, portid);
			torus_upload_leave(e, &e->uploads.saved, portid);
			torus_upload_leave(e, &e->uploads.loaded, portid);
			torus_paused_run_leave(e, portid);
			torus_engine_put(e);
		}
	} while (torus_registry_generation(net) != generation);
}

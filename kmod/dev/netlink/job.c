// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for jobs. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/job.h"
#include "fabric.h"
#include "job.h"
#include "message.h"
#include "request.h"
#include "rights.h"

static const char *torus_netlink_job_name(const struct genl_info *info)
{
	return nla_data(info->attrs[TORUS_A_JOB]);
}

/* Read the lengths of the view. Their product must be the number of nodes. */
static int torus_netlink_job_view(struct sk_buff *skb, struct genl_info *info,
				  struct torus_job_nodes *job)
{
	const struct nlattr *attr = info->attrs[TORUS_A_VIEW];
	u64 nodes = 1;
	u32 i;

	if (!attr)
		return 0;
	if (nla_len(attr) % sizeof(u32))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "VIEW is %d bytes long, must be a multiple of 4",
					    nla_len(attr));
	nla_memcpy(job->view, attr, sizeof(job->view));
	job->axes = nla_len(attr) / sizeof(u32);
	for (i = 0; i < job->axes && nodes <= job->count; i++)
		nodes *= job->view[i];
	if (i == job->axes && nodes == job->count)
		return 0;
	return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
				    "job %s: the product of VIEW must be %u, the number of its "
				    "nodes", job->name, job->count);
}

/* Read the nodes of the job, in the order of ranks. */
static int torus_netlink_job_members(struct sk_buff *skb, struct genl_info *info,
				     struct torus_job_nodes *job)
{
	const struct nlattr *attr = info->attrs[TORUS_A_MEMBERS];
	const struct torus_geometry *g = &torus_netlink_engine(info)->geo;
	const u32 *number = nla_data(attr);
	char text[TORUS_NUMBER_TEXT];
	u32 rank;

	for (rank = 0; rank < job->count; rank++) {
		job->node[rank] = torus_node_index(g, number[rank]);
		if (job->node[rank] == TORUS_NONE)
			return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL, "%s",
						    torus_number_text(g, number[rank], text,
								      sizeof(text)));
	}
	return 0;
}

static void torus_netlink_job_notify(struct torus_engine *e, enum torus_event_type event,
				     const char *name)
{
	torus_event_send_locked(e, &(struct torus_event_note){ .event = event, .text = name });
}

int torus_netlink_job_add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TORUS_A_JOB];
	struct torus_engine *e = torus_netlink_engine(info);
	u32 count = nla_len(info->attrs[TORUS_A_MEMBERS]) / sizeof(u32);
	struct torus_error why;
	struct torus_job_nodes *job;
	int err;

	if (!torus_netlink_name_good(torus_netlink_job_name(info)))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "job %s: the name must consist of letters, digits, "
					    "'.', '-' and '_'", torus_netlink_job_name(info));
	if (nla_len(info->attrs[TORUS_A_MEMBERS]) % sizeof(u32))
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_MEMBERS],
					    -EINVAL, "MEMBERS is %d bytes long, must be a multiple "
						     "of 4",
					    nla_len(info->attrs[TORUS_A_MEMBERS]));
	job = kvzalloc(struct_size(job, node, count), TORUS_GFP_USER);
	if (!job)
		return -ENOMEM;
	nla_strscpy(job->name, attr, sizeof(job->name));
	job->count = count;
	err = torus_netlink_job_members(skb, info, job) ?: torus_netlink_job_view(skb, info, job);
	if (!err) {
		err = torus_job_add(e, job, &why);
		if (err)
			err = torus_netlink_refuse(skb, info->nlhdr, attr, err, "%s", why.text);
	}
	if (err) {
		kvfree(job);
		return err;
	}
	torus_netlink_job_notify(e, TORUS_EVENT_JOB_ADD, job->name);
	return 0;
}

static int torus_netlink_no_job(struct sk_buff *skb, struct genl_info *info)
{
	return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_JOB], -ENOENT,
				    "fabric %s has no job %s", torus_netlink_engine(info)->name,
				    torus_netlink_job_name(info));
}

int torus_netlink_job_del(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_job_nodes *job = torus_job_find(e, torus_netlink_job_name(info));

	if (!job)
		return torus_netlink_no_job(skb, info);
	torus_netlink_job_notify(e, TORUS_EVENT_JOB_DEL, job->name);
	torus_job_del(e, job);
	return 0;
}

/* Add the numbers of the job's nodes, in the order of ranks. */
static bool torus_netlink_put_members(struct torus_netlink_msg *msg, struct torus_engine *e,
				      const struct torus_job_nodes *job)
{
	struct nlattr *attr = nla_reserve(msg->skb, TORUS_A_MEMBERS, job->count * sizeof(u32));
	u32 *number = attr ? nla_data(attr) : NULL, rank;

	for (rank = 0; number && rank < job->count; rank++)
		number[rank] = torus_node_number(&e->geo, job->node[rank]);
	return number;
}

static int torus_netlink_fill_job(struct torus_netlink_msg *msg, struct torus_engine *e,
				  const struct torus_job_nodes *job, bool members)
{
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg,
				 !nla_put_string(msg->skb, TORUS_A_JOB, job->name) &&
				 !nla_put_u32(msg->skb, TORUS_A_PARTITION, job->partition) &&
				 !nla_put_u32(msg->skb, TORUS_A_NODES, job->count) &&
				 (!job->axes || !nla_put(msg->skb, TORUS_A_VIEW,
							 job->axes * sizeof(u32), job->view)) &&
				 (!members || torus_netlink_put_members(msg, e, job)));
}

/* TORUS_CMD_JOB_GET: one job, with its nodes. */
int torus_netlink_job_get(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_job_nodes *job = torus_job_find(e, torus_netlink_job_name(info));
	struct torus_netlink_msg msg = {
		.portid = info->snd_portid, .seq = info->snd_seq, .cmd = info->genlhdr->cmd,
	};

	if (!job)
		return torus_netlink_no_job(skb, info);
	msg.skb = genlmsg_new(TORUS_NETLINK_BYTES + job->count * sizeof(u32), GFP_KERNEL);
	if (!msg.skb)
		return -ENOMEM;
	return torus_netlink_send_reply(&msg, info, torus_netlink_fill_job(&msg, e, job, true));
}

/* TORUS_CMD_JOB_GET, dump: all jobs, without their nodes. */
int torus_netlink_job_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_netlink_msg msg;
	struct torus_job_nodes *job;
	u32 place = 0;
	int err;

	err = torus_netlink_lock(cb);
	if (err)
		return err;
	torus_netlink_into_dump(&msg, skb, cb);
	list_for_each_entry(job, &dump->engine->nodes.jobs, link) {
		if (place++ < dump->next || !torus_netlink_sees_job(cb->skb, dump->engine, job))
			continue;
		err = torus_netlink_fill_job(&msg, dump->engine, job, false);
		if (err)
			break;
		dump->next = place;
	}
	torus_engine_unlock(dump->engine);
	return skb->len ?: err;
}

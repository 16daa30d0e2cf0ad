// SPDX-License-Identifier: GPL-2.0
/* Netlink commands that pause and resume a fabric. */
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/pause.h"
#include "message.h"
#include "pause.h"
#include "paused_run.h"
#include "request.h"

/* TORUS_CMD_FABRIC_PAUSE. The pause of a paused fabric changes nothing. */
int torus_netlink_fabric_pause(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	int err = torus_netlink_no_run(skb, info);

	if (err || e->paused)
		return err;
	torus_pause_begin(e, "on request");
	torus_pause_report(e, "on request");
	return 0;
}

/* TORUS_CMD_FABRIC_RESUME. */
int torus_netlink_fabric_resume(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	int err = torus_netlink_no_run(skb, info);

	if (err)
		return err;
	if (!e->paused)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -EINVAL,
					    "fabric %s is not paused", e->name);
	torus_pause_end(e);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_FABRIC_RESUME,
	});
	return 0;
}

/**
 * torus_netlink_put_paused() - add the process that paused the fabric, and why it has stopped
 * @msg: the message
 * @e: the engine, locked
 *
 * Return: false if it does not fit; true also if the fabric is not paused.
 */
bool torus_netlink_put_paused(struct torus_netlink_msg *msg, const struct torus_engine *e)
{
	struct nlattr *nest;

	if (!e->paused)
		return true;
	nest = nla_nest_start(msg->skb, TORUS_A_PAUSED);
	if (!nest || !torus_netlink_put_process(msg, &e->pause.by) ||
	    nla_put_string(msg->skb, TORUS_A_TEXT, e->pause.why))
		return false;
	nla_nest_end(msg->skb, nest);
	return true;
}

// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for snapshots of a fabric: save and read one, write and load one. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "dev/engine/snapshot.h"
#include "message.h"
#include "request.h"
#include "state.h"

#define TORUS_STATE_PART	4096u	/* maximum bytes of a snapshot in an answer */

/* TORUS_CMD_STATE_SAVE: save a snapshot for the socket, with OPTIONS at its start. */
int torus_netlink_state_save(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *options = info->attrs[TORUS_A_OPTIONS];
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_error why;
	int err;

	err = torus_engine_save_state(e, info->snd_portid, nla_data(options), nla_len(options),
				      &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], err,
					    "%s", why.text);
	return 0;
}

/* TORUS_CMD_STATE_GET: bytes of the saved snapshot from offset VALUE on, and its size. */
int torus_netlink_state_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *at = info->attrs[TORUS_A_VALUE];
	struct torus_engine *e = torus_netlink_engine(info);
	const struct torus_upload *kept = &e->uploads.saved;
	u64 first = at ? nla_get_u64(at) : 0;
	struct torus_netlink_msg msg;
	struct torus_error why;
	int err;

	err = torus_upload_check(e, kept, info->snd_portid, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], err,
					    "%s", why.text);
	if (first >= kept->count)
		return torus_netlink_refuse(skb, info->nlhdr, at, -ERANGE,
					    "byte %llu: must be below %u, the size of the state",
					    first, kept->count);
	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	err = torus_netlink_begin(&msg);
	if (!err)
		err = torus_netlink_end(&msg,
					!nla_put_string(msg.skb, TORUS_A_FABRIC, e->name) &&
					torus_netlink_put_u64(&msg, TORUS_A_VALUE, kept->count) &&
					!nla_put(msg.skb, TORUS_A_FABRIC_STATE,
						 min_t(u64, kept->count - first, TORUS_STATE_PART),
						 (const u8 *)kept->items + first));
	return torus_netlink_send_reply(&msg, info, err);
}

/*
 * TORUS_CMD_STATE_WRITE. With VALUE: begin an upload of VALUE bytes. With FABRIC_STATE: add bytes.
 * STATE_COMMIT loads the snapshot.
 */
int torus_netlink_state_write(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *bytes = info->attrs[TORUS_A_VALUE];
	const struct nlattr *part = info->attrs[TORUS_A_FABRIC_STATE];
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_error why;
	int err;

	if (!bytes == !part)
		return torus_netlink_refuse(skb, info->nlhdr, part, -EINVAL,
					    "requires either VALUE (begins a state) or "
					    "FABRIC_STATE (adds to it)");
	if (bytes)
		err = torus_upload_begin(e, &e->uploads.loaded, info->snd_portid,
					 nla_get_u64(bytes), &why);
	else
		err = torus_upload_add(e, &e->uploads.loaded, info->snd_portid, nla_data(part),
				       nla_len(part), &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, bytes ?: part, err, "%s", why.text);
	return 0;
}

/* TORUS_CMD_STATE_COMMIT: load the uploaded snapshot, with the workload in it. */
int torus_netlink_state_commit(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_traffic traffic;
	struct torus_error why;
	const u8 *wrong;
	int err;

	nla_memcpy(&traffic, info->attrs[TORUS_A_TRAFFIC], sizeof(traffic));
	wrong = memchr_inv(traffic.reserved, 0, sizeof(traffic.reserved));
	if (wrong)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_TRAFFIC], -EINVAL,
					    "workload: byte %zu is reserved and must be 0",
					    wrong - (const u8 *)&traffic);
	err = torus_engine_load_state(e, info->snd_portid, &traffic, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], err,
					    "%s", why.text);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_FABRIC_RESET,
	});
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for routing tables: load them, and read them back. */
#include "core/base/node_number.h"
#include "core/run/routing_tables.h"
#include "dev/engine/engine.h"
#include "dev/engine/routes.h"
#include "message.h"
#include "request.h"
#include "route.h"

#define TORUS_ROUTES_PART	2048u	/* maximum bytes of tables in an answer */

/*
 * TORUS_CMD_ROUTE_LOAD. With VALUE: begin an upload of VALUE bytes. With ROUTES: add bytes. With
 * neither: load the tables into the fabric, valid from tick ROUTES_AT on.
 */
int torus_netlink_route_load(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *bytes = info->attrs[TORUS_A_VALUE];
	const struct nlattr *part = info->attrs[TORUS_A_ROUTES];
	const struct nlattr *at = info->attrs[TORUS_A_ROUTES_AT];
	struct torus_engine *e = torus_netlink_engine(info);
	const struct nlattr *blamed;
	struct torus_error why;
	int err;

	if (bytes && part)
		return torus_netlink_refuse(skb, info->nlhdr, part, -EINVAL,
					    "VALUE %llu (begins tables) and %d bytes of ROUTES "
					    "(adds to tables) cannot be combined",
					    nla_get_u64(bytes), nla_len(part));
	if (at && (bytes || part))
		return torus_netlink_refuse(skb, info->nlhdr, at, -EINVAL,
					    "ROUTES_AT %llu: is accepted only in the request that "
					    "commits the tables", nla_get_u64(at));
	if (bytes)
		err = torus_routes_begin(e, info->snd_portid, nla_get_u64(bytes), &why);
	else if (part)
		err = torus_upload_add(e, &e->uploads.routes, info->snd_portid, nla_data(part),
				       nla_len(part), &why);
	else
		err = torus_routes_commit(e, info->snd_portid,
					  at ? nla_get_u64(at) : TORUS_ROUTES_NOW, &why);
	if (!err)
		return 0;
	blamed = bytes ?: part ?: info->attrs[TORUS_A_FABRIC];
	/*
	 * The request that ends an upload has no attribute for the tables. Name ROUTES_AT if it is
	 * wrong.
	 */
	if (at && err == torus_fabric_routes_at(e->fabric, nla_get_u64(at), NULL))
		blamed = at;
	return torus_netlink_refuse(skb, info->nlhdr, blamed, err, "%s", why.text);
}

/* TORUS_CMD_ROUTE_GET: bytes of the tables from offset VALUE on, and the size of the tables. */
int torus_netlink_route_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *at = info->attrs[TORUS_A_VALUE];
	struct torus_engine *e = torus_netlink_engine(info);
	u64 first = at ? nla_get_u64(at) : 0;
	struct torus_netlink_msg msg;
	const u8 *image;
	size_t bytes;
	int err;

	image = torus_fabric_routes(e->fabric, &bytes);
	if (!image)
		return torus_netlink_refuse(skb, info->nlhdr, info->attrs[TORUS_A_FABRIC], -ENODATA,
					    "fabric %s has no routing tables", e->name);
	if (first >= bytes)
		return torus_netlink_refuse(skb, info->nlhdr, at, -ERANGE,
					    "byte %llu: must be below %zu, the size of the tables",
					    first, bytes);
	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	err = torus_netlink_begin(&msg);
	if (!err)
		err = torus_netlink_end(&msg,
					!nla_put_string(msg.skb, TORUS_A_FABRIC, e->name) &&
					torus_netlink_put_u64(&msg, TORUS_A_VALUE, bytes) &&
					!nla_put(msg.skb, TORUS_A_ROUTES,
						 min_t(size_t, bytes - first, TORUS_ROUTES_PART),
						 image + first));
	return torus_netlink_send_reply(&msg, info, err);
}

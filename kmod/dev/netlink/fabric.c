// SPDX-License-Identifier: GPL-2.0
/* Netlink commands for fabrics. */
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/sock.h>

#include "arch/arch.h"
#include "core/base/node_number.h"
#include "core/run/live_params.h"
#include "core/run/params.h"
#include "core/run/routing_tables.h"
#include "dev/engine/client.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "dev/engine/events.h"
#include "dev/engine/registry.h"
#include "dev/vtime/clock.h"
#include "dev/vtime/process.h"
#include "fabric.h"
#include "message.h"
#include "pause.h"
#include "request.h"
#include "rights.h"

/* ------------------------------------------------------------- parameters */

/**
 * struct torus_netlink_param - a parameter of a request
 * @key: its key
 * @value: its value as text: a number or a name
 */
struct torus_netlink_param {
	const char *key;
	char value[TORUS_NETLINK_PARAM_TEXT];
};

static int torus_netlink_param_parse(struct sk_buff *skb, struct genl_info *info,
				     const struct nlattr *attr, struct torus_netlink_param *param)
{
	struct nlattr *tb[TORUS_A_MAX + 1];
	int err;

	/* Without a policy: the one of the message has validated nested attributes already. */
	err = nla_parse_nested(tb, TORUS_A_MAX, attr, NULL, info->extack);
	if (err)
		return err;
	if (!tb[TORUS_A_KEY] || !tb[TORUS_A_VALUE] == !tb[TORUS_A_TEXT])
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "a PARAM requires a KEY and either VALUE or TEXT");
	param->key = nla_data(tb[TORUS_A_KEY]);
	if (tb[TORUS_A_TEXT])
		nla_strscpy(param->value, tb[TORUS_A_TEXT], sizeof(param->value));
	else
		/* A hexadecimal number is the raw value: for ber, in units of 2^-64. */
		scnprintf(param->value, sizeof(param->value), "0x%llx",
			  nla_get_u64(tb[TORUS_A_VALUE]));
	return 0;
}

/* Apply each PARAM to @cfg, or, if @cfg is NULL, to the change of an existing fabric. */
static int torus_netlink_params(struct sk_buff *skb, struct genl_info *info,
				struct torus_config *cfg, struct torus_fabric_change *change)
{
	struct torus_netlink_param param;
	struct torus_error why;
	struct nlattr *attr;
	int err, rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != TORUS_A_PARAM)
			continue;
		err = torus_netlink_param_parse(skb, info, attr, &param);
		if (err)
			return err;
		if (cfg)
			err = torus_config_set(cfg, param.key, param.value, &why);
		else
			err = torus_change_set(change, torus_netlink_engine(info)->fabric,
					       param.key, param.value, &why);
		if (err)
			return torus_netlink_refuse(skb, info->nlhdr, attr, err, "%s", why.text);
	}
	return 0;
}

/* ------------------------------------------------------------ add and delete */

/**
 * torus_netlink_name_good() - check whether a string is a valid name
 * @name: the name
 *
 * Return: true if it is not empty, has only letters, digits, dots, dashes and underscores, and is
 * neither "." nor "..".
 */
bool torus_netlink_name_good(const char *name)
{
	const char *c;

	if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (c = name; *c; c++) {
		if (!isascii(*c) || (!isalnum(*c) && !strchr("._-", *c)))
			return false;
	}
	return true;
}

static int torus_netlink_shape(struct sk_buff *skb, struct genl_info *info,
			       struct torus_config *cfg)
{
	const struct nlattr *attr = info->attrs[TORUS_A_DIMS];
	u32 dims[TORUS_DIMS_MAX] = {};
	struct torus_error why;
	u32 mesh = 0;
	int err;

	if (nla_len(attr) % sizeof(u32))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "DIMS is %d bytes long, must be a multiple of 4",
					    nla_len(attr));
	nla_memcpy(dims, attr, sizeof(dims));
	if (info->attrs[TORUS_A_MESH])
		mesh = nla_get_u32(info->attrs[TORUS_A_MESH]);
	err = torus_config_shape(cfg, nla_len(attr) / sizeof(u32), dims, mesh, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, attr, err, "%s", why.text);
	return 0;
}

static int torus_netlink_configure(struct sk_buff *skb, struct genl_info *info,
				   struct torus_config *cfg)
{
	const struct nlattr *arch = info->attrs[TORUS_A_ARCH];
	struct torus_error why;
	int err;

	err = torus_arch_config(cfg, nla_data(arch), &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, arch, err, "%s", why.text);
	err = torus_netlink_shape(skb, info, cfg);
	if (err)
		return err;
	if (info->attrs[TORUS_A_SEED])
		cfg->seed = nla_get_u64(info->attrs[TORUS_A_SEED]);
	if (info->attrs[TORUS_A_DOMAINS])
		cfg->domains = nla_get_u32(info->attrs[TORUS_A_DOMAINS]);
	return torus_netlink_params(skb, info, cfg, NULL);
}

int torus_netlink_fabric_add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TORUS_A_FABRIC];
	const char *name = nla_data(attr);
	struct torus_config *cfg;
	struct torus_engine *e;
	struct torus_error why;
	int err;

	if (!torus_netlink_name_good(name))
		return torus_netlink_refuse(skb, info->nlhdr, attr, -EINVAL,
					    "the name of a fabric must consist of letters, digits, "
					    "'.', '-' and '_'");
	cfg = kzalloc(sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;
	err = torus_netlink_configure(skb, info, cfg);
	if (err)
		goto out;
	/* The requesting socket cannot be closed during its own request. */
	err = torus_registry_add(genl_info_net(info), name, cfg,
				 info->attrs[TORUS_A_TIED] ? info->snd_portid : 0, &e, &why);
	if (err) {
		err = torus_netlink_refuse(skb, info->nlhdr, attr, err, "%s", why.text);
		goto out;
	}
	torus_event_send(e, &(struct torus_event_note){
		.event = TORUS_EVENT_FABRIC_ADD,
		.request = info->nlhdr,
	});
	torus_engine_put(e);
out:
	kfree(cfg);
	return err;
}

int torus_netlink_fabric_del(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[TORUS_A_FABRIC];
	struct net *net = genl_info_net(info);
	struct torus_engine *e = NULL;
	struct torus_error why;
	int err = 0;

	if (info->attrs[TORUS_A_UNUSED])
		err = torus_registry_del_unused(net, nla_data(attr), &e, &why);
	else
		e = torus_registry_del(net, nla_data(attr));
	if (err == -EINTR)
		return err;
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, attr, err, "%s", why.text);
	if (!e)
		return torus_netlink_refuse(skb, info->nlhdr, attr, -ENOENT,
					    "fabric %s does not exist in this network namespace",
					    (const char *)nla_data(attr));
	torus_event_send(e, &(struct torus_event_note){ .event = TORUS_EVENT_FABRIC_DEL });
	torus_engine_put(e);
	return 0;
}

/**
 * torus_netlink_fabric_leave() - delete the fabrics that are tied to a closed socket
 * @net: network namespace of the socket
 * @portid: port of the socket
 */
void torus_netlink_fabric_leave(struct net *net, u32 portid)
{
	struct torus_engine *e;

	while ((e = torus_registry_untie(net, portid))) {
		torus_event_send(e, &(struct torus_event_note){ .event = TORUS_EVENT_FABRIC_DEL });
		torus_engine_put(e);
	}
}

/* ---------------------------------------------------------------------- get */

static bool torus_netlink_put_param(struct torus_netlink_msg *msg, const struct torus_config *cfg,
				    const struct torus_config *first, u32 i)
{
	const struct torus_param *param = torus_param_at(cfg->arch, i);
	char text[TORUS_NETLINK_PARAM_TEXT];
	struct nlattr *nest;

	if (!param)
		return true;
	nest = nla_nest_start(msg->skb, TORUS_A_PARAM);
	if (!nest || nla_put_string(msg->skb, TORUS_A_KEY, param->name) ||
	    nla_put_string(msg->skb, TORUS_A_TEXT,
			   torus_config_text(cfg, i, text, sizeof(text))) ||
	    !torus_netlink_put_u64(msg, TORUS_A_VALUE, cfg->params[i]) ||
	    (torus_param_unit(param) &&
	     nla_put_string(msg->skb, TORUS_A_UNIT, torus_param_unit(param))) ||
	    (param->live && nla_put_flag(msg->skb, TORUS_A_LIVE)) ||
	    nla_put_string(msg->skb, TORUS_A_DEFAULT,
			   torus_config_text(first, i, text, sizeof(text))))
		return false;
	nla_nest_end(msg->skb, nest);
	return true;
}

/* Add the names of the VCs, which depend on the configuration. */
static bool torus_netlink_put_vcs(struct torus_netlink_msg *msg, const struct torus_config *cfg)
{
	const struct torus_router_ops *router = cfg->arch->router(cfg);
	char text[64] = "";
	size_t used = 0;
	u32 vc;

	for (vc = 0; vc < router->vcs; vc++)
		used += scnprintf(text + used, sizeof(text) - used, vc ? " %s" : "%s",
				  router->vc_names[vc]);
	return !nla_put_string(msg->skb, TORUS_A_VCS, text);
}

/* Add the names of the reasons why packets are dropped, in the order of their numbers. */
static bool torus_netlink_put_drops(struct torus_netlink_msg *msg, const struct torus_arch *arch)
{
	const char *name;
	char text[256];
	size_t used = 0;
	u32 reason;

	for (reason = 0; reason < TORUS_DROP_MAX; reason++) {
		name = torus_drop_name(arch, reason);
		used += scnprintf(text + used, sizeof(text) - used, reason ? " %s" : "%s",
				  name ?: "-");
	}
	return !nla_put_string(msg->skb, TORUS_A_DROPS, text);
}

/* Add all parameters, each with its default from @first. */
static bool torus_netlink_put_params(struct torus_netlink_msg *msg, const struct torus_config *cfg,
				     const struct torus_config *first)
{
	bool fits = true;
	u32 i;

	for (i = 0; fits && i < torus_param_count(cfg->arch); i++)
		fits = torus_netlink_put_param(msg, cfg, first, i);
	return fits;
}

static bool torus_netlink_put_config(struct torus_netlink_msg *msg, const struct torus_config *cfg,
				     const struct torus_config *first)
{
	return !(nla_put_string(msg->skb, TORUS_A_ARCH, cfg->arch->name) ||
		 nla_put(msg->skb, TORUS_A_DIMS, cfg->geo.ndims * sizeof(u32), cfg->geo.dims) ||
		 nla_put_u32(msg->skb, TORUS_A_MESH, cfg->geo.mesh) ||
		 nla_put(msg->skb, TORUS_A_SHAPE, cfg->geo.nshape * sizeof(u32), cfg->geo.shape) ||
		 nla_put(msg->skb, TORUS_A_NUMBERING, sizeof(cfg->geo.numbering),
			 &cfg->geo.numbering) ||
		 nla_put_u32(msg->skb, TORUS_A_NODES, cfg->geo.nodes) ||
		 nla_put_u32(msg->skb, TORUS_A_DOMAINS, cfg->domains) ||
		 !torus_netlink_put_u64(msg, TORUS_A_TICK_FS, cfg->arch->tick_fs(cfg)) ||
		 !torus_netlink_put_u64(msg, TORUS_A_SEED, cfg->seed) ||
		 !torus_netlink_put_vcs(msg, cfg) || !torus_netlink_put_drops(msg, cfg->arch) ||
		 !torus_netlink_put_params(msg, cfg, first));
}

/* Add the next tick at which new routing tables become valid, if there is one. */
static bool torus_netlink_put_waiting(struct torus_netlink_msg *msg, const struct torus_fabric *f)
{
	u64 at;

	return !torus_fabric_routes_waiting(f, &at) ||
	       torus_netlink_put_u64(msg, TORUS_A_ROUTES_AT, at);
}

/* Virtual time: add the program that the fabric's clock waits for. */
static bool torus_netlink_put_time_held(struct torus_netlink_msg *msg, struct torus_engine *e)
{
	const struct torus_engine_client *client = e->vtime.enabled ? torus_clock_last(e) : NULL;
	struct nlattr *nest;

	if (!client)
		return true;
	nest = nla_nest_start(msg->skb, TORUS_A_TIME_HELD);
	if (!nest ||
	    !torus_netlink_put_owner(msg, e, client->node, &client->group, &client->owner) ||
	    !torus_netlink_put_u64(msg, TORUS_A_CLOCK, client->clock->core.now) ||
	    !torus_netlink_put_u64(msg, TORUS_A_VALUE, torus_clock_stalled_ms(e, client->clock)))
		return false;
	nla_nest_end(msg->skb, nest);
	return true;
}

/*
 * Add what a user with the right to observe may see: contexts, clock, packets in flight, tick of
 * waiting tables, the program that time waits for, the pause, memory.
 */
static bool torus_netlink_put_course(struct torus_netlink_msg *msg, struct torus_engine *e)
{
	struct torus_fabric *f = e->fabric;

	return !nla_put_u32(msg->skb, TORUS_A_CONTEXTS, e->clients.attached) &&
	       torus_netlink_put_u64(msg, TORUS_A_CLOCK, torus_fabric_clock(f)) &&
	       torus_netlink_put_u64(msg, TORUS_A_IN_FLIGHT, torus_fabric_in_flight(f)) &&
	       torus_netlink_put_waiting(msg, f) && torus_netlink_put_time_held(msg, e) &&
	       torus_netlink_put_paused(msg, e) &&
	       torus_netlink_put_u64(msg, TORUS_A_MEMORY, torus_fabric_memory(f));
}

static bool torus_netlink_put_fabric(struct torus_netlink_msg *msg, struct torus_engine *e,
				     const struct torus_config *first)
{
	return !nla_put_string(msg->skb, TORUS_A_FABRIC, e->name) &&
	       torus_netlink_put_config(msg, torus_fabric_config(e->fabric), first) &&
	       !nla_put_u32(msg->skb, TORUS_A_STATE, e->state) &&
	       (!e->registry.tied || !nla_put_flag(msg->skb, TORUS_A_TIED));
}

/*
 * Fill in a fabric. @request: its sender must have the right to observe the fabric, or gets only
 * the configuration, the state, and whether the fabric is tied to a socket.
 */
static int torus_netlink_fill_fabric(struct torus_netlink_msg *msg, struct torus_engine *e,
				     u32 generation, const struct sk_buff *request)
{
	struct torus_config *first = kmalloc(sizeof(*first), GFP_KERNEL);
	int err;

	if (!first)
		return -ENOMEM;
	torus_config_init(first, e->arch);
	err = torus_netlink_begin(msg);
	if (!err)
		err = torus_netlink_end(msg, torus_netlink_put_fabric(msg, e, first) &&
					(!torus_netlink_sees(request, e, TORUS_NONE) ||
					 torus_netlink_put_course(msg, e)) &&
					!nla_put_u32(msg->skb, TORUS_A_GENERATION, generation));
	kfree(first);
	return err;
}

/* TORUS_CMD_FABRIC_GET: one fabric. */
int torus_netlink_fabric_get(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_netlink_msg msg;
	int err;

	err = torus_netlink_new_reply(&msg, info);
	if (err)
		return err;
	err = torus_netlink_fill_fabric(&msg, torus_netlink_engine(info),
					torus_registry_generation(genl_info_net(info)), skb);
	return torus_netlink_send_reply(&msg, info, err);
}

/* TORUS_CMD_FABRIC_GET, dump: all fabrics. */
int torus_netlink_fabric_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct net *net = sock_net(cb->skb->sk);
	struct torus_netlink_msg msg;
	struct torus_engine *e;
	int err = 0;

	cb->seq = torus_registry_generation(net);
	torus_netlink_into_dump(&msg, skb, cb);
	while (!err) {
		e = torus_registry_nth(net, dump->next);
		if (!e)
			break;
		/* Skip a fabric that is being deleted: the generation reports the change. */
		err = torus_engine_lock_killable(e);
		if (err == -ENODEV) {
			err = 0;
		} else if (!err) {
			err = torus_netlink_fill_fabric(&msg, e, cb->seq, cb->skb);
			torus_engine_unlock(e);
		}
		torus_engine_put(e);
		if (!err)
			dump->next++;
	}
	return skb->len ?: err;
}

/* ------------------------------------------------------------ set and reset */

/* TORUS_CMD_FABRIC_SET: set all given parameters, or none. */
int torus_netlink_fabric_set(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	struct torus_fabric_change *change = kmalloc(sizeof(*change), GFP_KERNEL);
	struct torus_error why;
	int err;

	if (!change)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -ENOMEM,
					    "no memory for a change of parameters");
	torus_change_init(change, e->fabric);
	err = torus_netlink_params(skb, info, NULL, change);
	if (!err) {
		err = torus_change_make(e->fabric, change, &why);
		if (err)
			err = torus_netlink_refuse(skb, info->nlhdr, NULL, err, "%s", why.text);
	}
	kfree(change);
	if (err)
		return err;
	torus_engine_renice(e);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_FABRIC_SET,
		.request = info->nlhdr,
	});
	return 0;
}

int torus_netlink_fabric_reset(struct sk_buff *skb, struct genl_info *info)
{
	struct torus_engine *e = torus_netlink_engine(info);
	u64 seed = torus_fabric_config(e->fabric)->seed;
	struct torus_error why;
	u32 open;
	int err;

	if (info->attrs[TORUS_A_SEED])
		seed = nla_get_u64(info->attrs[TORUS_A_SEED]);
	open = e->vtime.enabled ? torus_process_open_contexts(e) : 0;
	if (open)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, -EBUSY,
					    "time=virtual: a reset requires that no program is "
					    "attached, but %u contexts are", open);
	if (e->workload.state != TORUS_TRAFFIC_NONE)
		torus_engine_end_workload(e);
	err = torus_fabric_reset(e->fabric, seed, &why);
	if (err)
		return torus_netlink_refuse(skb, info->nlhdr, NULL, err, "%s", why.text);
	torus_engine_restart(e);
	torus_event_send_locked(e, &(struct torus_event_note){
		.event = TORUS_EVENT_FABRIC_RESET,
		.request = info->nlhdr,
	});
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink command for the parameters of a machine: their ranges and names, for help and completion.
 */
#include <linux/slab.h>

#include "arch/arch.h"
#include "core/base/node_number.h"
#include "core/run/params.h"
#include "dev/engine/engine.h"
#include "message.h"
#include "param.h"
#include "request.h"

#define TORUS_PARAM_VALUES	256	/* size of the list of a parameter's values */

static bool torus_netlink_put_values(struct torus_netlink_msg *msg, const struct torus_param *param)
{
	char text[TORUS_PARAM_VALUES] = "";
	size_t used = 0;
	u32 i;

	for (i = 0; param->values[i]; i++)
		used += scnprintf(text + used, sizeof(text) - used, i ? " %s" : "%s",
				  param->values[i]);
	return !nla_put_string(msg->skb, TORUS_A_VALUES, text);
}

static bool torus_netlink_put_range(struct torus_netlink_msg *msg, const struct torus_param *param)
{
	return torus_netlink_put_u64(msg, TORUS_A_MINIMUM, param->min) &&
	       torus_netlink_put_u64(msg, TORUS_A_MAXIMUM, param->max) &&
	       (!torus_param_unit(param) ||
		!nla_put_string(msg->skb, TORUS_A_UNIT, torus_param_unit(param)));
}

static int torus_netlink_fill_param(struct torus_netlink_msg *msg, const struct torus_config *cfg,
				    u32 i)
{
	const struct torus_param *param = torus_param_at(cfg->arch, i);
	char text[TORUS_NETLINK_PARAM_TEXT];

	if (!param)
		return 0;
	if (torus_netlink_begin(msg))
		return -EMSGSIZE;
	return torus_netlink_end(msg, !nla_put_string(msg->skb, TORUS_A_KEY, param->name) &&
				 !nla_put_string(msg->skb, TORUS_A_DEFAULT,
						 torus_config_text(cfg, i, text, sizeof(text))) &&
				 (param->values ? torus_netlink_put_values(msg, param) :
						  torus_netlink_put_range(msg, param)) &&
				 (!param->live || !nla_put_flag(msg->skb, TORUS_A_LIVE)) &&
				 !nla_put_string(msg->skb, TORUS_A_HELP, param->help));
}

/**
 * torus_netlink_check_arch() - check that a machine exists
 * @skb: the request
 * @nlh: its header
 * @arch: attribute with the name of the machine
 *
 * Return: 0, or the value that the handler must return.
 */
int torus_netlink_check_arch(struct sk_buff *skb, const struct nlmsghdr *nlh,
			     const struct nlattr *arch)
{
	struct torus_config *cfg = kzalloc(sizeof(*cfg), GFP_KERNEL);
	struct torus_error why;
	int err;

	if (!cfg)
		return -ENOMEM;
	err = torus_arch_config(cfg, nla_data(arch), &why);
	kfree(cfg);
	return err ? torus_netlink_refuse(skb, nlh, arch, err, "%s", why.text) : 0;
}

int torus_netlink_param_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct nlattr *arch = torus_genl_dump_attrs(cb)[TORUS_A_ARCH];
	struct torus_netlink_dump *dump = torus_netlink_dump(cb);
	struct torus_netlink_msg msg;
	struct torus_config *cfg;
	int err;

	cfg = kzalloc(sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;
	err = torus_arch_config(cfg, nla_data(arch), NULL);
	if (err)
		goto out;
	torus_netlink_into_dump(&msg, skb, cb);
	while (dump->next < torus_param_count(cfg->arch)) {
		err = torus_netlink_fill_param(&msg, cfg, dump->next);
		if (err)
			break;
		dump->next++;
	}
	err = skb->len ?: err;
out:
	kfree(cfg);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of the netlink family, by file. */
#ifndef TORUS_DEV_NETLINK_H
#define TORUS_DEV_NETLINK_H

#include <linux/netlink.h>
#include <linux/torus.h>
#include <net/genetlink.h>

#include "core/base/number.h"
#include "engine.h"
#include "netlink_message.h"
#include "netlink_request.h"

struct torus_job_nodes;

/* Indices of the multicast groups. */
#define TORUS_NETLINK_EVENTS		0
#define TORUS_NETLINK_EVENTS_ADMIN	1

/**
 * struct torus_netlink_rule - which attributes a command takes
 * @need: those it must have: TORUS_A_*, UNSPEC behind the last; NULL: none
 * @may: those it may have
 * @dump_need: the same for a dump
 * @dump_may: the same for a dump
 */
struct torus_netlink_rule {
	const u16 *need;
	const u16 *may;
	const u16 *dump_need;
	const u16 *dump_may;
};

typedef int (*torus_netlink_fill_link)(struct torus_netlink_msg *msg, struct torus_engine *e,
				       u32 node, u32 dir);

struct torus_event_note;

/* netlink_event.c */
void torus_netlink_event(const struct torus_engine *e, const struct torus_event_note *note,
			 const u64 *clock, gfp_t gfp);

/* netlink_attrs.c */
extern const struct nla_policy torus_netlink_policy[TORUS_A_MAX + 1];
extern const struct torus_netlink_rule torus_netlink_rules[TORUS_CMD_MAX + 1];

bool torus_netlink_lists(const u16 *list, u32 attr);
int torus_netlink_check_attrs(struct sk_buff *skb, const struct nlmsghdr *nlh,
			      struct nlattr **attrs, const u16 *need, const u16 *may);

/* netlink_family.c */
int torus_netlink_init(void);
void torus_netlink_exit(void);

bool torus_netlink_put_tnis(struct torus_netlink_msg *msg, struct torus_engine *e, u32 node);

/* netlink_rights.c */
bool torus_netlink_sees(const struct sk_buff *skb, const struct torus_engine *e, u32 node);
bool torus_netlink_sees_job(const struct sk_buff *skb, const struct torus_engine *e,
			    const struct torus_job_nodes *job);
bool torus_netlink_watches(const struct sk_buff *skb, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights *watched);
int torus_netlink_no_watch(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   const struct torus_engine *e, enum torus_rights watched);
int torus_netlink_may_dump(struct sk_buff *skb, const struct nlmsghdr *nlh, struct nlattr **attrs,
			   struct torus_engine *e, u32 cmd);

/* The commands, by file. */
bool torus_netlink_name_good(const char *name);
int torus_netlink_fabric_add(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_del(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_fabric_set(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_fabric_reset(struct sk_buff *skb, struct genl_info *info);
void torus_netlink_fabric_leave(struct net *net, u32 portid);

int torus_netlink_job_add(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_job_del(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_job_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_job_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_node_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_node_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_node_set(struct sk_buff *skb, struct genl_info *info);

int torus_netlink_reg_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_reg_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_reg_set(struct sk_buff *skb, struct genl_info *info);

int torus_netlink_dump_links(struct sk_buff *skb, struct netlink_callback *cb,
			     torus_netlink_fill_link fill);
int torus_netlink_link_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_link_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_link_set(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_link_check(struct sk_buff *skb, struct netlink_callback *cb);

int torus_netlink_fault_dump(struct sk_buff *skb, struct netlink_callback *cb);

int torus_netlink_context_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_check_arch(struct sk_buff *skb, const struct nlmsghdr *nlh,
			     const struct nlattr *arch);
int torus_netlink_param_dump(struct sk_buff *skb, struct netlink_callback *cb);

int torus_netlink_counter_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_counter_dump(struct sk_buff *skb, struct netlink_callback *cb);
int torus_netlink_counter_reset(struct sk_buff *skb, struct genl_info *info);

int torus_netlink_traffic_start(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_traffic_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_traffic_stop(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_traffic_table(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_route_load(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_route_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_save(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_get(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_put(struct sk_buff *skb, struct genl_info *info);
int torus_netlink_state_load(struct sk_buff *skb, struct genl_info *info);
void torus_netlink_traffic_leave(struct net *net, u32 portid);

#endif

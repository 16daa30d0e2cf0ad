// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "torus": its commands and multicast groups.
 *
 * Requests run in parallel (parallel_ops): the locks of the registry and of the engine protect
 * their data. A request that waits for a fabric's lock must not delay other families.
 */
#include <linux/notifier.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "dev/engine/events.h"
#include "attrs.h"
#include "context.h"
#include "counter.h"
#include "event.h"
#include "fabric.h"
#include "family.h"
#include "job.h"
#include "link.h"
#include "message.h"
#include "node.h"
#include "param.h"
#include "pause.h"
#include "paused_run.h"
#include "reg.h"
#include "request.h"
#include "route.h"
#include "state.h"
#include "traffic.h"

#define GET	TORUS_NETLINK_HOLD
#define WATCH	TORUS_NETLINK_WATCH
#define SET	(TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD | TORUS_NETLINK_CHANGE)
#define DUMP	.start = torus_netlink_start, .done = torus_netlink_done

static const struct genl_ops torus_netlink_ops[] = {
	{
		.cmd = TORUS_CMD_FABRIC_ADD,
		.internal_flags = TORUS_NETLINK_ADMIN,
		.doit = torus_netlink_fabric_add,
	}, {
		.cmd = TORUS_CMD_FABRIC_DEL,
		.internal_flags = TORUS_NETLINK_ADMIN,
		.doit = torus_netlink_fabric_del,
	}, {
		.cmd = TORUS_CMD_FABRIC_GET,
		.internal_flags = GET,
		.doit = torus_netlink_fabric_get,
		DUMP, .dumpit = torus_netlink_fabric_dump,
	}, {
		.cmd = TORUS_CMD_FABRIC_SET,
		.internal_flags = SET,
		.doit = torus_netlink_fabric_set,
	}, {
		.cmd = TORUS_CMD_FABRIC_RESET,
		.internal_flags = SET,
		.doit = torus_netlink_fabric_reset,
	}, {
		.cmd = TORUS_CMD_FABRIC_PAUSE,
		.internal_flags = SET,
		.doit = torus_netlink_fabric_pause,
	}, {
		.cmd = TORUS_CMD_FABRIC_RESUME,
		.internal_flags = SET,
		.doit = torus_netlink_fabric_resume,
	}, {
		.cmd = TORUS_CMD_RUN_BEGIN,
		.internal_flags = SET,
		.doit = torus_netlink_run_begin,
	}, {
		.cmd = TORUS_CMD_RUN_NEXT,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_run_next,
	}, {
		.cmd = TORUS_CMD_NODE_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_node_get,
		DUMP, .dumpit = torus_netlink_node_dump,
	}, {
		.cmd = TORUS_CMD_NODE_SET,
		.internal_flags = SET,
		.doit = torus_netlink_node_set,
	}, {
		.cmd = TORUS_CMD_NODE_INJECT,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_node_inject,
	}, {
		.cmd = TORUS_CMD_REG_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_reg_get,
		DUMP, .dumpit = torus_netlink_reg_dump,
	}, {
		.cmd = TORUS_CMD_REG_SET,
		.internal_flags = SET,
		.doit = torus_netlink_reg_set,
	}, {
		.cmd = TORUS_CMD_LINK_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_link_get,
		DUMP, .dumpit = torus_netlink_link_dump,
	}, {
		.cmd = TORUS_CMD_LINK_SET,
		.internal_flags = SET,
		.doit = torus_netlink_link_set,
	}, {
		.cmd = TORUS_CMD_LINK_CHECK,
		.internal_flags = WATCH,
		DUMP, .dumpit = torus_netlink_link_check,
	}, {
		.cmd = TORUS_CMD_COUNTER_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_counter_get,
		DUMP, .dumpit = torus_netlink_counter_dump,
	}, {
		.cmd = TORUS_CMD_COUNTER_RESET,
		.internal_flags = SET,
		.doit = torus_netlink_counter_reset,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_START,
		.internal_flags = SET,
		.doit = torus_netlink_traffic_start,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_traffic_get,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_STOP,
		.internal_flags = SET,
		.doit = torus_netlink_traffic_stop,
	}, {
		.cmd = TORUS_CMD_TRAFFIC_PAIRS,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_traffic_pairs,
	}, {
		.cmd = TORUS_CMD_FAULT_GET,
		.internal_flags = WATCH,
		DUMP, .dumpit = torus_netlink_fault_dump,
	}, {
		.cmd = TORUS_CMD_CONTEXT_GET,
		.internal_flags = WATCH,
		DUMP, .dumpit = torus_netlink_context_dump,
	}, {
		.cmd = TORUS_CMD_PARAM_GET,
		DUMP, .dumpit = torus_netlink_param_dump,
	}, {
		.cmd = TORUS_CMD_ROUTE_LOAD,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_route_load,
	}, {
		.cmd = TORUS_CMD_ROUTE_GET,
		.internal_flags = GET,
		.doit = torus_netlink_route_get,
	}, {
		.cmd = TORUS_CMD_STATE_SAVE,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_state_save,
	}, {
		.cmd = TORUS_CMD_STATE_GET,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_state_get,
	}, {
		.cmd = TORUS_CMD_STATE_WRITE,
		.internal_flags = TORUS_NETLINK_ADMIN | TORUS_NETLINK_HOLD,
		.doit = torus_netlink_state_write,
	}, {
		.cmd = TORUS_CMD_STATE_COMMIT,
		.internal_flags = SET,
		.doit = torus_netlink_state_commit,
	}, {
		.cmd = TORUS_CMD_JOB_ADD,
		.internal_flags = SET,
		.doit = torus_netlink_job_add,
	}, {
		.cmd = TORUS_CMD_JOB_DEL,
		.internal_flags = SET,
		.doit = torus_netlink_job_del,
	}, {
		.cmd = TORUS_CMD_JOB_GET,
		.internal_flags = GET | WATCH,
		.doit = torus_netlink_job_get,
		DUMP, .dumpit = torus_netlink_job_dump,
	},
};

static const struct genl_multicast_group torus_netlink_groups[] = {
	[TORUS_NETLINK_EVENTS] = { .name = TORUS_GENL_MCGRP_EVENTS },
	[TORUS_NETLINK_EVENTS_ADMIN] = {
		.name = TORUS_GENL_MCGRP_EVENTS_ADMIN,
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

struct genl_family torus_netlink_family = {
	.name = TORUS_GENL_NAME,
	.version = TORUS_GENL_VERSION,
	.module = THIS_MODULE,
	.netnsok = true,
	.parallel_ops = true,
	.maxattr = TORUS_A_MAX,
	.policy = torus_netlink_policy,
	.ops = torus_netlink_ops,
	.n_ops = ARRAY_SIZE(torus_netlink_ops),
	.resv_start_op = TORUS_CMD_UNSPEC + 1,
	.mcgrps = torus_netlink_groups,
	.n_mcgrps = ARRAY_SIZE(torus_netlink_groups),
	.pre_doit = torus_netlink_pre_doit,
	.post_doit = torus_netlink_post_doit,
};

/* Discard the uploads and the tied fabrics of a socket that was closed, and end its runs. */
static int torus_netlink_notify(struct notifier_block *block, unsigned long event, void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC && notify->portid) {
		torus_netlink_traffic_leave(notify->net, notify->portid);
		torus_netlink_fabric_leave(notify->net, notify->portid);
	}
	return NOTIFY_DONE;
}

static struct notifier_block torus_netlink_notifier = {
	.notifier_call = torus_netlink_notify,
};

/* Register the family and the notifier for closed sockets. */
int __init torus_netlink_init(void)
{
	int err;

	torus_event_set_notifier(torus_netlink_event);
	err = netlink_register_notifier(&torus_netlink_notifier);
	if (err)
		return err;
	err = genl_register_family(&torus_netlink_family);
	if (err)
		netlink_unregister_notifier(&torus_netlink_notifier);
	return err;
}

void torus_netlink_exit(void)
{
	genl_unregister_family(&torus_netlink_family);
	netlink_unregister_notifier(&torus_netlink_notifier);
}

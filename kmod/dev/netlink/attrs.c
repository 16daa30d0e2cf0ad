// SPDX-License-Identifier: GPL-2.0
/* Attributes of the netlink family: their ranges, and the commands that accept each. */
#include <net/netlink.h>

#include "core/base/number.h"
#include "dev/engine/engine.h"
#include "attrs.h"
#include "message.h"
#include "request.h"

static struct netlink_range_validation torus_netlink_delay_range = {
	.max = TORUS_DELAY_MAX,
};

static struct netlink_range_validation torus_netlink_tick_range = {
	.max = TORUS_ROUTES_NOW - 1,
};

static const struct nla_policy torus_netlink_param_policy[TORUS_A_MAX + 1] = {
	[TORUS_A_KEY] = { .type = NLA_NUL_STRING, .len = 31 },
	[TORUS_A_VALUE] = { .type = NLA_U64 },
	[TORUS_A_TEXT] = { .type = NLA_NUL_STRING, .len = 63 },
};

const struct nla_policy torus_netlink_policy[TORUS_A_MAX + 1] = {
	[TORUS_A_FABRIC] = { .type = NLA_NUL_STRING, .len = TORUS_NAME_MAX - 1 },
	[TORUS_A_ARCH] = { .type = NLA_NUL_STRING, .len = 15 },
	[TORUS_A_DIMS] = NLA_POLICY_RANGE(NLA_BINARY, sizeof(u32), TORUS_DIMS_MAX * sizeof(u32)),
	[TORUS_A_MESH] = NLA_POLICY_MAX(NLA_U32, BIT(TORUS_DIMS_MAX) - 1),
	[TORUS_A_SEED] = { .type = NLA_U64 },
	[TORUS_A_DOMAINS] = NLA_POLICY_RANGE(NLA_U32, 1, TORUS_DOMAINS_MAX),
	[TORUS_A_PARAM] = NLA_POLICY_NESTED(torus_netlink_param_policy),
	[TORUS_A_NODE] = { .type = NLA_U32 },
	[TORUS_A_DIR] = { .type = NLA_U32 },
	[TORUS_A_UID] = { .type = NLA_U32 },
	[TORUS_A_PARTITION] = { .type = NLA_U32 },
	[TORUS_A_REG] = { .type = NLA_U32 },
	[TORUS_A_REG_NAME] = { .type = NLA_NUL_STRING, .len = TORUS_NAME_MAX - 1 },
	[TORUS_A_REG_VALUE] = { .type = NLA_U32 },
	[TORUS_A_LINK_STATE] = NLA_POLICY_MAX(NLA_U32, 1),
	[TORUS_A_LINK_BER] = { .type = NLA_U64 },
	[TORUS_A_LINK_CORRUPT] = { .type = NLA_U32 },
	[TORUS_A_LINK_ESCAPE] = { .type = NLA_U32 },
	[TORUS_A_LINK_DROP_ACK] = { .type = NLA_U32 },
	[TORUS_A_LINK_CORRUPT_ACK] = { .type = NLA_U32 },
	[TORUS_A_LINK_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U64, &torus_netlink_delay_range),
	[TORUS_A_LINK_AT] = { .type = NLA_U64 },
	[TORUS_A_LINK_FOR] = { .type = NLA_U64 },
	[TORUS_A_VALUE] = { .type = NLA_U64 },
	[TORUS_A_TRAFFIC] = NLA_POLICY_EXACT_LEN(sizeof(struct torus_traffic)),
	[TORUS_A_PAIRS] = NLA_POLICY_MIN_LEN(sizeof(struct torus_pair)),
	[TORUS_A_LINK_SENDER] = NLA_POLICY_MAX(NLA_U32, TORUS_SENDER_DEAD),
	[TORUS_A_NODE_STATE] = NLA_POLICY_MAX(NLA_U32, TORUS_NODE_FAILED),
	[TORUS_A_LINK_ECC_SINGLE] = { .type = NLA_U32 },
	[TORUS_A_LINK_ECC_DOUBLE] = { .type = NLA_U32 },
	[TORUS_A_LINK_PARITY] = { .type = NLA_U32 },
	[TORUS_A_TIED] = { .type = NLA_FLAG },
	[TORUS_A_CHANGED] = { .type = NLA_FLAG },
	[TORUS_A_ROUTES] = NLA_POLICY_MIN_LEN(1),
	[TORUS_A_LINK_DROP_NACK] = { .type = NLA_U32 },
	[TORUS_A_JOB] = { .type = NLA_NUL_STRING, .len = TORUS_NAME_MAX - 1 },
	[TORUS_A_VIEW] = NLA_POLICY_RANGE(NLA_BINARY, sizeof(u32), TORUS_DIMS_MAX * sizeof(u32)),
	[TORUS_A_MEMBERS] = NLA_POLICY_MIN_LEN(sizeof(u32)),
	[TORUS_A_ROUTES_AT] = NLA_POLICY_FULL_RANGE(NLA_U64, &torus_netlink_tick_range),
	[TORUS_A_EVICT] = { .type = NLA_FLAG },
	[TORUS_A_FABRIC_STATE] = NLA_POLICY_MIN_LEN(1),
	[TORUS_A_OPTIONS] = NLA_POLICY_MIN_LEN(1),
};

static const char *const torus_netlink_names[TORUS_A_MAX + 1] = {
	[TORUS_A_FABRIC] = "FABRIC",
	[TORUS_A_ARCH] = "ARCH",
	[TORUS_A_DIMS] = "DIMS",
	[TORUS_A_MESH] = "MESH",
	[TORUS_A_SEED] = "SEED",
	[TORUS_A_DOMAINS] = "DOMAINS",
	[TORUS_A_PARAM] = "PARAM",
	[TORUS_A_NODE] = "NODE",
	[TORUS_A_DIR] = "DIR",
	[TORUS_A_UID] = "UID",
	[TORUS_A_PARTITION] = "PARTITION",
	[TORUS_A_REG] = "REG",
	[TORUS_A_REG_NAME] = "REG_NAME",
	[TORUS_A_REG_VALUE] = "REG_VALUE",
	[TORUS_A_LINK_STATE] = "LINK_STATE",
	[TORUS_A_LINK_BER] = "LINK_BER",
	[TORUS_A_LINK_CORRUPT] = "LINK_CORRUPT",
	[TORUS_A_LINK_ESCAPE] = "LINK_ESCAPE",
	[TORUS_A_LINK_DROP_ACK] = "LINK_DROP_ACK",
	[TORUS_A_LINK_CORRUPT_ACK] = "LINK_CORRUPT_ACK",
	[TORUS_A_LINK_DELAY] = "LINK_DELAY",
	[TORUS_A_LINK_AT] = "LINK_AT",
	[TORUS_A_LINK_FOR] = "LINK_FOR",
	[TORUS_A_VALUE] = "VALUE",
	[TORUS_A_TRAFFIC] = "TRAFFIC",
	[TORUS_A_PAIRS] = "PAIRS",
	[TORUS_A_LINK_SENDER] = "LINK_SENDER",
	[TORUS_A_NODE_STATE] = "NODE_STATE",
	[TORUS_A_LINK_ECC_SINGLE] = "LINK_ECC_SINGLE",
	[TORUS_A_LINK_ECC_DOUBLE] = "LINK_ECC_DOUBLE",
	[TORUS_A_LINK_PARITY] = "LINK_PARITY",
	[TORUS_A_TIED] = "TIED",
	[TORUS_A_CHANGED] = "CHANGED",
	[TORUS_A_ROUTES] = "ROUTES",
	[TORUS_A_ROUTES_AT] = "ROUTES_AT",
	[TORUS_A_LINK_DROP_NACK] = "LINK_DROP_NACK",
	[TORUS_A_JOB] = "JOB",
	[TORUS_A_VIEW] = "VIEW",
	[TORUS_A_MEMBERS] = "MEMBERS",
	[TORUS_A_EVICT] = "EVICT",
	[TORUS_A_FABRIC_STATE] = "FABRIC_STATE",
	[TORUS_A_OPTIONS] = "OPTIONS",
};

/* A mask has too few bits for all attributes, so use lists that end with UNSPEC. */
#define LIST(...)	((const u16 []){ __VA_ARGS__, TORUS_A_UNSPEC })
#define A(name)		TORUS_A_##name

const struct torus_netlink_rule torus_netlink_rules[TORUS_CMD_MAX + 1] = {
	[TORUS_CMD_FABRIC_ADD] = {
		.need = LIST(A(FABRIC), A(ARCH), A(DIMS)),
		.may = LIST(A(MESH), A(SEED), A(DOMAINS), A(PARAM), A(TIED)),
	},
	[TORUS_CMD_FABRIC_DEL] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_FABRIC_GET] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_FABRIC_SET] = { .need = LIST(A(FABRIC), A(PARAM)) },
	[TORUS_CMD_FABRIC_RESET] = { .need = LIST(A(FABRIC)), .may = LIST(A(SEED)) },
	[TORUS_CMD_NODE_GET] = {
		.need = LIST(A(FABRIC), A(NODE)),
		.dump_need = LIST(A(FABRIC)),
		.dump_may = LIST(A(NODE), A(CHANGED)),
	},
	[TORUS_CMD_NODE_SET] = {
		.need = LIST(A(FABRIC), A(NODE)),
		.may = LIST(A(UID), A(PARTITION), A(NODE_STATE), A(EVICT)),
	},
	[TORUS_CMD_REG_GET] = {
		.need = LIST(A(FABRIC), A(NODE)),
		.may = LIST(A(REG), A(REG_NAME)),
		.dump_need = LIST(A(FABRIC)),
		.dump_may = LIST(A(NODE), A(CHANGED)),
	},
	[TORUS_CMD_REG_SET] = { .need = LIST(A(FABRIC), A(NODE), A(REG), A(REG_VALUE)) },
	[TORUS_CMD_LINK_GET] = {
		.need = LIST(A(FABRIC), A(NODE), A(DIR)),
		.dump_need = LIST(A(FABRIC)),
		.dump_may = LIST(A(NODE), A(LINK_SENDER), A(CHANGED)),
	},
	[TORUS_CMD_LINK_SET] = {
		.need = LIST(A(FABRIC)),
		.may = LIST(A(NODE), A(DIR), A(LINK_STATE), A(LINK_BER), A(LINK_CORRUPT),
			    A(LINK_ESCAPE), A(LINK_DROP_ACK), A(LINK_CORRUPT_ACK), A(LINK_DELAY),
			    A(LINK_ECC_SINGLE), A(LINK_ECC_DOUBLE), A(LINK_PARITY), A(LINK_AT),
			    A(LINK_FOR), A(LINK_SENDER), A(LINK_DROP_NACK)),
	},
	[TORUS_CMD_LINK_CHECK] = { .dump_need = LIST(A(FABRIC)), .dump_may = LIST(A(NODE)) },
	[TORUS_CMD_COUNTER_GET] = {
		.need = LIST(A(FABRIC)),
		.may = LIST(A(NODE), A(DIR)),
		.dump_need = LIST(A(FABRIC)),
		.dump_may = LIST(A(NODE)),
	},
	[TORUS_CMD_COUNTER_RESET] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_TRAFFIC_START] = { .need = LIST(A(FABRIC), A(TRAFFIC)), .may = LIST(A(SEED)) },
	[TORUS_CMD_TRAFFIC_GET] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_TRAFFIC_STOP] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_TRAFFIC_PAIRS] = { .need = LIST(A(FABRIC)), .may = LIST(A(VALUE), A(PAIRS)) },
	[TORUS_CMD_FAULT_GET] = { .dump_need = LIST(A(FABRIC)) },
	[TORUS_CMD_CONTEXT_GET] = { .dump_need = LIST(A(FABRIC)), .dump_may = LIST(A(NODE)) },
	[TORUS_CMD_PARAM_GET] = { .dump_need = LIST(A(ARCH)) },
	[TORUS_CMD_ROUTE_LOAD] = {
		.need = LIST(A(FABRIC)),
		.may = LIST(A(VALUE), A(ROUTES), A(ROUTES_AT)),
	},
	[TORUS_CMD_JOB_ADD] = {
		.need = LIST(A(FABRIC), A(JOB), A(MEMBERS)),
		.may = LIST(A(VIEW)),
	},
	[TORUS_CMD_JOB_DEL] = { .need = LIST(A(FABRIC), A(JOB)) },
	[TORUS_CMD_JOB_GET] = {
		.need = LIST(A(FABRIC), A(JOB)),
		.dump_need = LIST(A(FABRIC)),
	},
	[TORUS_CMD_STATE_SAVE] = { .need = LIST(A(FABRIC), A(OPTIONS)) },
	[TORUS_CMD_STATE_GET] = { .need = LIST(A(FABRIC)), .may = LIST(A(VALUE)) },
	[TORUS_CMD_STATE_WRITE] = {
		.need = LIST(A(FABRIC)),
		.may = LIST(A(VALUE), A(FABRIC_STATE)),
	},
	[TORUS_CMD_STATE_COMMIT] = { .need = LIST(A(FABRIC), A(TRAFFIC)) },
	[TORUS_CMD_ROUTE_GET] = { .need = LIST(A(FABRIC)), .may = LIST(A(VALUE)) },
};

/**
 * torus_netlink_lists() - check whether a list of a rule contains an attribute
 * @list: list that ends with UNSPEC; NULL: empty
 * @attr: TORUS_A_*
 *
 * Return: true if it does.
 */
bool torus_netlink_lists(const u16 *list, u32 attr)
{
	for (; list && *list != TORUS_A_UNSPEC; list++)
		if (*list == attr)
			return true;
	return false;
}

/**
 * torus_netlink_check_attrs() - check that a request has all required attributes, and no others
 * @skb: the request
 * @nlh: its header
 * @attrs: its attributes
 * @need: required attributes
 * @may: optional attributes
 *
 * Return: 0, or the value that the handler must return.
 */
int torus_netlink_check_attrs(struct sk_buff *skb, const struct nlmsghdr *nlh,
			      struct nlattr **attrs, const u16 *need, const u16 *may)
{
	u32 i;

	for (i = TORUS_A_PAD + 1; i <= TORUS_A_MAX; i++) {
		bool needed = torus_netlink_lists(need, i);

		if (!attrs[i] && needed)
			return torus_netlink_refuse(skb, nlh, NULL, -EINVAL,
						    "attribute %s is missing",
						    torus_netlink_names[i]);
		if (attrs[i] && !needed && !torus_netlink_lists(may, i))
			return torus_netlink_refuse(skb, nlh, attrs[i], -EINVAL,
						    "attribute %s does not belong to this command",
						    torus_netlink_names[i] ?: "of an answer");
	}
	return 0;
}

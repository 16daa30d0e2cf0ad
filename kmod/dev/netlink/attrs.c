// SPDX-License-Identifier: GPL-2.0
/* Attributes of the netlink family: their ranges, and the commands that accept each. */
#include <net/netlink.h>

#include "core/base/node_number.h"
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

/* Attributes of requests: the name after TORUS_A_, and the values that are accepted. */
#define TORUS_NETLINK_ATTRS(X) \
	X(FABRIC, { .type = NLA_NUL_STRING, .len = TORUS_NAME_MAX - 1 }) \
	X(ARCH, { .type = NLA_NUL_STRING, .len = 15 }) \
	X(DIMS, NLA_POLICY_RANGE(NLA_BINARY, sizeof(u32), TORUS_DIMS_MAX * sizeof(u32))) \
	X(MESH, NLA_POLICY_MAX(NLA_U32, BIT(TORUS_DIMS_MAX) - 1)) \
	X(SEED, { .type = NLA_U64 }) \
	X(DOMAINS, NLA_POLICY_RANGE(NLA_U32, 1, TORUS_DOMAINS_MAX)) \
	X(PARAM, NLA_POLICY_NESTED(torus_netlink_param_policy)) \
	X(NODE, { .type = NLA_U32 }) \
	X(DIR, { .type = NLA_U32 }) \
	X(UID, { .type = NLA_U32 }) \
	X(PARTITION, { .type = NLA_U32 }) \
	X(REG, { .type = NLA_U32 }) \
	X(REG_NAME, { .type = NLA_NUL_STRING, .len = TORUS_NAME_MAX - 1 }) \
	X(REG_VALUE, { .type = NLA_U32 }) \
	X(LINK_STATE, NLA_POLICY_MAX(NLA_U32, 1)) \
	X(LINK_BER, { .type = NLA_U64 }) \
	X(LINK_CORRUPT, { .type = NLA_U32 }) \
	X(LINK_ESCAPE, { .type = NLA_U32 }) \
	X(LINK_DROP_ACK, { .type = NLA_U32 }) \
	X(LINK_CORRUPT_ACK, { .type = NLA_U32 }) \
	X(LINK_DELAY, NLA_POLICY_FULL_RANGE(NLA_U64, &torus_netlink_delay_range)) \
	X(LINK_AT, { .type = NLA_U64 }) \
	X(LINK_FOR, { .type = NLA_U64 }) \
	X(VALUE, { .type = NLA_U64 }) \
	X(TRAFFIC, NLA_POLICY_EXACT_LEN(sizeof(struct torus_traffic))) \
	X(PAIRS, NLA_POLICY_MIN_LEN(sizeof(struct torus_pair))) \
	X(LINK_SENDER, NLA_POLICY_MAX(NLA_U32, TORUS_SENDER_DEAD)) \
	X(NODE_STATE, NLA_POLICY_MAX(NLA_U32, TORUS_NODE_FAILED)) \
	X(LINK_ECC_SINGLE, { .type = NLA_U32 }) \
	X(LINK_ECC_DOUBLE, { .type = NLA_U32 }) \
	X(LINK_PARITY, { .type = NLA_U32 }) \
	X(TIED, { .type = NLA_FLAG }) \
	X(CHANGED, { .type = NLA_FLAG }) \
	X(ROUTES, NLA_POLICY_MIN_LEN(1)) \
	X(LINK_DROP_NACK, { .type = NLA_U32 }) \
	X(JOB, { .type = NLA_NUL_STRING, .len = TORUS_NAME_MAX - 1 }) \
	X(VIEW, NLA_POLICY_RANGE(NLA_BINARY, sizeof(u32), TORUS_DIMS_MAX * sizeof(u32))) \
	X(MEMBERS, NLA_POLICY_MIN_LEN(sizeof(u32))) \
	X(ROUTES_AT, NLA_POLICY_FULL_RANGE(NLA_U64, &torus_netlink_tick_range)) \
	X(EVICT, { .type = NLA_FLAG }) \
	X(FABRIC_STATE, NLA_POLICY_MIN_LEN(1)) \
	X(OPTIONS, NLA_POLICY_MIN_LEN(1)) \
	X(GROUP, { .type = NLA_U32 }) \
	X(DRIVER, NLA_POLICY_MAX(NLA_U32, 1)) \
	X(CLOCK, { .type = NLA_U64 }) \
	X(STOP_EVENT, { .type = NLA_NUL_STRING, .len = 15 }) \
	X(STOP_CAUSE, { .type = NLA_NUL_STRING, .len = 15 }) \
	X(STOP_NODES, NLA_POLICY_MIN_LEN(sizeof(u32))) \
	X(RECORD, { .type = NLA_FLAG }) \
	X(UNUSED, { .type = NLA_FLAG }) \
	X(INJECT, { .type = NLA_NUL_STRING, .len = 15 })

#define POLICY(name, ...)	[TORUS_A_##name] = __VA_ARGS__,
#define NAME(name, ...)		[TORUS_A_##name] = #name,

const struct nla_policy torus_netlink_policy[TORUS_A_MAX + 1] = {
	TORUS_NETLINK_ATTRS(POLICY)
};

static const char *const torus_netlink_names[TORUS_A_MAX + 1] = {
	TORUS_NETLINK_ATTRS(NAME)
};

/* A mask has too few bits for all attributes, so use lists that end with UNSPEC. */
#define LIST(...)	((const u16 []){ __VA_ARGS__, TORUS_A_UNSPEC })
#define A(name)		TORUS_A_##name

const struct torus_netlink_rule torus_netlink_rules[TORUS_CMD_MAX + 1] = {
	[TORUS_CMD_FABRIC_ADD] = {
		.need = LIST(A(FABRIC), A(ARCH), A(DIMS)),
		.may = LIST(A(MESH), A(SEED), A(DOMAINS), A(PARAM), A(TIED)),
	},
	[TORUS_CMD_FABRIC_DEL] = { .need = LIST(A(FABRIC)), .may = LIST(A(UNUSED)) },
	[TORUS_CMD_FABRIC_GET] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_FABRIC_SET] = { .need = LIST(A(FABRIC), A(PARAM)) },
	[TORUS_CMD_FABRIC_RESET] = { .need = LIST(A(FABRIC)), .may = LIST(A(SEED)) },
	[TORUS_CMD_FABRIC_PAUSE] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_FABRIC_RESUME] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_RUN_BEGIN] = {
		.need = LIST(A(FABRIC)),
		.may = LIST(A(VALUE), A(CLOCK), A(STOP_EVENT), A(STOP_CAUSE), A(STOP_NODES),
			    A(REG_NAME), A(REG_VALUE), A(RECORD)),
	},
	[TORUS_CMD_RUN_NEXT] = { .need = LIST(A(FABRIC)) },
	[TORUS_CMD_NODE_GET] = {
		.need = LIST(A(FABRIC), A(NODE)),
		.dump_need = LIST(A(FABRIC)),
		.dump_may = LIST(A(NODE), A(CHANGED)),
	},
	[TORUS_CMD_NODE_SET] = {
		.need = LIST(A(FABRIC), A(NODE)),
		.may = LIST(A(UID), A(PARTITION), A(NODE_STATE), A(EVICT), A(DRIVER), A(GROUP)),
	},
	[TORUS_CMD_NODE_INJECT] = {
		.need = LIST(A(FABRIC), A(NODE), A(INJECT)),
		.may = LIST(A(VALUE), A(GROUP)),
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
						    "attribute %s is not accepted by this command",
						    torus_netlink_names[i] ?: "of an answer");
	}
	return 0;
}

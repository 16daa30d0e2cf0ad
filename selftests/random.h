/* SPDX-License-Identifier: GPL-2.0 */
/* Reproducible pseudorandom numbers, and random netlink messages. */
#ifndef TORUS_SELFTESTS_RANDOM_H
#define TORUS_SELFTESTS_RANDOM_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/torus.h>

static inline __u64 mix(__u64 z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static inline __u64 chance_draw(__u64 *random)
{
	return *random = mix(*random);
}

static inline __u32 chance_below(__u64 *random, __u32 end)
{
	return chance_draw(random) % end;
}

/* Draw a number below @end in most cases, and sometimes a number with any bits. */
static inline __u64 chance_number(__u64 *random, __u32 end)
{
	__u64 r = chance_draw(random);

	switch (r & 15) {
	case 0:
		return chance_draw(random);
	case 1:
		return (__u32)chance_draw(random);
	case 2:
		return ~0ull >> (r >> 8 & 63);
	default:
		return (r >> 8) % end;
	}
}

static inline void chance_fill(__u64 *random, void *at, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		((unsigned char *)at)[i] = chance_draw(random) & 0xff;
}

#define CHANCE_BYTES	4096

/**
 * struct chance_message - a request of the module's netlink family
 * @bytes: the message with its headers
 * @used: number of bytes filled
 */
struct chance_message {
	union {
		struct nlmsghdr header;
		unsigned char bytes[CHANCE_BYTES];
	};
	size_t used;
};

/* Append an attribute of @length bytes. Do nothing if the message has no space for it. */
static inline void chance_put(struct chance_message *m, __u16 type, const void *data, size_t length)
{
	struct nlattr attr = { .nla_type = type, .nla_len = NLA_HDRLEN + length };

	if (m->used + NLA_HDRLEN + NLA_ALIGN(length) > sizeof(m->bytes))
		return;
	memcpy(m->bytes + m->used, &attr, sizeof(attr));
	memset(m->bytes + m->used + NLA_HDRLEN, 0, NLA_ALIGN(length));
	if (length)
		memcpy(m->bytes + m->used + NLA_HDRLEN, data, length);
	m->used += NLA_HDRLEN + NLA_ALIGN(length);
}

static inline void chance_put_text(struct chance_message *m, __u16 type, const char *text)
{
	chance_put(m, type, text, strlen(text) + 1);
}

/*
 * Draw a workload. Each member is in its range with a high probability, but few workloads have all
 * members in their ranges.
 */
static inline void chance_traffic(__u64 *random, struct torus_traffic *traffic)
{
	*traffic = (struct torus_traffic){
		.pattern = chance_number(random, TORUS_PATTERN_MAX),
		.size_min = 32 * chance_number(random, 9),
		.load = chance_number(random, 2) * (1ull << 30),
		.warmup = chance_number(random, 100),
		.cycles = chance_number(random, 2000),
		.packets = chance_number(random, 4),
		.batches = chance_number(random, 3),
		.hots = chance_number(random, 2),
		.share = chance_number(random, 2) << 31,
		.reply = chance_number(random, 2) * 32,
		.region = { 1, 1, 1 },
	};
	traffic->size_max = chance_below(random, 4) ? traffic->size_min : 256;
	if (!chance_below(random, 16))
		chance_fill(random, traffic, sizeof(*traffic));
}

/*
 * Append a fabric parameter: a key from a list, mostly of existing keys, with a value that is often
 * valid.
 */
static inline void chance_param(__u64 *random, struct chance_message *m)
{
	static const char *const keys[] = {
		"no_listener", "rx_stall", "crc", "ber", "time", "programs", "attach", "watch",
		"nice", "isolate", "routing", "hints", "bubble", "injection", "control", "tnis",
		"path", "buffers", "virtual_stall_ms", "inject_packet", "nothing", "",
	};
	static const char *const words[] = {
		"hold", "drop", "virtual", "free", "owner", "any", "admin", "full", "lazy", "on",
		"off", "finite", "dynamic", "1e-4", "7", "nonsense", "",
	};
	struct chance_message nest = { .used = 0 };
	__u64 value = chance_number(random, 4);

	chance_put_text(&nest, TORUS_A_KEY,
			keys[chance_below(random, sizeof(keys) / sizeof(*keys))]);
	if (chance_below(random, 2))
		chance_put(&nest, TORUS_A_VALUE, &value, sizeof(value));
	else
		chance_put_text(&nest, TORUS_A_TEXT,
				words[chance_below(random, sizeof(words) / sizeof(*words))]);
	chance_put(m, TORUS_A_PARAM | (chance_below(random, 8) ? NLA_F_NESTED : 0), nest.bytes,
		   nest.used);
}

/* Append an attribute, in most cases with data of the type that the module expects. */
static inline void chance_attribute(__u64 *random, struct chance_message *m, __u16 type)
{
	static const char *const archs[] = { "bgl", "xt", "tofu", "kncube", "cube" };
	static const char *const faults[] = {
		"irq-lost", "irq-spurious", "dma-fault", "fifo-stuck", "unplug", "",
	};
	__u32 dims[TORUS_DIMS_MAX], i;
	unsigned char bytes[256];
	struct torus_traffic traffic;
	__u64 value = chance_number(random, 8);

	switch (chance_below(random, 8) ? type : TORUS_A_UNSPEC) {
	case TORUS_A_ARCH:
		chance_put_text(m, type, archs[chance_below(random, 5)]);
		break;
	case TORUS_A_DIMS:
	case TORUS_A_VIEW:
	case TORUS_A_MEMBERS:
		for (i = 0; i < TORUS_DIMS_MAX; i++)
			dims[i] = chance_below(random, 8) ? 1 + chance_below(random, 3) :
							    chance_number(random, 4);
		chance_put(m, type, dims, (1 + chance_below(random, 4)) * sizeof(*dims));
		break;
	case TORUS_A_PARAM:
		chance_param(random, m);
		break;
	case TORUS_A_TRAFFIC:
		chance_traffic(random, &traffic);
		chance_put(m, type, &traffic, sizeof(traffic));
		break;
	case TORUS_A_JOB:
		chance_put_text(m, type, value & 1 ? "one" : "two");
		break;
	case TORUS_A_INJECT:
		chance_put_text(m, type, faults[chance_below(random, 6)]);
		break;
	case TORUS_A_TIED:
	case TORUS_A_CHANGED:
	case TORUS_A_EVICT:
		chance_put(m, type, NULL, 0);
		break;
	case TORUS_A_SEED:
	case TORUS_A_VALUE:
	case TORUS_A_LINK_BER:
	case TORUS_A_LINK_DELAY:
	case TORUS_A_LINK_AT:
	case TORUS_A_LINK_FOR:
	case TORUS_A_ROUTES_AT:
		chance_put(m, type, &value, sizeof(value));
		break;
	case TORUS_A_UNSPEC:
	case TORUS_A_PAIRS:
	case TORUS_A_ROUTES:
	case TORUS_A_FABRIC_STATE:
	case TORUS_A_OPTIONS:
		chance_fill(random, bytes, sizeof(bytes));
		chance_put(m, type, bytes, 16 * chance_below(random, 17));
		break;
	default:
		dims[0] = (__u32)value;
		chance_put(m, type, dims, sizeof(*dims));
	}
}

/* Attributes that each command requires after TORUS_A_FABRIC, followed by optional ones. */
static const __u16 chance_wants[TORUS_CMD_MAX + 1][8] = {
	[TORUS_CMD_FABRIC_ADD] = { TORUS_A_ARCH, TORUS_A_DIMS, TORUS_A_PARAM, TORUS_A_DOMAINS,
				   TORUS_A_MESH, TORUS_A_TIED },
	[TORUS_CMD_FABRIC_SET] = { TORUS_A_PARAM, TORUS_A_PARAM },
	[TORUS_CMD_FABRIC_RESET] = { TORUS_A_SEED },
	[TORUS_CMD_NODE_GET] = { TORUS_A_NODE, TORUS_A_CHANGED },
	[TORUS_CMD_NODE_SET] = { TORUS_A_NODE, TORUS_A_UID, TORUS_A_PARTITION, TORUS_A_EVICT,
				 TORUS_A_NODE_STATE },
	[TORUS_CMD_NODE_INJECT] = { TORUS_A_NODE, TORUS_A_INJECT, TORUS_A_VALUE, TORUS_A_GROUP },
	[TORUS_CMD_REG_GET] = { TORUS_A_NODE, TORUS_A_REG, TORUS_A_CHANGED },
	[TORUS_CMD_REG_SET] = { TORUS_A_NODE, TORUS_A_REG, TORUS_A_REG_VALUE },
	[TORUS_CMD_LINK_GET] = { TORUS_A_NODE, TORUS_A_DIR, TORUS_A_LINK_SENDER },
	[TORUS_CMD_LINK_SET] = { TORUS_A_NODE, TORUS_A_DIR, TORUS_A_LINK_STATE, TORUS_A_LINK_BER,
				 TORUS_A_LINK_CORRUPT, TORUS_A_LINK_AT, TORUS_A_LINK_FOR,
				 TORUS_A_LINK_DELAY },
	[TORUS_CMD_COUNTER_GET] = { TORUS_A_NODE, TORUS_A_DIR },
	[TORUS_CMD_TRAFFIC_START] = { TORUS_A_TRAFFIC, TORUS_A_SEED },
	[TORUS_CMD_TRAFFIC_PAIRS] = { TORUS_A_VALUE, TORUS_A_PAIRS },
	[TORUS_CMD_CONTEXT_GET] = { TORUS_A_NODE },
	[TORUS_CMD_ROUTE_LOAD] = { TORUS_A_VALUE, TORUS_A_ROUTES, TORUS_A_ROUTES_AT },
	[TORUS_CMD_JOB_ADD] = { TORUS_A_JOB, TORUS_A_MEMBERS, TORUS_A_VIEW },
	[TORUS_CMD_JOB_DEL] = { TORUS_A_JOB },
	[TORUS_CMD_JOB_GET] = { TORUS_A_JOB },
	[TORUS_CMD_ROUTE_GET] = { TORUS_A_VALUE },
	[TORUS_CMD_STATE_SAVE] = { TORUS_A_OPTIONS },
	[TORUS_CMD_STATE_GET] = { TORUS_A_VALUE },
	[TORUS_CMD_STATE_WRITE] = { TORUS_A_VALUE, TORUS_A_FABRIC_STATE },
	[TORUS_CMD_STATE_COMMIT] = { TORUS_A_TRAFFIC },
};

/*
 * Build a request: mostly with the attributes that its command requires, and sometimes with bytes
 * that are no valid message.
 */
static inline void chance_request(__u64 *random, struct chance_message *m, __u16 family,
				  const char *fabric)
{
	__u32 command = chance_below(random, TORUS_CMD_MAX + 2), i;
	struct genlmsghdr genl = { .cmd = command, .version = 1 };
	__u16 flags = NLM_F_REQUEST | (chance_below(random, 4) ? NLM_F_ACK : 0);

	memset(m, 0, NLMSG_HDRLEN + GENL_HDRLEN);
	m->used = NLMSG_HDRLEN + GENL_HDRLEN;
	if (chance_below(random, 16))
		chance_put_text(m, TORUS_A_FABRIC, fabric);
	for (i = 0; i < 8 && command <= TORUS_CMD_MAX && chance_wants[command][i]; i++)
		if (chance_below(random, i < 2 ? 10 : 2))
			chance_attribute(random, m, chance_wants[command][i]);
	while (!chance_below(random, 4))
		chance_attribute(random, m, chance_below(random, TORUS_A_MAX + 2));
	if (!chance_below(random, 16))
		chance_fill(random, m->bytes + NLMSG_HDRLEN + GENL_HDRLEN,
			    m->used - NLMSG_HDRLEN - GENL_HDRLEN);
	if (!chance_below(random, 3))
		flags |= NLM_F_DUMP;
	m->header = (struct nlmsghdr){
		.nlmsg_len = m->used, .nlmsg_type = family, .nlmsg_flags = flags,
	};
	memcpy(m->bytes + NLMSG_HDRLEN, &genl, sizeof(genl));
	if (!chance_below(random, 32))
		m->header.nlmsg_len = chance_number(random, CHANCE_BYTES);
}

#endif /* TORUS_SELFTESTS_RANDOM_H */

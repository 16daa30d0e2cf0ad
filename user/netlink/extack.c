// SPDX-License-Identifier: GPL-2.0
/*
 * Convert extended acknowledgements to error messages. libnl 3.7 does not decode them, so the
 * attributes of the nlmsgerr are parsed here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/netlink.h>
#include <linux/torus.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "extack.h"

/* Names of the attributes, in the words of torusctl. */
static const char *const attr_names[TORUS_A_MAX + 1] = {
	[TORUS_A_FABRIC] = "fabric",
	[TORUS_A_ARCH] = "arch",
	[TORUS_A_DIMS] = "shape",
	[TORUS_A_MESH] = "mesh",
	[TORUS_A_SEED] = "seed",
	[TORUS_A_DOMAINS] = "domains",
	[TORUS_A_PARAM] = "parameter",
	[TORUS_A_NODE] = "node",
	[TORUS_A_DIR] = "direction",
	[TORUS_A_GROUP] = "group",
	[TORUS_A_UID] = "uid",
	[TORUS_A_PARTITION] = "partition",
	[TORUS_A_COORDS] = "coordinates",
	[TORUS_A_REG] = "register",
	[TORUS_A_REG_NAME] = "register name",
	[TORUS_A_REG_VALUE] = "register value",
	[TORUS_A_LINK_STATE] = "state",
	[TORUS_A_LINK_BER] = "ber",
	[TORUS_A_LINK_CORRUPT] = "corrupt",
	[TORUS_A_LINK_ESCAPE] = "escape",
	[TORUS_A_LINK_DROP_ACK] = "drop-ack",
	[TORUS_A_LINK_CORRUPT_ACK] = "corrupt-ack",
	[TORUS_A_LINK_DELAY] = "delay",
	[TORUS_A_LINK_AT] = "at",
	[TORUS_A_LINK_FOR] = "for",
	[TORUS_A_KEY] = "key",
	[TORUS_A_VALUE] = "value",
	[TORUS_A_TEXT] = "value",
	[TORUS_A_TRAFFIC] = "traffic",
	[TORUS_A_LINK_ECC_SINGLE] = "ecc-single",
	[TORUS_A_LINK_ECC_DOUBLE] = "ecc-double",
	[TORUS_A_LINK_PARITY] = "parity",
	[TORUS_A_CHANGED] = "changed",
	[TORUS_A_ROUTES] = "routes",
	[TORUS_A_ROUTES_AT] = "at",
	[TORUS_A_LINK_DROP_NACK] = "drop-nack",
	[TORUS_A_FABRIC_STATE] = "state",
	[TORUS_A_OPTIONS] = "options",
	[TORUS_A_DRIVER] = "driver",
	[TORUS_A_INJECT] = "fault",
};

static const char *extack_attr_name(const struct nlmsghdr *request, uint32_t offset)
{
	const struct nlattr *attr = (const void *)((const char *)request + offset);

	if (!request || offset + sizeof(*attr) > request->nlmsg_len ||
	    nla_type(attr) > TORUS_A_MAX)
		return NULL;
	return attr_names[nla_type(attr)];
}

/*
 * Check whether a message is from the kernel itself, about an attribute that the policy of the
 * netlink family rejects.
 */
static bool extack_is_policy(const char *words)
{
	static const char *const policy_words[] = {
		"Attribute failed policy validation",
		"Unknown attribute type",
		"Unsupported attribute",
		"NLA_F_NESTED",
		"binary attribute size out of range",
		"integer out of range",
		"invalid attribute length",
	};
	size_t i;

	for (i = 0; i < sizeof(policy_words) / sizeof(policy_words[0]); i++)
		if (!strncmp(words, policy_words[i], strlen(policy_words[i])))
			return true;
	return false;
}

/* Write " (MIN to MAX)" if the attribute's policy has an unsigned range, otherwise "". */
static void extack_range(struct nlattr *nest, char *text, size_t size)
{
	uint64_t range[2] = { 0, UINT64_MAX };
	bool found = false;
	struct nlattr *attr;
	int rest;

	text[0] = '\0';
	if (!nest)
		return;
	nla_for_each_nested(attr, nest, rest) {
		int type = nla_type(attr);

		if ((type != NL_POLICY_TYPE_ATTR_MIN_VALUE_U &&
		     type != NL_POLICY_TYPE_ATTR_MAX_VALUE_U) ||
		    nla_len(attr) < (int)sizeof(uint64_t))
			continue;
		range[type == NL_POLICY_TYPE_ATTR_MAX_VALUE_U] = nla_get_u64(attr);
		found = true;
	}
	if (found)
		snprintf(text, size, " (%" PRIu64 " to %" PRIu64 ")", range[0], range[1]);
}

/**
 * torus_nl_extack - convert an extended acknowledgement to a message
 * @request: the request that is acknowledged; may be NULL
 * @first: first attribute, from torus_nl_extack_attrs() or after an NLMSG_DONE
 * @length: bytes of attributes
 * @text: [out] the message
 * @size: bytes of @text
 *
 * The module's own messages name the value and the reason. The kernel's messages about its policy
 * name neither, so the attribute's name and range are added.
 *
 * Return: false if the acknowledgement has no message.
 */
bool torus_nl_extack(const struct nlmsghdr *request, struct nlattr *first, int length,
		     char *text, size_t size)
{
	struct nlattr *attrs[NLMSGERR_ATTR_MAX + 1] = { NULL };
	const char *words = NULL;
	const char *name = NULL;
	struct nlattr *attr;
	char range[64];
	int rest;

	nla_for_each_attr(attr, first, length, rest)
		if (nla_type(attr) <= NLMSGERR_ATTR_MAX)
			attrs[nla_type(attr)] = attr;

	attr = attrs[NLMSGERR_ATTR_MSG];
	if (attr && nla_len(attr) > 0 && memchr(nla_data(attr), '\0', nla_len(attr)))
		words = nla_data(attr);
	attr = attrs[NLMSGERR_ATTR_OFFS];
	if (attr && nla_len(attr) >= (int)sizeof(uint32_t))
		name = extack_attr_name(request, nla_get_u32(attr));
	if (!words)
		return false;
	extack_range(attrs[NLMSGERR_ATTR_POLICY], range, sizeof(range));
	if (name && extack_is_policy(words))
		snprintf(text, size, "%s: %s%s", name, words, range);
	else
		snprintf(text, size, "%s", words);
	return true;
}

/**
 * torus_nl_extack_attrs - find the attributes of an NLMSG_ERROR
 * @length: [out] bytes of attributes
 *
 * The attributes follow the nlmsgerr. If the kernel sends the request back, they follow the
 * request.
 *
 * Return: the first attribute, or NULL.
 */
struct nlattr *torus_nl_extack_attrs(struct nlmsghdr *hdr, int *length)
{
	struct nlmsgerr *err = nlmsg_data(hdr);
	size_t before = sizeof(*err);

	*length = 0;
	if (!(hdr->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		before += err->msg.nlmsg_len - NLMSG_HDRLEN;
	before = NLMSG_ALIGN(before);
	if (before >= (size_t)nlmsg_datalen(hdr))
		return NULL;
	*length = nlmsg_datalen(hdr) - before;
	return (struct nlattr *)((char *)err + before);
}

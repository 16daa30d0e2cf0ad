// SPDX-License-Identifier: GPL-2.0
/* Messages of the module, and what stands in them. */
#include <errno.h>
#include <string.h>

#include <netlink/genl/genl.h>

#include "reply.h"

static const struct nla_policy policy[TORUS_A_MAX + 1] = {
	[TORUS_A_FABRIC] = { .type = NLA_STRING },
	[TORUS_A_ARCH] = { .type = NLA_STRING },
	[TORUS_A_MESH] = { .type = NLA_U32 },
	[TORUS_A_SEED] = { .type = NLA_U64 },
	[TORUS_A_DOMAINS] = { .type = NLA_U32 },
	[TORUS_A_PARAM] = { .type = NLA_NESTED },
	[TORUS_A_NODE] = { .type = NLA_U32 },
	[TORUS_A_DIR] = { .type = NLA_U32 },
	[TORUS_A_GROUP] = { .type = NLA_U32 },
	[TORUS_A_UID] = { .type = NLA_U32 },
	[TORUS_A_PARTITION] = { .type = NLA_U32 },
	[TORUS_A_REG] = { .type = NLA_U32 },
	[TORUS_A_REG_NAME] = { .type = NLA_STRING },
	[TORUS_A_REG_VALUE] = { .type = NLA_U32 },
	[TORUS_A_REG_FLAGS] = { .type = NLA_U32 },
	[TORUS_A_LINK_STATE] = { .type = NLA_U32 },
	[TORUS_A_LINK_BER] = { .type = NLA_U64 },
	[TORUS_A_LINK_CORRUPT] = { .type = NLA_U32 },
	[TORUS_A_LINK_ESCAPE] = { .type = NLA_U32 },
	[TORUS_A_LINK_DROP_ACK] = { .type = NLA_U32 },
	[TORUS_A_LINK_CORRUPT_ACK] = { .type = NLA_U32 },
	[TORUS_A_LINK_DELAY] = { .type = NLA_U64 },
	[TORUS_A_LINK_AT] = { .type = NLA_U64 },
	[TORUS_A_LINK_FOR] = { .type = NLA_U64 },
	[TORUS_A_LINK_PEER] = { .type = NLA_U32 },
	[TORUS_A_LINK_TX_CRC] = { .type = NLA_U32 },
	[TORUS_A_LINK_RX_CRC] = { .type = NLA_U32 },
	[TORUS_A_NODES] = { .type = NLA_U32 },
	[TORUS_A_MEMORY] = { .type = NLA_U64 },
	[TORUS_A_CONTEXTS] = { .type = NLA_U32 },
	[TORUS_A_CLOCK] = { .type = NLA_U64 },
	[TORUS_A_TICK_FS] = { .type = NLA_U64 },
	[TORUS_A_IN_FLIGHT] = { .type = NLA_U64 },
	[TORUS_A_STATE] = { .type = NLA_U32 },
	[TORUS_A_KEY] = { .type = NLA_STRING },
	[TORUS_A_VALUE] = { .type = NLA_U64 },
	[TORUS_A_TEXT] = { .type = NLA_STRING },
	[TORUS_A_EVENT] = { .type = NLA_U32 },
	[TORUS_A_DONE] = { .type = NLA_FLAG },
	[TORUS_A_TIED] = { .type = NLA_FLAG },
	[TORUS_A_GENERATION] = { .type = NLA_U32 },
	[TORUS_A_REG_HELP] = { .type = NLA_STRING },
	[TORUS_A_LINK_ECC_SINGLE] = { .type = NLA_U32 },
	[TORUS_A_LINK_ECC_DOUBLE] = { .type = NLA_U32 },
	[TORUS_A_LINK_PARITY] = { .type = NLA_U32 },
	[TORUS_A_LINK_CONTROL] = { .type = NLA_U32 },
	[TORUS_A_LINK_BASE] = { .type = NLA_NESTED },
	[TORUS_A_BEGUN] = { .type = NLA_FLAG },
	[TORUS_A_REG_BOOT] = { .type = NLA_U32 },
	[TORUS_A_DEFAULT] = { .type = NLA_STRING },
	[TORUS_A_VALUES] = { .type = NLA_STRING },
	[TORUS_A_MINIMUM] = { .type = NLA_U64 },
	[TORUS_A_MAXIMUM] = { .type = NLA_U64 },
	[TORUS_A_HELP] = { .type = NLA_STRING },
	[TORUS_A_PID] = { .type = NLA_U32 },
	[TORUS_A_COMMAND] = { .type = NLA_STRING },
	[TORUS_A_SIGNAL] = { .type = NLA_U32 },
	[TORUS_A_ROUTES] = { .type = NLA_UNSPEC },
	[TORUS_A_ROUTES_AT] = { .type = NLA_U64 },
	[TORUS_A_LINK_DROP_NACK] = { .type = NLA_U32 },
	[TORUS_A_JOB] = { .type = NLA_STRING },
	[TORUS_A_EVICT] = { .type = NLA_FLAG },
	[TORUS_A_TIME_HELD] = { .type = NLA_NESTED },
	[TORUS_A_FABRIC_STATE] = { .type = NLA_UNSPEC },
};

/**
 * torus_nl_reply_parse - take a message of the family apart
 * @hdr: the message
 * @reply: gets its attributes, which stay in the message
 *
 * Return: 0 or -EBADMSG.
 */
int torus_nl_reply_parse(struct nlmsghdr *hdr, struct torus_nl_reply *reply)
{
	struct genlmsghdr *genl = nlmsg_data(hdr);

	if (!genlmsg_valid_hdr(hdr, 0))
		return -EBADMSG;
	reply->first = genlmsg_attrdata(genl, 0);
	reply->length = genlmsg_attrlen(genl, 0);
	return genlmsg_parse(hdr, 0, reply->attrs, TORUS_A_MAX, (void *)policy) ? -EBADMSG : 0;
}

/**
 * torus_nl_nest - attributes inside an attribute
 * @reply: the message
 * @attr: the attribute, which is there
 * @nest: gets them
 *
 * Return: 0 or -EBADMSG.
 */
int torus_nl_nest(const struct torus_nl_reply *reply, enum torus_attr attr,
		  struct torus_nl_reply *nest)
{
	nest->first = nla_data(reply->attrs[attr]);
	nest->length = nla_len(reply->attrs[attr]);
	return nla_parse(nest->attrs, TORUS_A_MAX, nest->first, nest->length, (void *)policy) ?
	       -EBADMSG : 0;
}

/**
 * torus_nl_has - whether an attribute is there
 * @reply: the message
 * @attr: the attribute
 *
 * Return: true if it is.
 */
bool torus_nl_has(const struct torus_nl_reply *reply, enum torus_attr attr)
{
	return reply->attrs[attr];
}

/**
 * torus_nl_u32 - a 32-bit attribute
 * @reply: the message
 * @attr: the attribute
 *
 * Return: its value, 0 when it is not there.
 */
uint32_t torus_nl_u32(const struct torus_nl_reply *reply, enum torus_attr attr)
{
	return reply->attrs[attr] ? nla_get_u32(reply->attrs[attr]) : 0;
}

/**
 * torus_nl_u64 - a 64-bit attribute
 * @reply: the message
 * @attr: the attribute
 *
 * Return: its value, 0 when it is not there.
 */
uint64_t torus_nl_u64(const struct torus_nl_reply *reply, enum torus_attr attr)
{
	return reply->attrs[attr] ? nla_get_u64(reply->attrs[attr]) : 0;
}

/**
 * torus_nl_string - a string attribute
 * @reply: the message
 * @attr: the attribute
 * @text: gets it, cut to fit; "" when it is not there
 * @size: bytes of @text
 */
void torus_nl_string(const struct torus_nl_reply *reply, enum torus_attr attr,
		     char *text, size_t size)
{
	text[0] = '\0';
	if (reply->attrs[attr])
		nla_strlcpy(text, reply->attrs[attr], size);
}

/**
 * torus_nl_binary - an attribute that is a struct or an array
 * @reply: the message
 * @attr: the attribute
 * @data: gets it; what the module did not send is zero
 * @size: bytes of @data; what the module sent beyond is left out
 *
 * Return: bytes that the module sent, 0 when the attribute is not there.
 */
size_t torus_nl_binary(const struct torus_nl_reply *reply, enum torus_attr attr,
		       void *data, size_t size)
{
	size_t sent;

	memset(data, 0, size);
	if (!reply->attrs[attr])
		return 0;
	sent = nla_len(reply->attrs[attr]);
	memcpy(data, nla_data(reply->attrs[attr]), sent < size ? sent : size);
	return sent;
}

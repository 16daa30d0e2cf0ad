// SPDX-License-Identifier: GPL-2.0
/* Messages of the module, and what stands in them. */
#include <errno.h>
#include <string.h>

#include <netlink/genl/genl.h>

#include "reply.h"
#include "uapi_tables.h"

/* Types of the attributes, by their names in comments of linux/torus.h. */
#define ATTR_u32	NLA_U32
#define ATTR_u64	NLA_U64
#define ATTR_string	NLA_STRING
#define ATTR_flag	NLA_FLAG
#define ATTR_nest	NLA_NESTED
#define ATTR_binary	NLA_UNSPEC
#define ATTR(name, kind)	[name] = { .type = ATTR_##kind },

static const struct nla_policy policy[TORUS_A_MAX + 1] = { TORUS_EACH_ATTR(ATTR) };

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

// SPDX-License-Identifier: GPL-2.0
/* Parse messages of the module and read their attributes. */
#include <errno.h>
#include <string.h>

#include <netlink/genl/genl.h>

#include "reply.h"
#include "uapi_tables.h"

/* Netlink attribute types, for the type names that TORUS_EACH_ATTR() uses. */
#define ATTR_u32	NLA_U32
#define ATTR_u64	NLA_U64
#define ATTR_string	NLA_STRING
#define ATTR_flag	NLA_FLAG
#define ATTR_nest	NLA_NESTED
#define ATTR_binary	NLA_UNSPEC
#define ATTR(name, kind)	[name] = { .type = ATTR_##kind },

static const struct nla_policy policy[TORUS_A_MAX + 1] = { TORUS_EACH_ATTR(ATTR) };

/**
 * torus_nl_reply_parse - parse a message of the family
 * @reply: [out] attributes, which point into @hdr
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
 * torus_nl_nest - parse a nested attribute
 * @attr: the attribute, which must exist
 * @nest: [out] the attributes inside @attr
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
 * torus_nl_has - check whether a message has an attribute
 */
bool torus_nl_has(const struct torus_nl_reply *reply, enum torus_attr attr)
{
	return reply->attrs[attr];
}

/**
 * torus_nl_u32 - read a 32-bit attribute
 *
 * Return: the value; 0 if the message does not have the attribute.
 */
uint32_t torus_nl_u32(const struct torus_nl_reply *reply, enum torus_attr attr)
{
	return reply->attrs[attr] ? nla_get_u32(reply->attrs[attr]) : 0;
}

/**
 * torus_nl_u64 - read a 64-bit attribute
 *
 * Return: the value; 0 if the message does not have the attribute.
 */
uint64_t torus_nl_u64(const struct torus_nl_reply *reply, enum torus_attr attr)
{
	return reply->attrs[attr] ? nla_get_u64(reply->attrs[attr]) : 0;
}

/**
 * torus_nl_string - read a string attribute
 * @text: [out] the string, truncated to @size; "" if the message does not have the attribute
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
 * torus_nl_binary - read an attribute that is a struct or an array
 * @data: [out] the value; bytes that the module did not send are zeroed
 * @size: bytes of @data; further bytes from the module are ignored
 *
 * Return: number of bytes that the module sent; 0 if the message does not have the attribute.
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

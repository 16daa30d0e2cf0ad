/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a message of the module into its attributes. */
#ifndef TORUS_NL_REPLY_H
#define TORUS_NL_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/torus.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

/**
 * struct torus_nl_reply - a parsed message of the module
 * @attrs: by type: the attribute of that type; the last one if several attributes have the type
 * @first: first attribute, for loops over repeated attributes
 * @length: bytes of attributes from @first on
 */
struct torus_nl_reply {
	struct nlattr *attrs[TORUS_A_MAX + 1];
	struct nlattr *first;
	int length;
};

int torus_nl_reply_parse(struct nlmsghdr *hdr, struct torus_nl_reply *reply);
int torus_nl_nest(const struct torus_nl_reply *reply, enum torus_attr attr,
		  struct torus_nl_reply *nest);
bool torus_nl_has(const struct torus_nl_reply *reply, enum torus_attr attr);
uint32_t torus_nl_u32(const struct torus_nl_reply *reply, enum torus_attr attr);
uint64_t torus_nl_u64(const struct torus_nl_reply *reply, enum torus_attr attr);
void torus_nl_string(const struct torus_nl_reply *reply, enum torus_attr attr,
		     char *text, size_t size);
size_t torus_nl_binary(const struct torus_nl_reply *reply, enum torus_attr attr,
		       void *data, size_t size);

#endif /* TORUS_NL_REPLY_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Questions to the module over generic netlink, which anybody may ask.  A few small
 * requests: not worth a dependency for everybody who links this library.
 */
#ifndef TORUS_LIB_GENL_H
#define TORUS_LIB_GENL_H

#include <stddef.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/torus.h>

#define GENL_BYTES	32768

/**
 * struct genl_client - one request and its replies
 * @socket: a generic netlink socket
 * @sequence: of the request
 * @attrs: a reply's attributes
 * @bytes: their length
 * @reply: the header of what was received last
 * @buffer: all of it
 */
struct genl_client {
	int socket;
	__u32 sequence;
	const unsigned char *attrs;
	size_t bytes;
	union {
		struct nlmsghdr reply;
		unsigned char buffer[GENL_BYTES];
	};
};

int torus_genl_fabric(const char *fabric, __u8 command, __u16 dump,
		      int (*read)(const struct genl_client *client, void *arg), void *arg);
size_t torus_genl_attr(const struct genl_client *client, __u16 type, void *to, size_t size);

#endif /* TORUS_LIB_GENL_H */

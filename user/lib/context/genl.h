/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small generic netlink client for requests that need no privilege, so that programs with this
 * library need no libnl.
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
 * @socket: generic netlink socket
 * @sequence: sequence number of the request
 * @attrs: attributes of the current reply, in @buffer
 * @bytes: length of @attrs in bytes
 * @reply: header of the last message received
 * @buffer: the last message received
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

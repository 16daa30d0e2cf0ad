/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small generic netlink client for requests that need no privilege, so that programs with this
 * library need no libnl.
 */
#ifndef TORUS_LIB_GENL_H
#define TORUS_LIB_GENL_H

#include <stddef.h>
#include <stdint.h>
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
	uint32_t sequence;
	const unsigned char *attrs;
	size_t bytes;
	union {
		struct nlmsghdr reply;
		unsigned char buffer[GENL_BYTES];
	};
};

/* Request a list without a flag attribute: larger than any type of an attribute. */
#define GENL_DUMP_ALL	UINT16_MAX

int torus_genl_fabric(const char *fabric, uint8_t command, uint16_t dump,
		      int (*read)(const struct genl_client *client, void *arg), void *arg);
size_t torus_genl_attr(const struct genl_client *client, uint16_t type, void *to, size_t size);

#endif /* TORUS_LIB_GENL_H */

// SPDX-License-Identifier: GPL-2.0
/*
 * Questions to the module over generic netlink.  Written without libnl, which user/netlink uses:
 * libtorus needs no library but zlib, and asks only for one value or one list.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <torus/torus.h>
#include "error.h"
#include "exchange.h"

#define REPLY_SECONDS	10

/* Send a command with one string, and for a dump one flag. */
static int exchange_send(struct exchange *exchange, __u16 family, __u8 command, __u8 version,
			 __u16 attr, const char *text, __u16 dump)
{
	unsigned char request[256] = { 0 };
	struct nlmsghdr *header = (struct nlmsghdr *)request;
	struct genlmsghdr *genl = NLMSG_DATA(header);
	struct nlattr *name = (struct nlattr *)(request + NLMSG_HDRLEN + GENL_HDRLEN);
	size_t length = strlen(text) + 1;
	size_t total = NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN + NLA_ALIGN(length);

	name->nla_type = attr;
	name->nla_len = NLA_HDRLEN + length;
	memcpy(name + 1, text, length);
	if (dump) {
		struct nlattr *flag = (struct nlattr *)(request + total);

		flag->nla_type = dump;
		flag->nla_len = NLA_HDRLEN;
		total += NLA_HDRLEN;
	}
	header->nlmsg_len = total;
	header->nlmsg_type = family;
	header->nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : 0);
	header->nlmsg_seq = ++exchange->sequence;
	genl->cmd = command;
	genl->version = version;
	return send(exchange->socket, request, total, 0) < 0 ? -errno : 0;
}

/* The next messages into the buffer.  Returns their length. */
static ssize_t exchange_receive(struct exchange *exchange)
{
	const struct nlmsghdr *reply = &exchange->reply;
	ssize_t bytes;

	do {
		bytes = recv(exchange->socket, exchange->buffer, sizeof(exchange->buffer), 0);
		if (bytes < 0 && errno != EINTR)
			return -errno;
	} while (bytes < (ssize_t)sizeof(*reply) || reply->nlmsg_seq != exchange->sequence);
	return bytes;
}

/* One message.  0: its attributes are there; 1: that was the end; or an error. */
static int exchange_message(struct exchange *exchange, const struct nlmsghdr *message,
			    size_t left, __u16 family)
{
	const size_t headers = NLMSG_HDRLEN + GENL_HDRLEN;

	if (message->nlmsg_len > left || message->nlmsg_len < sizeof(*message))
		return -EBADMSG;
	if (message->nlmsg_type == NLMSG_ERROR || message->nlmsg_type == NLMSG_DONE) {
		int error;

		if (message->nlmsg_len < NLMSG_LENGTH(sizeof(error)))
			return -EBADMSG;
		memcpy(&error, NLMSG_DATA(message), sizeof(error));
		if (message->nlmsg_type == NLMSG_DONE)
			return error < 0 ? error : 1;
		return error ? error : -EBADMSG;
	}
	if (message->nlmsg_type != family || message->nlmsg_len < headers)
		return -EBADMSG;
	exchange->attrs = (const unsigned char *)message + headers;
	exchange->bytes = message->nlmsg_len - headers;
	return 0;
}

/* Ask, and leave the only reply in @exchange. */
static int exchange_do(struct exchange *exchange, __u16 family, __u8 command, __u8 version,
		       __u16 attr, const char *text)
{
	ssize_t bytes;
	int ret;

	ret = exchange_send(exchange, family, command, version, attr, text, 0);
	if (ret)
		return ret;
	bytes = exchange_receive(exchange);
	if (bytes < 0)
		return bytes;
	ret = exchange_message(exchange, &exchange->reply, bytes, family);
	return ret > 0 ? -EBADMSG : ret;
}

/* Ask, and read every reply. */
static int exchange_dump(struct exchange *exchange, __u16 family, __u8 command, const char *text,
			 __u16 dump,
			 int (*read)(const struct exchange *exchange, void *arg), void *arg)
{
	int ret;

	ret = exchange_send(exchange, family, command, TORUS_GENL_VERSION, TORUS_A_FABRIC, text,
			    dump);
	while (!ret) {
		ssize_t bytes = exchange_receive(exchange);
		size_t at = 0;

		if (bytes < 0)
			return bytes;
		while (!ret && at + sizeof(struct nlmsghdr) <= (size_t)bytes) {
			const struct nlmsghdr *message =
				(const struct nlmsghdr *)(exchange->buffer + at);

			ret = exchange_message(exchange, message, bytes - at, family);
			if (!ret)
				ret = read(exchange, arg);
			at += NLMSG_ALIGN(message->nlmsg_len);
		}
	}
	return ret > 0 ? 0 : ret;
}

/**
 * torus_exchange_attr() - an attribute of a reply
 * @exchange: the reply
 * @type: which
 * @to: gets a copy
 * @size: bytes of room there
 *
 * Return: its length, 0 if there is none or it is longer.
 */
size_t torus_exchange_attr(const struct exchange *exchange, __u16 type, void *to, size_t size)
{
	size_t at = 0;

	while (at + NLA_HDRLEN <= exchange->bytes) {
		const struct nlattr *attr = (const struct nlattr *)(exchange->attrs + at);
		size_t length = attr->nla_len;

		if (length < NLA_HDRLEN || length > exchange->bytes - at)
			return 0;
		if ((attr->nla_type & NLA_TYPE_MASK) == type) {
			length -= NLA_HDRLEN;
			if (length > size)
				return 0;
			memcpy(to, exchange->attrs + at + NLA_HDRLEN, length);
			return length;
		}
		at += NLA_ALIGN(length);
	}
	return 0;
}

static int exchange_ask(struct exchange *exchange, const char *fabric, __u8 command,
			__u16 dump,
			int (*read)(const struct exchange *exchange, void *arg), void *arg)
{
	__u16 family = 0;
	int ret;

	ret = exchange_do(exchange, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1,
			  CTRL_ATTR_FAMILY_NAME, TORUS_GENL_NAME);
	if (ret == -ENOENT)
		return torus_error_set(-ENOENT, "no netlink family %s: is the module torus loaded?",
				       TORUS_GENL_NAME);
	if (ret)
		return torus_error_set(ret, "netlink: %s", strerror(-ret));
	if (torus_exchange_attr(exchange, CTRL_ATTR_FAMILY_ID, &family, sizeof(family)) !=
	    sizeof(family))
		return torus_error_set(-EBADMSG, "netlink: the family has no number");

	if (dump)
		ret = exchange_dump(exchange, family, command, fabric, dump, read, arg);
	else
		ret = exchange_do(exchange, family, command, TORUS_GENL_VERSION, TORUS_A_FABRIC,
				  fabric);
	if (ret == -ENOENT || ret == -ENODEV)
		return torus_error_set(-ENOENT, "there is no fabric %s", fabric);
	if (ret)
		return torus_error_set(ret, "fabric %s: %s", fabric, strerror(-ret));
	return dump ? 0 : read(exchange, arg);
}

/**
 * torus_exchange_fabric() - ask the module about a fabric
 * @fabric: its name
 * @command: TORUS_CMD_*
 * @dump: 0: ask for one answer; else for all that this flag selects (TORUS_A_*)
 * @read: called with each answer; 0 or a negative errno
 * @arg: for @read
 *
 * Return: 0, -ENOENT (no module or no fabric), -ENOMEM, or what netlink or @read
 * answered.
 */
int torus_exchange_fabric(const char *fabric, __u8 command, __u16 dump,
			  int (*read)(const struct exchange *exchange, void *arg), void *arg)
{
	const struct timeval limit = { .tv_sec = REPLY_SECONDS };
	struct exchange *exchange;
	int ret;

	exchange = calloc(1, sizeof(*exchange));
	if (!exchange)
		return torus_error_set(-ENOMEM, "no memory for a netlink reply");
	exchange->socket = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (exchange->socket < 0) {
		ret = torus_error_set(-errno, "netlink: %s", strerror(errno));
	} else {
		setsockopt(exchange->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
		ret = exchange_ask(exchange, fabric, command, dump, read, arg);
		close(exchange->socket);
	}
	free(exchange);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * A small generic netlink client, which reads values and lists from the module.  It does not use
 * libnl, as user/netlink does: libtorus depends only on libc and zlib.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <torus/torus.h>
#include "error.h"
#include "genl.h"

#define REPLY_SECONDS	10

/*
 * Send a request with one string attribute.  If @dump is not 0, request a list, with the flag
 * attribute @dump if it is not GENL_DUMP_ALL.
 */
static int genl_send(struct genl_client *client, uint16_t family, uint8_t command, uint8_t version,
		     uint16_t attr, const char *text, uint16_t dump)
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
	if (dump && dump != GENL_DUMP_ALL) {
		struct nlattr *flag = (struct nlattr *)(request + total);

		flag->nla_type = dump;
		flag->nla_len = NLA_HDRLEN;
		total += NLA_HDRLEN;
	}
	header->nlmsg_len = total;
	header->nlmsg_type = family;
	header->nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : 0);
	header->nlmsg_seq = ++client->sequence;
	genl->cmd = command;
	genl->version = version;
	return send(client->socket, request, total, 0) < 0 ? -errno : 0;
}

/* Receive messages of the current request into the buffer.  Return: bytes or a negative errno. */
static ssize_t genl_receive(struct genl_client *client)
{
	const struct nlmsghdr *reply = &client->reply;
	ssize_t bytes;

	do {
		bytes = recv(client->socket, client->buffer, sizeof(client->buffer), 0);
		if (bytes < 0 && errno != EINTR)
			return -errno;
	} while (bytes < (ssize_t)sizeof(*reply) || reply->nlmsg_seq != client->sequence);
	return bytes;
}

/*
 * Parse one message.  Return: 0 and its attributes in @client; 1 at the end of a dump; a negative
 * errno.
 */
static int genl_message(struct genl_client *client, const struct nlmsghdr *message,
			size_t left, uint16_t family)
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
	client->attrs = (const unsigned char *)message + headers;
	client->bytes = message->nlmsg_len - headers;
	return 0;
}

/* Send a request, and leave its only reply in @client. */
static int genl_do(struct genl_client *client, uint16_t family, uint8_t command, uint8_t version,
		   uint16_t attr, const char *text)
{
	ssize_t bytes;
	int ret;

	ret = genl_send(client, family, command, version, attr, text, 0);
	if (ret)
		return ret;
	bytes = genl_receive(client);
	if (bytes < 0)
		return bytes;
	ret = genl_message(client, &client->reply, bytes, family);
	return ret > 0 ? -EBADMSG : ret;
}

/* Send a dump request, and call @read for each reply. */
static int genl_dump(struct genl_client *client, uint16_t family, uint8_t command, const char *text,
		     uint16_t dump,
		     int (*read)(const struct genl_client *client, void *arg), void *arg)
{
	int ret;

	ret = genl_send(client, family, command, TORUS_GENL_VERSION, TORUS_A_FABRIC, text,
			dump);
	while (!ret) {
		ssize_t bytes = genl_receive(client);
		size_t at = 0;

		if (bytes < 0)
			return bytes;
		while (!ret && at + sizeof(struct nlmsghdr) <= (size_t)bytes) {
			const struct nlmsghdr *message =
				(const struct nlmsghdr *)(client->buffer + at);

			ret = genl_message(client, message, bytes - at, family);
			if (!ret)
				ret = read(client, arg);
			at += NLMSG_ALIGN(message->nlmsg_len);
		}
	}
	return ret > 0 ? 0 : ret;
}

/**
 * torus_genl_attr() - copy an attribute of the current reply
 * @client: the client
 * @type: type of the attribute
 * @to: [out] copy of the attribute
 * @size: size of @to in bytes
 *
 * Return: length of the attribute; 0 if there is none or it is longer than @size.
 */
size_t torus_genl_attr(const struct genl_client *client, uint16_t type, void *to, size_t size)
{
	size_t at = 0;

	while (at + NLA_HDRLEN <= client->bytes) {
		const struct nlattr *attr = (const struct nlattr *)(client->attrs + at);
		size_t length = attr->nla_len;

		if (length < NLA_HDRLEN || length > client->bytes - at)
			return 0;
		if ((attr->nla_type & NLA_TYPE_MASK) == type) {
			length -= NLA_HDRLEN;
			if (length > size)
				return 0;
			memcpy(to, client->attrs + at + NLA_HDRLEN, length);
			return length;
		}
		at += NLA_ALIGN(length);
	}
	return 0;
}

static int genl_ask(struct genl_client *client, const char *fabric, uint8_t command,
		    uint16_t dump,
		    int (*read)(const struct genl_client *client, void *arg), void *arg)
{
	uint16_t family = 0;
	int ret;

	ret = genl_do(client, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1,
		      CTRL_ATTR_FAMILY_NAME, TORUS_GENL_NAME);
	if (ret == -ENOENT)
		return torus_error_set(-ENOENT,
				       "the kernel has no netlink family %s: is the module torus "
				       "loaded?", TORUS_GENL_NAME);
	if (ret)
		return torus_error_set(ret, "netlink: %s", strerror(-ret));
	if (torus_genl_attr(client, CTRL_ATTR_FAMILY_ID, &family, sizeof(family)) !=
	    sizeof(family))
		return torus_error_set(-EBADMSG,
				       "netlink: the reply contains no number of the family");

	if (dump)
		ret = genl_dump(client, family, command, fabric, dump, read, arg);
	else
		ret = genl_do(client, family, command, TORUS_GENL_VERSION, TORUS_A_FABRIC,
			      fabric);
	if (ret == -ENOENT || ret == -ENODEV)
		return torus_error_set(-ENOENT,
				       "fabric %s does not exist in this network namespace",
				       fabric);
	if (ret)
		return torus_error_set(ret, "fabric %s: %s", fabric, strerror(-ret));
	return dump ? 0 : read(client, arg);
}

/**
 * torus_genl_fabric() - read information about a fabric from the module
 * @fabric: name of the fabric
 * @command: TORUS_CMD_*
 * @dump: 0: read one reply; GENL_DUMP_ALL: read the list of replies; TORUS_A_*: send this flag
 *        attribute, and read the list of replies
 * @read: called for each reply; returns 0 or a negative errno
 * @arg: argument of @read
 *
 * Return: 0, -ENOENT (no module or no fabric), -ENOMEM, or an error of netlink or @read.
 */
int torus_genl_fabric(const char *fabric, uint8_t command, uint16_t dump,
		      int (*read)(const struct genl_client *client, void *arg), void *arg)
{
	const struct timeval limit = { .tv_sec = REPLY_SECONDS };
	struct genl_client *client;
	int ret;

	client = calloc(1, sizeof(*client));
	if (!client)
		return torus_error_set(-ENOMEM, "out of memory for a netlink reply");
	client->socket = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (client->socket < 0) {
		ret = torus_error_set(-errno, "netlink: %s", strerror(errno));
	} else {
		setsockopt(client->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
		ret = genl_ask(client, fabric, command, dump, read, arg);
		close(client->socket);
	}
	free(client);
	return ret;
}

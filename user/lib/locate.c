// SPDX-License-Identifier: GPL-2.0
/*
 * Where nodes are, as seen from outside: what a fabric looks like, and the number
 * of the node that somebody calls "1,2,3".
 *
 * TORUS_IOC_ATTACH wants a number, and what numbers mean only the shape tells,
 * so it is asked for through generic netlink, which anybody may do.  Two small
 * requests: not worth a dependency for everybody who links this library.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <torus/torus.h>
#include "context.h"

#define REPLY_BYTES	32768
#define REPLY_SECONDS	10

/**
 * struct exchange - one request and its reply
 * @socket: a generic netlink socket
 * @sequence: of the request
 * @attrs: the reply's attributes
 * @bytes: their length
 * @reply: its header
 * @buffer: all of it
 */
struct exchange {
	int socket;
	__u32 sequence;
	const unsigned char *attrs;
	size_t bytes;
	union {
		struct nlmsghdr reply;
		unsigned char buffer[REPLY_BYTES];
	};
};

/* Send a command with one string; the reply's attributes are left in @exchange. */
static int exchange_do(struct exchange *exchange, __u16 family, __u8 command, __u8 version,
		       __u16 attr, const char *text)
{
	struct {
		struct nlmsghdr header;
		struct genlmsghdr genl;
		struct nlattr attr;
		char text[64];
	} request = { 0 };
	const size_t headers = NLMSG_HDRLEN + GENL_HDRLEN;
	const struct nlmsghdr *reply = &exchange->reply;
	size_t length = strlen(text) + 1;
	ssize_t bytes;

	request.header.nlmsg_len = headers + NLA_HDRLEN + NLA_ALIGN(length);
	request.header.nlmsg_type = family;
	request.header.nlmsg_flags = NLM_F_REQUEST;
	request.header.nlmsg_seq = ++exchange->sequence;
	request.genl.cmd = command;
	request.genl.version = version;
	request.attr.nla_type = attr;
	request.attr.nla_len = NLA_HDRLEN + length;
	memcpy(request.text, text, length);
	if (send(exchange->socket, &request, request.header.nlmsg_len, 0) < 0)
		return -errno;
	do {
		bytes = recv(exchange->socket, exchange->buffer, sizeof(exchange->buffer), 0);
		if (bytes < 0 && errno != EINTR)
			return -errno;
	} while (bytes < (ssize_t)sizeof(*reply) || reply->nlmsg_seq != exchange->sequence);
	if (reply->nlmsg_len > (size_t)bytes)
		return -EBADMSG;
	if (reply->nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *error = NLMSG_DATA(reply);

		if (reply->nlmsg_len < NLMSG_LENGTH(sizeof(*error)) || !error->error)
			return -EBADMSG;
		return error->error;
	}
	if (reply->nlmsg_type != family || reply->nlmsg_len < headers)
		return -EBADMSG;
	exchange->attrs = exchange->buffer + headers;
	exchange->bytes = reply->nlmsg_len - headers;
	return 0;
}

/* Copy an attribute of at most @size bytes.  Returns its length, 0 if there is none. */
static size_t exchange_attr(const struct exchange *exchange, __u16 type, void *to, size_t size)
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

static int fabric_ask(struct exchange *exchange, struct torus_fabric *fabric)
{
	__u16 family = 0;
	size_t bytes;
	__u32 i;
	int ret;

	ret = exchange_do(exchange, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1,
			  CTRL_ATTR_FAMILY_NAME, TORUS_GENL_NAME);
	if (ret == -ENOENT)
		return torus_error_set(-ENOENT, "no netlink family %s: is the module torus loaded?",
				       TORUS_GENL_NAME);
	if (ret)
		return torus_error_set(ret, "netlink: %s", strerror(-ret));
	if (exchange_attr(exchange, CTRL_ATTR_FAMILY_ID, &family, sizeof(family)) !=
	    sizeof(family))
		return torus_error_set(-EBADMSG, "netlink: the family has no number");

	ret = exchange_do(exchange, family, TORUS_CMD_FABRIC_GET, TORUS_GENL_VERSION,
			  TORUS_A_FABRIC, fabric->name);
	if (ret == -ENOENT || ret == -ENODEV)
		return torus_error_set(-ENOENT, "there is no fabric %s", fabric->name);
	if (ret)
		return torus_error_set(ret, "fabric %s: %s", fabric->name, strerror(-ret));
	bytes = exchange_attr(exchange, TORUS_A_DIMS, fabric->dims, sizeof(fabric->dims));
	fabric->ndims = bytes / sizeof(fabric->dims[0]);
	exchange_attr(exchange, TORUS_A_ARCH, fabric->arch, sizeof(fabric->arch) - 1);
	exchange_attr(exchange, TORUS_A_MESH, &fabric->mesh, sizeof(fabric->mesh));
	if (!fabric->ndims)
		return torus_error_set(-EBADMSG, "fabric %s: the module tells no shape",
				       fabric->name);
	if (!exchange_attr(exchange, TORUS_A_NODES, &fabric->nodes, sizeof(fabric->nodes))) {
		fabric->nodes = 1;
		for (i = 0; i < fabric->ndims; i++)
			fabric->nodes *= fabric->dims[i];
	}
	return 0;
}

/**
 * torus_fabric_find() - a fabric's machine and shape
 * @name: name of the fabric, in the caller's network namespace
 * @fabric: out
 *
 * Return: 0, -ENOENT (no module or no fabric), -ENAMETOOLONG, or what netlink
 * answered.
 */
int torus_fabric_find(const char *name, struct torus_fabric *fabric)
{
	const struct timeval limit = { .tv_sec = REPLY_SECONDS };
	struct exchange *exchange;
	int ret;

	if (strlen(name) >= sizeof(fabric->name))
		return torus_error_set(-ENAMETOOLONG, "fabric %s: a name has at most %zu bytes",
				       name, sizeof(fabric->name) - 1);
	memset(fabric, 0, sizeof(*fabric));
	memcpy(fabric->name, name, strlen(name) + 1);

	exchange = calloc(1, sizeof(*exchange));
	if (!exchange)
		return torus_error_set(-ENOMEM, "no memory for a netlink reply");
	exchange->socket = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (exchange->socket < 0) {
		ret = torus_error_set(-errno, "netlink: %s", strerror(errno));
	} else {
		setsockopt(exchange->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
		ret = fabric_ask(exchange, fabric);
		close(exchange->socket);
	}
	free(exchange);
	return ret;
}

static const char *dim_name(const struct torus_fabric *fabric, __u32 dim)
{
	static const char * const letters[] = { "x", "y", "z" };
	static const char * const numbers[TORUS_DIMS_MAX] = {
		"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
	};

	return fabric->ndims <= 3 ? letters[dim] : numbers[dim];
}

/**
 * torus_fabric_node() - the number of a node
 * @fabric: from torus_fabric_find()
 * @where: coordinates "1,2,3", or a number
 * @node: out: the number
 *
 * Return: 0, -EINVAL (neither), -ERANGE (outside the machine), -EOPNOTSUPP
 * (coordinates, on a machine that numbers its nodes in a way of its own).
 */
int torus_fabric_node(const struct torus_fabric *fabric, const char *where, __u32 *node)
{
	unsigned long coords[TORUS_DIMS_MAX];
	const char *at = where;
	__u32 count = 0;
	__u64 number = 0;
	char *end;
	__u32 i;

	do {
		if (count == TORUS_DIMS_MAX || *at < '0' || *at > '9')
			break;
		errno = 0;
		coords[count] = strtoul(at, &end, 10);
		if (errno)
			return torus_error_set(-ERANGE, "node %s: number too large", where);
		count++;
		at = *end == ',' ? end + 1 : end;
	} while (at > end);
	if (!count || *at || (at > where && at[-1] == ','))
		return torus_error_set(-EINVAL,
				       "node %s: neither a number nor coordinates like 1,2,3",
				       where);
	if (count == 1 && fabric->ndims != 1) {
		if (coords[0] >= fabric->nodes)
			return torus_error_set(-ERANGE, "node %s: the machine has %u", where,
					       fabric->nodes);
		*node = coords[0];
		return 0;
	}
	if (count != fabric->ndims)
		return torus_error_set(-EINVAL,
				       "node %s: %u coordinates, the machine has %u dimensions",
				       where, count, fabric->ndims);
	for (i = 0; i < count; i++)
		if (coords[i] >= fabric->dims[i])
			return torus_error_set(-ERANGE,
					       "node %s: coordinate %s is %lu, the machine has %u",
					       where, dim_name(fabric, i), coords[i],
					       fabric->dims[i]);
	if (strcmp(fabric->arch, "bgl") && strcmp(fabric->arch, "kncube"))
		return torus_error_set(-EOPNOTSUPP, "node %s: on %s give the node's number",
				       where, fabric->arch);
	for (i = count; i-- > 0;)
		number = number * fabric->dims[i] + coords[i];
	*node = number;
	return 0;
}

/**
 * torus_context_attach_at() - take a FIFO group of a node, by its coordinates
 * @context: out: the context
 * @fabric: name of the fabric
 * @where: coordinates "1,2,3", or a number
 * @config: as torus_context_attach()
 *
 * Return: as torus_fabric_find(), torus_fabric_node() and torus_context_attach().
 */
int torus_context_attach_at(struct torus_context **context, const char *fabric,
			    const char *where, const struct torus_attach_config *config)
{
	struct torus_fabric found;
	__u32 node;
	int ret;

	ret = torus_fabric_find(fabric, &found);
	if (!ret)
		ret = torus_fabric_node(&found, where, &node);
	return ret ? ret : torus_context_attach(context, fabric, node, config);
}

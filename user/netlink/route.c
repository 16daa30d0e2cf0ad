// SPDX-License-Identifier: GPL-2.0
/* Load routing tables into a fabric, and read them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "route.h"

#define PART_BYTES	8192	/* bytes of an image in one request: half of a request's 16 KB */

static int route_send(struct torus_nl *nl, const char *fabric, const uint64_t *bytes,
		      const void *part, size_t length, const uint64_t *at)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_ROUTE_LOAD, fabric);

	if (msg && ((bytes && nla_put_u64(msg, TORUS_A_VALUE, *bytes)) ||
		    (at && nla_put_u64(msg, TORUS_A_ROUTES_AT, *at)) ||
		    (part && nla_put(msg, TORUS_A_ROUTES, (int)length, part)))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}

/**
 * torus_nl_route_load - load routing tables atomically
 * @fabric: name of the fabric
 * @image: struct torus_xt_routes of <linux/torus.h>
 * @bytes: length of @image
 * @at: tick at which all routers start to use the tables; NULL: the next tick that is simulated
 *
 * With @at, the old tables stay in use until the fabric's clock reaches that tick. The clock may
 * stop while no packet is in flight. torus_nl_fabric_get() returns the next tick for which
 * tables wait. New tables for the same tick replace the earlier ones. A load without @at
 * discards all tables that wait.
 *
 * Return: 0 or a negative errno; -EINVAL for a tick in the past.
 */
int torus_nl_route_load(struct torus_nl *nl, const char *fabric, const void *image, size_t bytes,
			const uint64_t *at)
{
	const uint64_t all = bytes;
	const char *part = image;
	int error = route_send(nl, fabric, &all, NULL, 0, NULL);

	while (bytes && !error) {
		size_t some = bytes < PART_BYTES ? bytes : PART_BYTES;

		error = route_send(nl, fabric, NULL, part, some, NULL);
		part += some;
		bytes -= some;
	}
	return error ? error : route_send(nl, fabric, NULL, NULL, 0, at);
}

/* State of an image that is being received: the part that has arrived. */
struct route_reply {
	unsigned char *image;
	size_t bytes;
	size_t have;
};

static int route_parse(const struct torus_nl_reply *reply, void *item)
{
	struct route_reply *arriving = item;
	unsigned char part[PART_BYTES];
	size_t length = torus_nl_binary(reply, TORUS_A_ROUTES, part, sizeof(part));
	size_t bytes = torus_nl_u64(reply, TORUS_A_VALUE);

	if (!arriving->image) {
		arriving->image = malloc(bytes ? bytes : 1);
		if (!arriving->image)
			return -ENOMEM;
		arriving->bytes = bytes;
	}
	/*
	 * if other tables are loaded between two requests, the image's length usually changes; a
	 * load with the same length is not detected
	 */
	if (!length || bytes != arriving->bytes || length > bytes - arriving->have)
		return -EAGAIN;
	memcpy(arriving->image + arriving->have, part, length);
	arriving->have += length;
	return 0;
}

/**
 * torus_nl_route_get - read the routing tables of a fabric
 * @fabric: name of the fabric
 * @image: [out] freed by the caller
 * @bytes: [out] length of @image
 *
 * Return: 0 or a negative errno; -EAGAIN or -ERANGE if tables of another length were loaded
 * meanwhile. Other tables of the same length are not detected.
 */
int torus_nl_route_get(struct torus_nl *nl, const char *fabric, void **image, size_t *bytes)
{
	struct route_reply arriving = { .have = 0 };
	int error;

	do {
		struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_ROUTE_GET, fabric);

		if (msg && nla_put_u64(msg, TORUS_A_VALUE, arriving.have)) {
			nlmsg_free(msg);
			msg = NULL;
		}
		error = torus_nl_do(nl, msg, route_parse, &arriving);
	} while (!error && arriving.have < arriving.bytes);
	if (error)
		free(arriving.image);
	*image = error ? NULL : arriving.image;
	*bytes = arriving.have;
	return error;
}

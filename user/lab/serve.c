// SPDX-License-Identifier: GPL-2.0
/* The record of a device: its registers before the program runs, and each request. */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "../../labs/01-registers/lab.h"
#include "core/base/geometry.h"
#include "core/error.h"
#include "serve.h"

#define REQUESTS_MAX	100000u	/* requests until the device stops; a guard against endless loops */

/**
 * lab_truth - record the node, and the values of its registers
 * @record: the record
 * @fabric: the fabric
 * @node: index of the node
 */
void lab_truth(FILE *record, struct torus_fabric *fabric, u32 node)
{
	const struct torus_geometry *geo = &fabric->cfg.geo;
	u32 coords[TORUS_DIMS_MAX], reg, value;
	struct torus_error err;
	const char *comma = "";

	torus_geometry_coords(geo, node, coords);
	fprintf(record, "{\"event\":\"device\",\"shape\":[%u,%u,%u],\"node\":[%u,%u,%u],"
		"\"registers\":{", geo->dims[0], geo->dims[1], geo->dims[2], coords[0], coords[1],
		coords[2]);
	for (reg = 0; reg < LAB_REGISTERS; reg++)
		if (!fabric->arch->reg_peek(fabric, node, reg, &value, &err)) {
			fprintf(record, "%s\"%u\":%u", comma, reg, value);
			comma = ",";
		}
	fprintf(record, "}}\n");
}

static struct lab_reply answer(struct torus_fabric *fabric, u32 node,
			       const struct lab_request *request)
{
	struct lab_reply reply = { .error = 0 };
	struct torus_error err;

	switch (request->operation) {
	case LAB_OP_READ:
		if (fabric->arch->reg_read(fabric, node, request->at, &reply.value, &err))
			reply.error = -1;
		break;
	case LAB_OP_WRITE:
		if (fabric->arch->reg_write(fabric, node, request->at, request->value, &err))
			reply.error = -1;
		break;
	case LAB_OP_ANSWER:
		reply.error = request->at < LAB_QUESTIONS ? 0 : -1;
		break;
	default:
		reply.error = -1;
	}
	return reply;
}

/**
 * lab_serve - answer requests until the program closes the device, sends none before the time-out
 * of the socket, sends an incomplete one, or has sent REQUESTS_MAX
 * @device: socket of the device
 * @record: the record
 * @fabric: the fabric
 * @node: index of the node
 */
void lab_serve(int device, FILE *record, struct torus_fabric *fabric, u32 node)
{
	static const char *const names[] = {
		[LAB_OP_READ] = "read", [LAB_OP_WRITE] = "write", [LAB_OP_ANSWER] = "answer",
	};
	struct lab_request request;
	struct lab_reply reply;
	u32 count;

	for (count = 0; count < REQUESTS_MAX; count++) {
		if (read(device, &request, sizeof(request)) != sizeof(request))
			return;
		reply = answer(fabric, node, &request);
		fprintf(record, "{\"event\":\"%s\",\"at\":%" PRIu32 ",\"value\":%" PRIu32
			",\"error\":%" PRId32 "}\n",
			request.operation <= LAB_OP_ANSWER ? names[request.operation] : "unknown",
			request.at, request.operation == LAB_OP_READ ? reply.value : request.value,
			reply.error);
		if (write(device, &reply, sizeof(reply)) != sizeof(reply))
			return;
	}
	fprintf(record, "{\"event\":\"limit\",\"requests\":%u}\n", REQUESTS_MAX);
}

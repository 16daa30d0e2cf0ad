// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics in this process, which answer the requests of a session in place of the module.
 *
 * The core checks each value, as in the kernel. Rights, the module's limit of memory and programs
 * that run are not checked. Only the requests of a configuration file are answered.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/node_number.h"
#include "fabric.h"
#include "link.h"
#include "node.h"
#include "reg.h"
#include "rehearsal.h"

/* Commands for a fabric that exists. */
static int (*const commands[])(struct rehearsed *r, struct torus_nl_request *request) = {
	[TORUS_CMD_FABRIC_GET] = rehearsal_fabric_get,
	[TORUS_CMD_FABRIC_SET] = rehearsal_fabric_set,
	[TORUS_CMD_NODE_GET] = rehearsal_node_get,
	[TORUS_CMD_NODE_SET] = rehearsal_node_set,
	[TORUS_CMD_REG_GET] = rehearsal_reg_get,
	[TORUS_CMD_REG_SET] = rehearsal_reg_set,
	[TORUS_CMD_LINK_GET] = rehearsal_link_get,
	[TORUS_CMD_FAULT_GET] = rehearsal_fault_get,
	[TORUS_CMD_LINK_SET] = rehearsal_link_set,
	[TORUS_CMD_ROUTE_LOAD] = rehearsal_route_load,
	[TORUS_CMD_JOB_ADD] = rehearsal_job_add,
};

/**
 * rehearsal_refuse - reject a request
 * @error: negative errno
 * @format: the reason
 *
 * Return: @error.
 */
int rehearsal_refuse(struct torus_nl_request *request, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(request->why, request->why_size, format, args);
	va_end(args);
	return error;
}

/* Check whether a request has an attribute. */
bool rehearsal_has(const struct torus_nl_request *request, enum torus_attr attr)
{
	return torus_nl_has(&request->attrs, attr);
}

/* Return the number in an attribute of a request; 0 without the attribute. */
u32 rehearsal_u32(const struct torus_nl_request *request, enum torus_attr attr)
{
	return torus_nl_u32(&request->attrs, attr);
}

/**
 * rehearsal_node - find the node that a request names
 * @node: [out] index of the node
 *
 * Return: 0, or a negative errno after rehearsal_refuse().
 */
int rehearsal_node(struct torus_nl_request *request, const struct rehearsed *r, u32 *node)
{
	const struct torus_geometry *g = &r->config->geo;
	u32 number = rehearsal_u32(request, TORUS_A_NODE);
	char text[TORUS_NUMBER_TEXT];

	*node = torus_node_index(g, number);
	if (*node != TORUS_NONE)
		return 0;
	return rehearsal_refuse(request, -EINVAL, "%s",
				torus_number_text(g, number, text, sizeof(text)));
}

static struct rehearsed *find(const struct rehearsal *all, const char *name)
{
	struct rehearsed *r;

	for (r = all->fabrics; r && strcmp(r->name, name); r = r->next)
		;
	return r;
}

/**
 * rehearsal_answer - answer a request in place of the module
 * @rehearsal: the set of fabrics, struct rehearsal
 * @request: the request
 *
 * Return: 0, or a negative errno; except after -ENOMEM, rehearsal_refuse() has set the reason.
 */
int rehearsal_answer(void *rehearsal, struct torus_nl_request *request)
{
	struct rehearsal *all = rehearsal;
	char name[TORUS_NAME_MAX] = "";
	struct rehearsed *r;

	torus_nl_string(&request->attrs, TORUS_A_FABRIC, name, sizeof(name));
	switch (request->cmd) {
	case TORUS_CMD_PARAM_GET:
		return rehearsal_param_dump(request);
	case TORUS_CMD_FABRIC_ADD:
		if (find(all, name))
			return rehearsal_refuse(request, -EEXIST, "fabric %s exists already",
						name);
		return rehearsal_fabric_add(all, request);
	case TORUS_CMD_FABRIC_DEL:
		return rehearsal_fabric_del(all, request);
	default:
		break;
	}
	if (request->cmd >= sizeof(commands) / sizeof(commands[0]) || !commands[request->cmd])
		return rehearsal_refuse(request, -EOPNOTSUPP,
					"this request requires the loaded module");
	r = find(all, name);
	if (!r)
		return rehearsal_refuse(request, -ENOENT, "fabric %s does not exist", name);
	return commands[request->cmd](r, request);
}

/**
 * rehearsal_new - make an empty set of fabrics
 *
 * Return: the set, freed with rehearsal_free(), or NULL without memory.
 */
struct rehearsal *rehearsal_new(void)
{
	return calloc(1, sizeof(struct rehearsal));
}

/**
 * rehearsal_connect - have a set of fabrics answer all requests of a session
 * @nl: a new session, which must end before the set is freed
 */
void rehearsal_connect(struct rehearsal *rehearsal, struct torus_nl *nl)
{
	torus_nl_connect_to(nl, rehearsal_answer, rehearsal);
}

/**
 * rehearsal_free - delete the fabrics
 * @rehearsal: may be NULL
 */
void rehearsal_free(struct rehearsal *rehearsal)
{
	struct rehearsed *r;

	while (rehearsal && (r = rehearsal->fabrics)) {
		rehearsal->fabrics = r->next;
		rehearsed_free(r);
	}
	free(rehearsal);
}

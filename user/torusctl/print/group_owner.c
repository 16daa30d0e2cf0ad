// SPDX-License-Identifier: GPL-2.0
/* The owners of FIFO groups, as records. */
#include <inttypes.h>
#include <stdio.h>

#include "../../common/escape.h"
#include "../../config/ctl.h"
#include "group_owner.h"
#include "output.h"
#include "../../config/node_addr.h"
#include "../../report/json.h"

/**
 * holder_json - a program that holds a FIFO group as JSON
 * @fabric: of which fabric; NULL: without its node
 * @context: the program
 *
 * Return: the object.
 */
struct json_object *holder_json(const struct torus_nl_fabric *fabric,
				const struct torus_nl_context *context)
{
	struct json_object *object = json_object_new_object();

	if (fabric)
		output_node(object, fabric, context->node);
	/* of who has barrier gates: null */
	json_object_object_add(object, "group", context->group == TORUS_NL_GATES ? NULL :
			       json_object_new_uint64(context->group));
	/* A process of another PID namespace has no number here: null. */
	json_object_object_add(object, "pid", context->pid ?
			       json_object_new_uint64(context->pid) : NULL);
	report_add_text(object, "command", context->command);
	report_add_u64(object, "uid", context->uid);
	return object;
}

/**
 * holders_json - programs that hold FIFO groups as JSON
 * @fabric: of which fabric
 * @contexts: the programs
 * @count: number of programs
 * @node: those of this node alone; NULL: all, each with its node
 *
 * Return: the list.
 */
struct json_object *holders_json(const struct torus_nl_fabric *fabric,
				 const struct torus_nl_context *contexts, size_t count,
				 const uint32_t *node)
{
	struct json_object *list = json_object_new_array();
	const struct torus_nl_context *context;

	for (context = contexts; context < contexts + count; context++)
		if (!node || context->node == *node)
			json_object_array_add(list, holder_json(node ? NULL : fabric, context));
	return list;
}

/**
 * holder_text - one program for people
 * @context: the program
 * @text: out: its command, and its number, or that it has none here
 *
 * Return: @text.
 */
const char *holder_text(const struct torus_nl_context *context, char text[HOLDER_TEXT_MAX])
{
	char command[TORUS_ESCAPED(sizeof(context->command))];

	torus_escape(context->command, command, sizeof(command));
	if (context->pid)
		snprintf(text, HOLDER_TEXT_MAX, "%s pid %" PRIu32, command, context->pid);
	else
		snprintf(text, HOLDER_TEXT_MAX, "%s of another PID namespace", command);
	return text;
}

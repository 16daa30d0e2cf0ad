// SPDX-License-Identifier: GPL-2.0
/* Format the owners of FIFO groups and gates as text and as records. */
#include <inttypes.h>
#include <stdio.h>

#include "../../common/escape.h"
#include "../../config/ctl.h"
#include "group_owner.h"
#include "output.h"
#include "../../config/node_addr.h"
#include "../../report/json.h"

/**
 * holder_json - convert the owner of a FIFO group to a record
 * @fabric: the fabric; NULL: omit the node
 * @context: context of the program that owns the group
 *
 * Return: the record.
 */
struct json_object *holder_json(const struct torus_nl_fabric *fabric,
				const struct torus_nl_context *context)
{
	struct json_object *object = json_object_new_object();

	if (fabric)
		output_node(object, fabric, context->node);
	/* null: the program owns barrier gates instead of a FIFO group */
	json_object_object_add(object, "group", context->group == TORUS_NL_GATES ? NULL :
			       json_object_new_uint64(context->group));
	/* null: a driver, or a process of another PID namespace without a number in ours */
	json_object_object_add(object, "pid", context->pid ?
			       json_object_new_uint64(context->pid) : NULL);
	report_add_text(object, "command", context->command);
	report_add_u64(object, "uid", context->uid);
	if (context->driver)
		json_object_object_add(object, "driver", json_object_new_boolean(true));
	return object;
}

/**
 * holders_json - convert the owners of FIFO groups to a list of records
 * @fabric: the fabric
 * @contexts: programs that own groups
 * @count: number of programs
 * @node: list only the programs of this node; NULL: list all programs with their nodes
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
 * holder_text - format the owner of a FIFO group for output
 * @context: the program that owns the group
 * @text: [out] name of the driver; or command of the program, and its process number if it has one
 *	in this PID namespace
 *
 * Return: @text.
 */
const char *holder_text(const struct torus_nl_context *context, char text[HOLDER_TEXT_MAX])
{
	char command[TORUS_ESCAPED(sizeof(context->command))];

	torus_escape(context->command, command, sizeof(command));
	if (context->driver)
		snprintf(text, HOLDER_TEXT_MAX, "driver %s", command);
	else if (context->pid)
		snprintf(text, HOLDER_TEXT_MAX, "%s pid %" PRIu32, command, context->pid);
	else
		snprintf(text, HOLDER_TEXT_MAX, "%s of another PID namespace", command);
	return text;
}

// SPDX-License-Identifier: GPL-2.0
/* Print the objects that the arguments FABRIC [NODE [DIR]] name, as text or as one JSON list. */
#include <json-c/json.h>

#include "print/output.h"
#include "../config/target.h"
#include "target_list.h"

/**
 * target_list - print the objects that the arguments of a command name
 * @args: FABRIC [NODE [DIR]], and no other argument
 * @form: as in target_parse()
 * @one: function that prints the objects of one node; its @arg is the JSON list, or NULL for text
 * @whole: function that prints the objects of the whole fabric; called if no node was given
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message.
 */
int target_list(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		int (*one)(struct ctl *ctl, struct target *target, void *arg),
		int (*whole)(struct ctl *ctl, struct target *target, void *arg))
{
	struct json_object *list = NULL;
	struct target target;
	int status;

	status = target_whole(ctl, args, form, &target);
	if (status)
		return status;
	if (ctl->json)
		list = json_object_new_array();
	status = target.has_node ? target_each(ctl, &target, one, list) :
				   whole(ctl, &target, list);
	if (list && !status)
		output_json(ctl, list);
	else
		json_object_put(list);
	return status;
}

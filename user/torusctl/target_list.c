// SPDX-License-Identifier: GPL-2.0
/* A list of what FABRIC [NODE [DIR]] names, printed as text or as one JSON list. */
#include <json-c/json.h>

#include "print/output.h"
#include "../config/target.h"
#include "target_list.h"

/**
 * target_list - show a list of what a command's words name
 * @ctl: the call
 * @args: the words: FABRIC [NODE [DIR]], and nothing more
 * @form: as target_parse()
 * @one: shows what belongs to a node; @arg is the list of a JSON document, or NULL
 * @whole: the same of the fabric, where no node was typed
 *
 * Return: CTL_OK, CTL_USAGE or CTL_FAILED after telling why.
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

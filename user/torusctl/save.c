// SPDX-License-Identifier: GPL-2.0
/* torusctl save: fabrics as a file of torusctl's own lines, for restore. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../words/words.h"
#include "config.h"
#include "ctl.h"
#include "output.h"

static int save_fabric(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		       struct json_object *list)
{
	struct config config;
	char *text;
	int status;
	size_t i;

	status = config_read(ctl, fabric->name, &config);
	if (status)
		return status;
	config_join(fabric, &config);
	if (!list)
		printf("# %s: %" PRIu32 " nodes, tick %" PRIu64 "\n", fabric->name, fabric->nodes,
		       fabric->clock);
	for (i = 0; i < config.count && !status; i++) {
		text = config_text(&config.lines[i]);
		if (!text) {
			ctl_tell(ctl, "no memory for a line");
			status = CTL_FAILED;
		} else if (list) {
			json_object_array_add(list, json_object_new_string(text));
		} else {
			puts(text);
		}
		free(text);
	}
	config_free(&config);
	return status;
}

static int save(struct ctl *ctl, struct ctl_args *args)
{
	const char *name = ctl_next(args);
	struct torus_nl_fabric *fabrics;
	struct json_object *list = NULL;
	struct word_why why;
	size_t count = 1;
	size_t i;
	int error;
	int status;

	if (name && !word_name(name, &why))
		return ctl_bad(ctl, "%s", why.text);
	status = ctl_end(ctl, args);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	if (name) {
		fabrics = calloc(1, sizeof(*fabrics));
		error = fabrics ? torus_nl_fabric_get(ctl->nl, name, fabrics) : 0;
		if (!fabrics)
			ctl_tell(ctl, "no memory for fabric %s", name);
	} else {
		error = torus_nl_fabric_dump(ctl->nl, &fabrics, &count);
	}
	if (error)
		ctl_failed(ctl);
	if (error || (name && !fabrics))
		return CTL_FAILED;
	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count && !status; i++)
		status = save_fabric(ctl, &fabrics[i], list);
	free(fabrics);
	if (list && !status)
		output_json(ctl, list);
	else
		json_object_put(list);
	return status;
}

static const struct ctl_command commands[] = {
	{ "", "[FABRIC]", save },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_save = {
	.name = "save",
	.help = "fabrics as lines that restore takes",
	.details = "Keys that are not as they would be unless told, registers, owners, partitions, "
		   "dead nodes,\n"
		   "faults of links and those still to come; nothing is read that reading clears\n",
	.commands = commands,
};

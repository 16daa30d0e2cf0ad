// SPDX-License-Identifier: GPL-2.0
/* Write the configuration of fabrics as torusctl commands, from which it can be restored. */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../common/output_file.h"
#include "config.h"
#include "tables.h"
#include "ctl.h"
#include "extension.h"
#include "save.h"
#include "diag.h"

static int save_tables(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		       const struct config *config, const struct save *save)
{
	size_t i;

	for (i = 0; i < config->count; i++) {
		if (config->lines[i].kind != CONFIG_ROUTE)
			continue;
		if (save->dir)
			return config_route_write(ctl, fabric, save->dir, config->lines[i].tail);
		ctl_error(ctl,
			  "fabric %s: has changed routing tables: requires tables DIR, the "
			  "directory of the saved file", fabric->name);
		return CTL_FAILED;
	}
	return CTL_OK;
}

static int save_fabric(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		       const struct save *save)
{
	struct config config;
	char *text;
	int status;
	size_t i;

	status = config_read(ctl, fabric->name, &config);
	if (status)
		return status;
	config_join(fabric, &config);
	status = save_tables(ctl, fabric, &config, save);
	if (!save->list && !status)
		fprintf(save->out, "# %s: %" PRIu32 " nodes, tick %" PRIu64 "\n", fabric->name,
			fabric->nodes, fabric->clock);
	for (i = 0; i < config.count && !status; i++) {
		text = config_text(&config.lines[i]);
		if (!text) {
			ctl_error(ctl, "out of memory for a line");
			status = CTL_FAILED;
		} else if (save->list) {
			json_object_array_add(save->list, json_object_new_string(text));
		} else {
			fprintf(save->out, "%s\n", text);
		}
		free(text);
	}
	config_free(&config);
	return status;
}

/**
 * save_fabrics - write the configuration of fabrics
 * @ctl: the call
 * @name: name of the fabric; NULL: all fabrics
 * @save: where the lines and the routing tables are written
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int save_fabrics(struct ctl *ctl, const char *name, const struct save *save)
{
	struct torus_nl_fabric *fabrics;
	int status = ctl_connect(ctl), error;
	size_t count = 1;
	size_t i;

	if (status)
		return status;
	if (name) {
		fabrics = calloc(1, sizeof(*fabrics));
		error = fabrics ? torus_nl_fabric_get(ctl->nl, name, fabrics) : 0;
		if (!fabrics)
			ctl_error(ctl, "out of memory for fabric %s", name);
	} else {
		error = torus_nl_fabric_dump(ctl->nl, &fabrics, &count);
	}
	if (error)
		ctl_failed(ctl);
	if (error || (name && !fabrics))
		return CTL_FAILED;
	for (i = 0; i < count && !status; i++)
		status = save_fabric(ctl, &fabrics[i], save);
	free(fabrics);
	return status;
}

/**
 * save_file - write the configuration of all fabrics into a file
 * @name: name of the file, which is opened by torus_output_open()
 *
 * Routing tables are written into files in the same directory.
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int save_file(struct ctl *ctl, const char *name)
{
	int status = output_extension(ctl, "", name, ".txt");
	struct save save;
	char *dir;

	if (status)
		return status;
	status = CTL_FAILED;
	dir = strdup(name);
	if (!dir) {
		ctl_error(ctl, "out of memory for the name of a file");
		return status;
	}
	save = (struct save){ .out = torus_output_open(name), .dir = dirname(dir) };
	if (save.out)
		status = save_fabrics(ctl, NULL, &save);
	if (save.out && status) {
		torus_output_discard(save.out, name);
	} else if (!save.out) {
		status = ctl_reject(ctl, "%s: %s", name, strerror(errno));
	} else if (!torus_output_close(save.out, name)) {
		ctl_error(ctl, "%s: %s", name, strerror(errno));
		status = CTL_FAILED;
	}
	free(dir);
	return status;
}

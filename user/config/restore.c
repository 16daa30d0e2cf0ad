// SPDX-License-Identifier: GPL-2.0
/*
 * Create the fabrics that a configuration file describes: all fabrics, or those that do not exist.
 */
#include <stdlib.h>
#include <string.h>

#include "../netlink/fabric.h"
#include "compare.h"
#include "ctl.h"
#include "diag.h"
#include "dry_run.h"
#include "restore.h"

/*
 * Run all lines of a configuration. After an error, delete the new fabrics. Skip lines without an
 * object, which belong to fabrics that exist already.
 */
static int run_lines(struct ctl *ctl, const struct restore_file *file)
{
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < file->count && !status; i++) {
		if (!file->lines[i].object)
			continue;
		status = restore_run(ctl, file, &file->lines[i]);
		if (status)
			restore_remove(ctl->nl, file, i);
	}
	return status;
}

/**
 * restore_new - create all fabrics that a file describes, or none. None of these fabrics may exist
 * @ctl: the call
 * @name: name of the file; "-" is standard input
 *
 * Return: CTL_OK, or the status of restore_check() or of the first line that fails, after an error
 * message.
 */
int restore_new(struct ctl *ctl, const char *name)
{
	struct restore_file file;
	int status = restore_check(ctl, name, RESTORE_UNIQUE, &file);

	if (!status)
		status = ctl_connect(ctl);
	if (!status) {
		/* free the fabrics of the dry run first: memory may not suffice for both */
		restore_remove(file.apart, &file, file.count);
		status = run_lines(ctl, &file);
	}
	restore_free(&file);
	return status;
}

/* Skip the lines of fabrics that exist, by clearing the object of each such line. */
static void skip_there(struct ctl *ctl, struct restore_file *file,
		       void (*report)(const char *fabric, const char *format, ...))
{
	struct torus_nl_fabric fabric;
	size_t i, k;

	for (i = 0; i < file->count; i++) {
		struct restore_line *maker = &file->lines[i];

		if (!maker->makes || torus_nl_fabric_get(ctl->nl, maker->words[2], &fabric))
			continue;
		report(maker->words[2], "exists already and is not changed");
		for (k = i + 1; k < file->count; k++)
			if (!strcmp(file->lines[k].words[2], maker->words[2]))
				file->lines[k].object = NULL;
		maker->object = NULL;
	}
}

/**
 * restore_apply - create all fabrics of a file that do not exist yet, or none
 * @name: name of the file; "-" is standard input
 * @report: function that receives a message for each fabric: created, or skipped because it exists
 * @lines: receiver of the differences between the file and the fabrics that are skipped
 * @differ: [out] true if there are differences
 *
 * Return: CTL_OK, or the status of restore_check() or of the first line that fails, after an error
 * message.
 */
int restore_apply(struct ctl *ctl, const char *name,
		  void (*report)(const char *fabric, const char *format, ...),
		  const struct config_report *lines, bool *differ)
{
	struct restore_file file;
	int status = restore_check(ctl, name, RESTORE_MODULE, &file);
	size_t i;

	*differ = false;
	if (!status)
		status = config_compare_there(ctl, &file, lines, differ);
	if (!status) {
		restore_remove(file.apart, &file, file.count);
		skip_there(ctl, &file, report);
		status = run_lines(ctl, &file);
	}
	for (i = 0; i < file.count && !status; i++)
		if (file.lines[i].makes && file.lines[i].object)
			report(file.lines[i].words[2], "made");
	restore_free(&file);
	return status;
}

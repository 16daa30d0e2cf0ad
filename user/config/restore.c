// SPDX-License-Identifier: GPL-2.0
/* Create the fabrics of a configuration file: all of them, or those that do not exist. */
#include <stdlib.h>
#include <string.h>

#include "../netlink/fabric.h"
#include "ctl.h"
#include "dry_run.h"
#include "restore.h"

/* Whole or none.  Lines of fabrics that are left as they are have lost their object. */
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
 * restore_new - create the fabrics of a file, of which none may exist, all or none
 * @ctl: the call
 * @name: name of the file; "-" is standard input
 *
 * Return: CTL_OK, or the status of the first line that is wrong, after an error message for each.
 */
int restore_new(struct ctl *ctl, const char *name)
{
	struct restore_file file;
	int status = restore_check(ctl, name, true, &file);

	/* What was made to try it goes before it is made for good: both may not fit. */
	if (!status) {
		restore_remove(file.apart, &file, file.count);
		status = run_lines(ctl, &file);
	}
	restore_free(&file);
	return status;
}

/* Lines of fabrics that are there are not run: they lose the object that they are about. */
static void skip_there(struct ctl *ctl, struct restore_file *file,
		       void (*tell)(const char *fabric, const char *format, ...))
{
	struct torus_nl_fabric fabric;
	size_t i, k;

	for (i = 0; i < file->count; i++) {
		struct restore_line *maker = &file->lines[i];

		if (!maker->makes || torus_nl_fabric_get(ctl->nl, maker->words[2], &fabric))
			continue;
		tell(maker->words[2], "is there: left as it is");
		for (k = i + 1; k < file->count; k++)
			if (!strcmp(file->lines[k].words[2], maker->words[2]))
				file->lines[k].object = NULL;
		maker->object = NULL;
	}
}

/**
 * restore_apply - make the fabrics of a file that are not there, whole or none
 * @ctl: the call
 * @name: of the file
 * @tell: is told which are made, and which are there already
 *
 * Return: CTL_OK, or what the first line that makes no sense has failed with, after telling
 * of all of them.
 */
int restore_apply(struct ctl *ctl, const char *name,
		  void (*tell)(const char *fabric, const char *format, ...))
{
	struct restore_file file;
	int status = restore_check(ctl, name, false, &file);
	size_t i;

	if (!status) {
		restore_remove(file.apart, &file, file.count);
		skip_there(ctl, &file, tell);
		status = run_lines(ctl, &file);
	}
	for (i = 0; i < file.count && !status; i++)
		if (file.lines[i].makes && file.lines[i].object)
			tell(file.lines[i].words[2], "made");
	restore_free(&file);
	return status;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Create the fabrics that a configuration file describes: all fabrics, or those that do not exist.
 * Change those that exist.
 */
#include <stdlib.h>
#include <string.h>

#include "../netlink/fabric.h"
#include "compare.h"
#include "ctl.h"
#include "diag.h"
#include "dry_run.h"
#include "replace.h"
#include "restore.h"

/* Delete the new fabrics of the first lines, which were run or skipped. @lines: their number. */
static void remove_new(struct torus_nl *nl, const struct restore_file *file, size_t lines)
{
	while (lines--)
		if (file->lines[lines].makes && !file->lines[lines].skip)
			torus_nl_fabric_del(nl, file->lines[lines].words[2]);
}

/*
 * Run the lines of a configuration, except those of fabrics that existed before. After an error,
 * delete the new fabrics.
 */
static int run_lines(struct ctl *ctl, const struct restore_file *file)
{
	int status = CTL_OK;
	size_t i;

	for (i = 0; i < file->count && !status; i++) {
		if (file->lines[i].skip)
			continue;
		status = restore_run(ctl, file, &file->lines[i]);
		if (status)
			remove_new(ctl->nl, file, i);
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
		restore_remove(&file);
		status = run_lines(ctl, &file);
	}
	restore_free(&file);
	return status;
}

/*
 * Skip the lines of fabrics that exist. This decides once which fabrics are compared, and which are
 * created: a fabric that another program creates later is an error, not one without differences.
 * @report: function that receives a message for each skipped fabric, or NULL.
 */
static void skip_there(struct ctl *ctl, struct restore_file *file,
		       void (*report)(const char *fabric, const char *format, ...))
{
	struct torus_nl_fabric fabric;
	size_t i, k;

	for (i = 0; i < file->count; i++) {
		struct restore_line *maker = &file->lines[i];

		if (!maker->makes || torus_nl_fabric_get(ctl->nl, maker->words[2], &fabric))
			continue;
		if (report)
			report(maker->words[2], "exists already and is not changed");
		for (k = i; k < file->count; k++)
			if (!strcmp(file->lines[k].words[2], maker->words[2]))
				file->lines[k].skip = true;
	}
}

/* Report the fabrics that run_lines() has created. Return their number. */
static size_t report_new(const struct restore_file *file,
			 void (*report)(const char *fabric, const char *format, ...))
{
	size_t count = 0, i;

	for (i = 0; i < file->count; i++) {
		if (!file->lines[i].makes || file->lines[i].skip)
			continue;
		report(file->lines[i].words[2], "made");
		count++;
	}
	return count;
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

	*differ = false;
	if (!status) {
		skip_there(ctl, &file, report);
		status = config_compare_there(ctl, &file, lines, differ);
	}
	if (!status) {
		restore_remove(&file);
		status = run_lines(ctl, &file);
	}
	if (!status)
		report_new(&file, report);
	restore_free(&file);
	return status;
}

/**
 * restore_replace - create the fabrics of a file that do not exist yet, or none, and change the
 * others to the configuration in the file
 * @name: name of the file; "-" is standard input
 * @report: function that receives a message for each fabric that was created or changed
 * @lines: receiver of the differences between the file and the fabrics that exist
 *
 * Fabrics that the file does not name stay. See replace_run() for a fabric that programs use.
 *
 * Return: CTL_OK; the status of restore_check(), or of the first line that fails, after an error
 * message; CTL_FAILED after an error message for each fabric that could not be changed.
 */
int restore_replace(struct ctl *ctl, const char *name,
		    void (*report)(const char *fabric, const char *format, ...),
		    const struct config_report *lines)
{
	struct replace replace = { .count = 0 };
	struct restore_file file;
	bool differ = false;
	int status = restore_check(ctl, name, RESTORE_MODULE, &file);

	if (!status) {
		skip_there(ctl, &file, NULL);
		status = config_compare_there(ctl, &file, lines, &differ);
	}
	if (!status && differ)
		status = replace_read(ctl, &file, &replace);
	if (!status) {
		restore_remove(&file);
		status = run_lines(ctl, &file);
	}
	if (!status && !report_new(&file, report) && !replace.count)
		report(NULL, "nothing to change");
	if (!status)
		status = replace_run(ctl, &file, &replace, report);
	replace_free(&replace);
	restore_free(&file);
	return status;
}

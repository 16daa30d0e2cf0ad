// SPDX-License-Identifier: GPL-2.0
/* Compare a configuration file with the fabrics that exist. */
#include <stdlib.h>
#include <string.h>

#include "../netlink/fabric.h"
#include "compare.h"
#include "config.h"
#include "dry_run.h"
#include "diag.h"
#include "side.h"

static int by_place(const void *left, const void *right)
{
	const struct config_side_line *a = left;
	const struct config_side_line *b = right;

	return a->line < b->line ? -1 : a->line > b->line;
}

/*
 * Report the lines that only this side has, merged by config_join(). Return their number before the
 * merge.
 */
static size_t side_report(struct config_side *side, bool in_file,
			  const struct config_report *report)
{
	struct config rest = { .lines = calloc(side->config.count + 1, sizeof(*rest.lines)) };
	size_t count = side->config.count;
	char *text;
	size_t i;

	if (!rest.lines || !side->lines)
		count = 0;
	if (count)
		qsort(side->lines, count, sizeof(*side->lines), by_place);
	for (i = 0; i < count; i++) {
		const struct config_line *line = side->lines[i].line;

		if (side->lines[i].same)
			continue;
		rest.lines[rest.count] = *line;
		rest.lines[rest.count].head = strdup(line->head);
		rest.lines[rest.count].place = strdup(line->place);
		rest.lines[rest.count].tail = strdup(line->tail);
		rest.count++;
	}
	count = rest.count;
	config_join(&side->fabric, &rest);
	for (i = 0; i < rest.count; i++) {
		text = config_text(&rest.lines[i]);
		report->line(report->arg, in_file, text ? text : "");
		free(text);
	}
	config_free(&rest);
	return count;
}

static int diff_fabric(struct ctl *ctl, const struct restore_file *file, const char *name,
		       const struct config_report *report, size_t *differ)
{
	struct config_side now = { .there = false };
	struct config_side then = { .there = false };
	int status;

	status = config_side_read(ctl, ctl->nl, name, &now);
	if (!status)
		status = config_side_read(ctl, file->apart, name, &then);
	if (!status) {
		config_sides_match(&now, &then);
		*differ += side_report(&now, false, report);
		*differ += side_report(&then, true, report);
	}
	config_side_free(&now);
	config_side_free(&then);
	return status;
}

static bool file_has(const struct restore_file *file, const char *name)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (file->lines[i].makes && !strcmp(file->lines[i].words[2], name))
			return true;
	return false;
}

/*
 * Compare the fabrics in the file with those that exist. Then report the existing fabrics that are
 * not in the file.
 */
static int diff_fabrics(struct ctl *ctl, const struct restore_file *file, const char *only,
			const struct config_report *report, size_t *differ)
{
	struct torus_nl_fabric *fabrics;
	int status = CTL_OK;
	size_t count;
	size_t i;

	for (i = 0; i < file->count && !status; i++)
		if (file->lines[i].makes && (!only || !strcmp(only, file->lines[i].words[2])))
			status = diff_fabric(ctl, file, file->lines[i].words[2], report, differ);
	if (status)
		return status;
	if (torus_nl_fabric_dump(ctl->nl, &fabrics, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !status; i++)
		if (!file_has(file, fabrics[i].name) && (!only || !strcmp(only, fabrics[i].name)))
			status = diff_fabric(ctl, file, fabrics[i].name, report, differ);
	free(fabrics);
	return status;
}

/**
 * config_compare_there - compare those fabrics of a configuration that exist already
 * @file: the configuration after a dry run with RESTORE_MODULE; lines of these fabrics are skipped
 * @report: receiver of each line that only the file has, or only the fabrics
 * @differ: [out] true if there is a difference
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int config_compare_there(struct ctl *ctl, const struct restore_file *file,
			 const struct config_report *report, bool *differ)
{
	int status = CTL_OK;
	size_t count = 0, i;

	for (i = 0; i < file->count && !status; i++)
		if (file->lines[i].makes && file->lines[i].skip)
			status = diff_fabric(ctl, file, file->lines[i].words[2], report, &count);
	*differ = count;
	return status;
}

/**
 * config_compare - compare the configuration in a file with the fabrics that exist
 * @name: name of the file; "-" is standard input
 * @only: name of the only fabric to compare, or NULL
 * @report: receiver of each line that only the file has, or only the fabrics
 *
 * Return: CTL_OK if both are equal; CTL_FAILED if they differ, or after an error message if the
 * module rejects a request; CTL_USAGE after an error message if the file has errors.
 */
int config_compare(struct ctl *ctl, const char *name, const char *only,
		   const struct config_report *report)
{
	struct restore_file file;
	size_t differ = 0;
	int status = restore_check(ctl, name, RESTORE_MODULE, &file);

	if (!status)
		status = diff_fabrics(ctl, &file, only, report, &differ);
	restore_free(&file);
	return status || !differ ? status : CTL_FAILED;
}

// SPDX-License-Identifier: GPL-2.0
/* torusctl -b FILE: run each line of a file as one call of torusctl. */
#include "../parse/script_lines.h"
#include "../parse/parse.h"
#include "batch.h"
#include "cli.h"
#include "../config/ctl.h"
#include "../config/oneline.h"
#include "../config/diag.h"

/* Run the call in the current line. All lines share one session. */
static int batch_line(struct ctl *ctl, struct parse_lines *lines)
{
	struct ctl_args args = { .words = lines->words, .count = lines->count };
	struct ctl call = *ctl;
	int status;

	call.line = lines->line;
	status = ctl_run_words(&call, &args);
	ctl->nl = call.nl;
	return status;
}

/**
 * ctl_batch - run the lines of a file one after another
 * @name: name of the file; "-" is standard input
 *
 * The first error ends the batch, unless option --force is given. Each error message names the file
 * and the line.
 *
 * Return: CTL_OK; CTL_USAGE after an error message if the file cannot be opened; or the status of
 * the first failed line.
 */
int ctl_batch(struct ctl *ctl, const char *name)
{
	struct parse_lines lines;
	struct parse_error why;
	int status = CTL_OK;
	int more;
	int one;

	if (!parse_lines_open(&lines, name, &why))
		return ctl_reject(ctl, "%s", why.text);
	ctl->file = lines.name;
	while ((more = parse_lines_next(&lines, &why))) {
		if (more < 0) {
			ctl->line = lines.line;
			one = ctl_reject(ctl, "%s", why.text);
		} else {
			one = batch_line(ctl, &lines);
		}
		/* flush, because a user or the reader of a pipe needs each result at once */
		output_flush();
		status = status ? status : one;
		if (status && !ctl->force)
			break;
	}
	ctl->file = NULL;
	parse_lines_close(&lines);
	return status;
}

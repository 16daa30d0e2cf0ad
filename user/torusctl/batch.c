// SPDX-License-Identifier: GPL-2.0
/* torusctl -b FILE: the lines of a file, one call each. */
#include "../parse/script_lines.h"
#include "../parse/parse.h"
#include "batch.h"
#include "cli.h"
#include "../config/ctl.h"
#include "../config/oneline.h"
#include "../config/diag.h"

/* One session serves all lines. */
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
 * ctl_batch - run the lines of a file, one after the other
 * @ctl: the call
 * @name: of the file; "-" is standard input
 *
 * The first line that fails ends it, unless it is forced on; every refusal names the file
 * and the line.
 *
 * Return: CTL_OK, or what the first line that failed has ended with.
 */
int ctl_batch(struct ctl *ctl, const char *name)
{
	struct parse_lines lines;
	struct parse_error why;
	int status = CTL_OK;
	int more;
	int one;

	if (!parse_lines_open(&lines, name, &why)) {
		ctl_error(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	ctl->file = lines.name;
	while ((more = parse_lines_next(&lines, &why))) {
		if (more < 0) {
			ctl->line = lines.line;
			one = ctl_reject(ctl, "%s", why.text);
		} else {
			one = batch_line(ctl, &lines);
		}
		/* Whoever types, or reads through a pipe, wants each answer now. */
		output_flush();
		status = status ? status : one;
		if (status && !ctl->force)
			break;
	}
	ctl->file = NULL;
	parse_lines_close(&lines);
	return status;
}

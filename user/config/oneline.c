// SPDX-License-Identifier: GPL-2.0
/* The option -o: print each record in one line. */
#include <stdbool.h>
#include <stdio.h>

#include "oneline.h"

/*
 * State of the filter that joins lines for option -o.
 *
 * An indented line continues the record of the previous line. As in ip(8), a backslash replaces the
 * line break. How a line break is written depends on the next line. So the line break is pending
 * (@held) until the next line or output_flush().
 */
static struct {
	FILE *real;
	bool held;
} oneline;

static ssize_t oneline_write(void *cookie, const char *bytes, size_t size)
{
	size_t i;

	(void)cookie;
	for (i = 0; i < size; i++) {
		if (oneline.held)
			fputs(bytes[i] == ' ' ? "\\" : "\n", oneline.real);
		oneline.held = bytes[i] == '\n';
		if (!oneline.held)
			putc(bytes[i], oneline.real);
	}
	return ferror(oneline.real) ? 0 : size;
}

/**
 * output_oneline - install the filter that prints each record in one line
 */
void output_oneline(void)
{
	FILE *filter;

	if (oneline.real)
		return;
	filter = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = oneline_write });
	if (!filter)
		return;
	oneline.real = stdout;
	stdout = filter;
}

/**
 * output_flush - write all pending output of this process, so that the reader of a pipe receives it
 *
 * Return: 0, or EOF after a write error.
 */
int output_flush(void)
{
	int error = fflush(stdout);

	if (!oneline.real)
		return error;
	if (oneline.held)
		putc('\n', oneline.real);
	oneline.held = false;
	return fflush(oneline.real) || ferror(oneline.real) ? EOF : error;
}

/**
 * output_multiline - remove the filter that output_oneline() has installed; the caller flushes
 * stdout
 */
void output_multiline(void)
{
	if (!oneline.real)
		return;
	fclose(stdout);
	stdout = oneline.real;
	if (oneline.held)
		putc('\n', stdout);
	oneline.held = false;
	oneline.real = NULL;
}

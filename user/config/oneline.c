// SPDX-License-Identifier: GPL-2.0
/* The option -o: an answer that takes several lines in one line. */
#include <stdbool.h>
#include <stdio.h>

#include "oneline.h"

/*
 * The filter of -o: a line that begins with a blank goes on with the one before it, and a
 * backslash stands where that ended, as ip(8) has it.  Whether a line goes on is known only
 * when the next begins: its end is held back until then, or until output_flush().
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
 * output_oneline - from here on, what takes several lines in one
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
 * output_flush - whoever reads the answer gets what there is of it
 *
 * Return: 0, or EOF when it cannot be written.
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
 * output_multiline - end output_oneline(); the answer is still to be flushed
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

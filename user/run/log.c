// SPDX-License-Identifier: GPL-2.0
/* Print messages of torus-run itself. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../common/answer.h"
#include "../common/escape.h"
#include "run.h"
#include "stream.h"
#include "log.h"

#define LINE_BYTES	4096

static struct run_stream *stream;

/**
 * run_log - print a message on standard error
 * @format: the message, without the name of the program and without a newline
 *
 * Before run_log_to(), each line is one write(2), because the ranks also write to standard error.
 *
 * Return: RUN_REFUSED.
 */
int run_log(const char *format, ...)
{
	static const char name[] = "torus-run: ";
	char line[LINE_BYTES];
	size_t used = sizeof(name) - 1;
	va_list args;

	torus_answer_flush();
	snprintf(line, sizeof(line), "%s", name);
	va_start(args, format);
	torus_escape_vformat(line + used, sizeof(line) - used - 1, format, args);
	va_end(args);
	used += strlen(line + used);
	line[used++] = '\n';
	if (stream)
		run_stream_put(stream, &(struct iovec){ .iov_base = line, .iov_len = used }, 1);
	else if (write(STDERR_FILENO, line, used) < 0)
		return RUN_REFUSED;	/* if this write fails, the message cannot be reported */
	return RUN_REFUSED;
}

/**
 * run_log_to - write all following messages to a stream
 * @to: stream of standard error, whose thread writes the messages
 */
void run_log_to(struct run_stream *to)
{
	stream = to;
}

// SPDX-License-Identifier: GPL-2.0
/* Lines of a rank with the rank before each. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "output.h"

#define READ_BYTES	(64 << 10)
#define LINE_MAX_BYTES	(1 << 20)	/* a longer line is broken: it must fit into memory */

/* All of it, or false when nobody reads it any more. */
static bool write_all(int fd, struct iovec *parts, int count)
{
	ssize_t done;

	while (count) {
		done = writev(fd, parts, count);
		if (done < 0) {
			if (errno == EINTR || errno == EAGAIN)
				continue;
			return false;
		}
		while (count && (size_t)done >= parts->iov_len) {
			done -= parts->iov_len;
			parts++;
			count--;
		}
		if (count) {
			parts->iov_base = (char *)parts->iov_base + done;
			parts->iov_len -= done;
		}
	}
	return true;
}

static bool print_line(const struct run_output *output, char *line, size_t length)
{
	char tag[16];
	struct iovec parts[] = {
		{ .iov_base = tag },
		{ .iov_base = line, .iov_len = length },
		{ .iov_base = "\n", .iov_len = 1 },
	};

	parts[0].iov_len = snprintf(tag, sizeof(tag), "%" PRIu32 ": ", output->rank);
	return write_all(output->to, parts, 3);
}

static bool print_lines(struct run_output *output)
{
	char *line = output->text, *end = line + output->used, *newline;

	while ((newline = memchr(line, '\n', end - line))) {
		if (!print_line(output, line, newline - line))
			return false;
		line = newline + 1;
	}
	output->used = end - line;
	memmove(output->text, line, output->used);
	return true;
}

/* Nobody reads: the rank shall find out by itself, as without us. */
static void output_close(struct run_output *output)
{
	close(output->from);
	output->from = -1;
	free(output->text);
	output->text = NULL;
	output->used = 0;
	output->size = 0;
}

/**
 * run_output_read - take what there is, and print the lines that are whole
 * @output: whose pipe is readable
 *
 * Return: whether more may come; if not, the pipe is closed.
 */
bool run_output_read(struct run_output *output)
{
	ssize_t got;

	if (output->size - output->used < READ_BYTES) {
		char *text = realloc(output->text, output->used + READ_BYTES);

		if (text) {
			output->text = text;
			output->size = output->used + READ_BYTES;
		}
	}
	got = read(output->from, output->text + output->used, output->size - output->used);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (got <= 0) {
		run_output_end(output);
		return false;
	}
	output->used += got;
	if (!print_lines(output)) {
		output_close(output);
		return false;
	}
	if (output->used > LINE_MAX_BYTES) {
		print_line(output, output->text, output->used);
		output->used = 0;
	}
	return true;
}

/**
 * run_output_end - print what has no newline at its end, and close
 * @output: the output
 */
void run_output_end(struct run_output *output)
{
	if (output->from < 0)
		return;
	if (output->used)
		print_line(output, output->text, output->used);
	output_close(output);
}

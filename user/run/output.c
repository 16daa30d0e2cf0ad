// SPDX-License-Identifier: GPL-2.0
/* Read the output of a rank. Print each line with the number of the rank before it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"

#define READ_BYTES	(64 << 10)
/* an unfinished line of more bytes is printed in pieces, to bound the memory */
#define LINE_MAX_BYTES	(1 << 20)
#define MPI_TAG_MAX	40	/* maximum bytes of the tag of a line of mpirun */

/*
 * Parse the tag of a line of mpirun, like [1,5]<stdout>:. Return its length, 0 for a message of
 * mpirun itself. @rank: [out] the rank.
 */
static size_t mpi_tag(const char *line, size_t length, uint32_t *rank)
{
	char tag[MPI_TAG_MAX + 1], stream[8];
	size_t bytes = length < MPI_TAG_MAX ? length : MPI_TAG_MAX;
	int end = 0;

	memcpy(tag, line, bytes);
	tag[bytes] = '\0';
	if (sscanf(tag, "[%*u,%" SCNu32 "]<%7[a-z]>:%n", rank, stream, &end) != 2)
		return 0;
	return end;
}

static bool print_line(const struct run_output *output, char *line, size_t length)
{
	uint32_t rank = output->rank;
	size_t skip = output->mpi ? mpi_tag(line, length, &rank) : 0;
	char tag[16];
	struct iovec parts[] = {
		{ .iov_base = tag },
		{ .iov_base = line + skip, .iov_len = length - skip },
		{ .iov_base = "\n", .iov_len = 1 },
	};

	if (!output->mpi || skip)
		parts[0].iov_len = snprintf(tag, sizeof(tag), "%" PRIu32 ": ", rank);
	return run_stream_put(output->to, parts, 3);
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

/**
 * run_output_read - read available output, and print complete lines
 * @output: output whose pipe is readable
 *
 * Return: false at the end of the output, if it cannot be read, or if lines cannot be written. The
 * caller must then call run_output_end().
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
	if (got <= 0)
		return false;
	output->used += got;
	if (!print_lines(output)) {
		/*
		 * The stream cannot be written. The caller closes the pipe. So the rank gets
		 * SIGPIPE, as it would get without --tag.
		 */
		output->used = 0;
		return false;
	}
	if (output->used > LINE_MAX_BYTES) {
		print_line(output, output->text, output->used);
		output->used = 0;
	}
	return true;
}

/**
 * run_output_end - print an unfinished last line, and close the pipe
 * @output: the output
 */
void run_output_end(struct run_output *output)
{
	if (output->from < 0)
		return;
	if (output->used)
		print_line(output, output->text, output->used);
	close(output->from);
	free(output->text);
	*output = (struct run_output){
		.rank = output->rank, .mpi = output->mpi, .from = -1, .to = output->to,
	};
}

// SPDX-License-Identifier: GPL-2.0
/* The results that a program prints on standard output; write errors are reported at its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"

/**
 * torus_answer_begin - open /dev/null in place of each closed standard descriptor
 *
 * A program calls this function first. Otherwise, the next file that it opens would become its
 * standard output. The mode of the descriptor is the wrong one, so that each use fails.
 */
void torus_answer_begin(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* errno of the first failed write; stdio only keeps a flag. */
static int first_error;

/* Write the buffered results. */
void torus_answer_flush(void)
{
	errno = 0;
	if (fflush(stdout) && !first_error)
		first_error = errno;
}

/**
 * torus_answer_fault - write the remaining results
 *
 * Return: error message if a write failed, or NULL.
 */
const char *torus_answer_fault(void)
{
	int fd;

	torus_answer_flush();
	if (first_error || ferror(stdout))
		return first_error ? strerror(first_error) : "a write failed";
	/* Some file systems report only on close that they have no space. */
	fd = fcntl(fileno(stdout), F_DUPFD_CLOEXEC, 0);
	return fd >= 0 && close(fd) ? strerror(errno) : NULL;
}

/**
 * torus_answer_end - write the remaining results, and report a write error
 * @program: name of the program
 * @status: exit status so far
 * @failed: exit status after a write error
 *
 * Return: the exit status: @status unless it is 0 and a write failed.
 */
int torus_answer_end(const char *program, int status, int failed)
{
	const char *fault = torus_answer_fault();

	if (!fault)
		return status;
	fprintf(stderr, "%s: cannot write the result: %s\n", program, fault);
	return status ? status : failed;
}

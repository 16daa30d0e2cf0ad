// SPDX-License-Identifier: GPL-2.0
/* The answer of a program: what it writes to standard output, checked at its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"

/**
 * torus_answer_begin - give a standard descriptor that is closed a file that cannot be used
 *
 * A program calls it first.  Otherwise the next file that it opens would be standard output.
 */
void torus_answer_begin(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Why the first write of the answer that failed did; stdio keeps only that one did. */
static int first_error;

/* Write what there is of the answer so far. */
void torus_answer_flush(void)
{
	errno = 0;
	if (fflush(stdout) && !first_error)
		first_error = errno;
}

/**
 * torus_answer_fault - write the rest of the answer
 *
 * Return: the reason if some of the answer could not be written, or NULL.
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
 * torus_answer_end - write the rest of the answer, and report if it cannot be written
 * @program: name of the program
 * @status: its exit status so far
 * @failed: its exit status if the answer cannot be written
 *
 * Return: the exit status: @status if it is not 0.
 */
int torus_answer_end(const char *program, int status, int failed)
{
	const char *fault = torus_answer_fault();

	if (!fault)
		return status;
	fprintf(stderr, "%s: cannot write the answer: %s\n", program, fault);
	return status ? status : failed;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Results that a program prints on standard output. Write errors are reported when the program
 * ends.
 */
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
 * standard output. The new descriptor has the wrong access mode, so that each use of it fails.
 */
void torus_answer_begin(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* errno of the first failed write. stdio keeps only a flag. */
static int first_error;

/* Write the buffered results. */
void torus_answer_flush(void)
{
	errno = 0;
	if (fflush(stdout) && !first_error)
		first_error = errno;
}

/**
 * torus_answer_fault - write the results that are still buffered
 *
 * Return: error message if a write failed, or NULL.
 */
const char *torus_answer_fault(void)
{
	int fd;

	torus_answer_flush();
	if (first_error || ferror(stdout))
		return first_error ? strerror(first_error) : "a write failed";
	/*
	 * Close a duplicate of the descriptor: some file systems report only on close that they
	 * have no space.
	 */
	fd = fcntl(fileno(stdout), F_DUPFD_CLOEXEC, 0);
	return fd >= 0 && close(fd) ? strerror(errno) : NULL;
}

/**
 * torus_answer_end - write the results that are still buffered, and report a write error
 * @program: name of the program
 * @status: exit status of the program without a write error
 * @failed: exit status if a write failed
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

// SPDX-License-Identifier: GPL-2.0
/*
 * Files that torus-sim writes beside its answer; "-" is standard output.  A file takes its name
 * when it is whole: who is killed before leaves what there was.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out.h"
#include "sim.h"
#include "transport/ranks.h"

#define MODE_FILE	0666

/**
 * sim_out_unnamed - a file that has no name yet
 * @path: its name to be
 *
 * Return: a descriptor; -1: there is something else than a file, or the directory's file system
 * has no such files.
 */
int sim_out_unnamed(const char *path)
{
	char directory[PATH_MAX];
	struct stat before;
	bool is = !lstat(path, &before);
	int fd;

	if (is && !S_ISREG(before.st_mode))
		return -1;
	snprintf(directory, sizeof(directory), "%s", path);
	fd = open(dirname(directory), O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE_FILE);
	if (fd >= 0 && is && fchmod(fd, before.st_mode & ALLPERMS)) {
		close(fd);
		return -1;
	}
	return fd;
}

/**
 * sim_out_name - give it its name
 * @fd: what sim_out_unnamed() gave
 * @path: its name
 *
 * Return: 0, or -1 with errno.
 */
int sim_out_name(int fd, const char *path)
{
	char from[32], beside[PATH_MAX];

	/* a link takes no name that there is */
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	snprintf(beside, sizeof(beside), "%s.part", path);
	unlink(beside);
	if (linkat(AT_FDCWD, from, AT_FDCWD, beside, AT_SYMLINK_FOLLOW))
		return -1;
	if (!rename(beside, path))
		return 0;
	unlink(beside);
	return -1;
}

/**
 * sim_writable - can a file be written?
 * @option: that names it, for the reason
 * @path: the file
 *
 * Asked before the work begins, so that nobody waits for an hour to hear that it cannot.
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not.
 */
int sim_writable(const char *option, const char *path)
{
	const char *to = sim_ranks_silent() ? "/dev/null" : path;
	struct stat before;
	bool is = !lstat(to, &before);
	FILE *out = fopen(to, "ae");

	if (!out)
		return sim_bad("%s %s: %s", option, path, strerror(errno));
	fclose(out);
	if (!is)
		unlink(to);
	return SIM_OK;
}

/**
 * sim_out_open - begin to write
 * @option: that names the file, for the reason
 * @path: the file
 *
 * Return: where to write; NULL after telling why not.
 */
FILE *sim_out_open(const char *option, const char *path)
{
	/* of several ranks one writes */
	const char *to = sim_ranks_silent() ? "/dev/null" : path;
	FILE *out = stdout;
	int fd;

	if (strcmp(path, "-")) {
		fd = sim_out_unnamed(to);
		out = fd < 0 ? fopen(to, "we") : fdopen(fd, "w");
		if (!out && fd >= 0)
			close(fd);
	}
	if (!out)
		sim_failed("%s %s: %s", option, path, strerror(errno));
	return out;
}

/**
 * sim_out_close - all is written
 * @out: what sim_out_open() gave
 * @option: that names the file, for the reason
 * @path: the file
 *
 * Return: SIM_OK, or SIM_FAILED after telling why some of it is not there.
 */
int sim_out_close(FILE *out, const char *option, const char *path)
{
	bool bad = ferror(out) || (out != stdout && fflush(out));
	struct stat now;

	if (out != stdout && !bad && !fstat(fileno(out), &now) &&
	    S_ISREG(now.st_mode) && !now.st_nlink)
		bad = sim_out_name(fileno(out), path);
	if (out != stdout)
		bad = fclose(out) || bad;
	return bad ? sim_failed("%s %s: %s", option, path, strerror(errno)) : SIM_OK;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Progress of a job's ranks in an anonymous file (memfd): the key of the job, then one byte per
 * rank. Ranks open the file by the path in TORUS_PROGRESS. They do not inherit its descriptor,
 * because a program may close it and reuse its number. A rank writes only if the key is that of
 * its job.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "progress.h"

#define KEY_BYTES	sizeof(uint32_t)

/**
 * torus_progress_open - create the progress file of a job
 * @key: key of the job
 * @ranks: number of ranks
 *
 * Return: its descriptor, or -1 with errno.
 */
int torus_progress_open(uint32_t key, uint32_t ranks)
{
	int fd = memfd_create("torus-progress", MFD_CLOEXEC);

	if (fd < 0 || (!ftruncate(fd, KEY_BYTES + ranks) &&
		       pwrite(fd, &key, KEY_BYTES, 0) == KEY_BYTES))
		return fd;
	close(fd);
	return -1;
}

/**
 * torus_progress_path - the path by which the ranks open the file
 * @fd: from torus_progress_open(); must stay open in this process
 * @text: [out] the path
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *torus_progress_path(int fd, char *text, size_t size)
{
	snprintf(text, size, "/proc/%d/fd/%d", getpid(), fd);
	return text;
}

/**
 * torus_progress_read - read the progress of all ranks
 * @fd: from torus_progress_open()
 * @progress: [out] enum torus_progress of each rank
 * @ranks: number of ranks
 *
 * Return: false if the file cannot be read.
 */
bool torus_progress_read(int fd, uint8_t *progress, uint32_t ranks)
{
	return pread(fd, progress, ranks, KEY_BYTES) == (ssize_t)ranks;
}

static bool number_get(const char *name, unsigned long *number)
{
	const char *text = getenv(name);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	*number = strtoul(text, &end, 0);
	return !*end;
}

/*
 * Check the type, the size and the key of the file. The environment variable may be that of another
 * job, and the path may lead to another file.
 */
static bool is_ours(int fd, unsigned long rank, unsigned long key)
{
	struct stat stat;
	uint32_t its;

	return !fstat(fd, &stat) && S_ISREG(stat.st_mode) &&
	       (unsigned long)stat.st_size > KEY_BYTES &&
	       rank < stat.st_size - KEY_BYTES &&
	       pread(fd, &its, KEY_BYTES, 0) == KEY_BYTES && its == key;
}

/**
 * torus_progress_note - write the progress of this rank, if torus-run has started the rank
 * @progress: the progress
 */
void torus_progress_note(enum torus_progress progress)
{
	const char *path = secure_getenv(TORUS_PROGRESS_VARIABLE);
	unsigned long rank, key;
	uint8_t byte = progress;
	int fd;

	if (!path || !*path || !number_get("TORUS_RANK", &rank) || !number_get("TORUS_KEY", &key))
		return;
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return;
	/*
	 * Ignore a failed write, because torus-run uses the progress only to report missing ranks.
	 */
	if (is_ours(fd, rank, key) && pwrite(fd, &byte, 1, KEY_BYTES + rank) != 1)
		byte = 0;
	close(fd);
}

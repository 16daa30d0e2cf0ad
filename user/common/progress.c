// SPDX-License-Identifier: GPL-2.0
/*
 * A file in memory: the key of the job, then one byte per rank.  The ranks open it by the path in
 * TORUS_PROGRESS, so that no descriptor is inherited: a program may close it and use its number
 * for another file.  A rank writes only if the key is that of its job.
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
 * torus_progress_open - make the file of a job
 * @key: of the job
 * @ranks: their number
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
 * @fd: from torus_progress_open(), which this process keeps open
 * @text: [out] the path
 * @size: bytes at @text
 *
 * Return: @text.
 */
const char *torus_progress_path(int fd, char *text, size_t size)
{
	snprintf(text, size, "/proc/%d/fd/%d", getpid(), fd);
	return text;
}

/**
 * torus_progress_read - read how far the ranks have come
 * @fd: from torus_progress_open()
 * @progress: [out] by rank, enum torus_progress
 * @ranks: their number
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

/* The environment may be another job's, and the path another file's. */
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
 * torus_progress_note - write how far this rank has come, if torus-run has started it
 * @progress: how far
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
	/* torus-run reports missing ranks by this, and by nothing else: no loss if it fails. */
	if (is_ours(fd, rank, key) && pwrite(fd, &byte, 1, KEY_BYTES + rank) != 1)
		byte = 0;
	close(fd);
}

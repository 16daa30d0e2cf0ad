// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a job's ranks in an anonymous file (memfd): a record with the key of the job, then
 * one record per rank. A rank maps the page with its record, and counts in the file itself: the
 * kernel keeps the counters of a rank that is killed. Ranks open the file by the path in
 * TORUS_TRAFFIC, and count only if the key is that of their job.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rank_traffic.h"

#define RECORD_BYTES	sizeof(struct torus_rank_traffic)

/**
 * torus_rank_traffic_open - create the counters of a job
 * @key: key of the job
 * @ranks: number of ranks
 *
 * Return: a descriptor, or -1 with errno.
 */
int torus_rank_traffic_open(uint32_t key, uint32_t ranks)
{
	const struct torus_rank_traffic first = { .messages = key };
	int fd = memfd_create("torus-traffic", MFD_CLOEXEC);

	if (fd < 0 || (!ftruncate(fd, (off_t)RECORD_BYTES * (1 + (off_t)ranks)) &&
		       pwrite(fd, &first, RECORD_BYTES, 0) == (ssize_t)RECORD_BYTES))
		return fd;
	close(fd);
	return -1;
}

/**
 * torus_rank_traffic_path - the path by which the ranks open the counters
 * @fd: from torus_rank_traffic_open(); must stay open in this process
 * @text: [out] the path
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *torus_rank_traffic_path(int fd, char *text, size_t size)
{
	snprintf(text, size, "/proc/%d/fd/%d", getpid(), fd);
	return text;
}

/**
 * torus_rank_traffic_sum - add the counters of all ranks
 * @fd: from torus_rank_traffic_open()
 * @ranks: number of ranks
 * @sum: [out] the sums
 *
 * Return: false if the counters cannot be read.
 */
bool torus_rank_traffic_sum(int fd, uint32_t ranks, struct torus_rank_traffic *sum)
{
	struct torus_rank_traffic one;
	uint32_t rank;

	*sum = (struct torus_rank_traffic){ 0 };
	for (rank = 0; rank < ranks; rank++) {
		if (pread(fd, &one, RECORD_BYTES, (off_t)RECORD_BYTES * (1 + (off_t)rank)) !=
		    (ssize_t)RECORD_BYTES)
			return false;
		sum->messages += one.messages;
		sum->bytes += one.bytes;
	}
	return true;
}

/*
 * Check the type, the size and the key of the file. The environment variable may be that of another
 * job, and the path may lead to another file.
 */
static bool is_ours(int fd, uint32_t key, uint32_t rank)
{
	struct torus_rank_traffic first;
	struct stat stat;

	return !fstat(fd, &stat) && S_ISREG(stat.st_mode) &&
	       (uint64_t)stat.st_size >= RECORD_BYTES * (2 + (uint64_t)rank) &&
	       pread(fd, &first, RECORD_BYTES, 0) == (ssize_t)RECORD_BYTES &&
	       first.messages == key;
}

/**
 * torus_rank_traffic_map - find the counters of a rank
 * @key: key of the job
 * @rank: the rank
 *
 * Return: the counters, released by torus_rank_traffic_unmap(); NULL if torus-run does not count
 * this job.
 */
struct torus_rank_traffic *torus_rank_traffic_map(uint32_t key, uint32_t rank)
{
	const char *path = secure_getenv(TORUS_TRAFFIC_VARIABLE);
	off_t at = (off_t)RECORD_BYTES * (1 + (off_t)rank);
	long page = sysconf(_SC_PAGESIZE);
	char *map = MAP_FAILED;
	int fd;

	if (!path || !*path)
		return NULL;
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	/* A record has a power of two bytes, so it is in one page. */
	if (is_ours(fd, key, rank))
		map = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at / page * page);
	close(fd);
	return map == MAP_FAILED ? NULL : (struct torus_rank_traffic *)(map + at % page);
}

/**
 * torus_rank_traffic_unmap - release the counters of a rank
 * @traffic: from torus_rank_traffic_map(), or NULL
 */
void torus_rank_traffic_unmap(struct torus_rank_traffic *traffic)
{
	long page = sysconf(_SC_PAGESIZE);

	if (traffic)
		munmap((char *)traffic - (uintptr_t)traffic % page, page);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Split a job into sub-jobs.  Two allreduces frame the creation of the sub-jobs: the first one
 * gives every rank the colors and keys of all, the second one ends when every rank has its sub-job.
 * So no packet of a sub-job arrives before its receiver can check the packet.  Each split has new
 * keys, so that late packets of a closed sub-job match no later one.  The keys of open jobs are
 * compared; those of closed ones are not, because the narrow format has too few checks to avoid
 * all of them in a job with many ranks.
 */
#include <errno.h>
#include <stdlib.h>
#include <torus/collective.h>
#include "../context/error.h"
#include "../job/crc.h"
#include "../job/job.h"
#include "../job/subjob.h"

#define KEY_SIGN	0x80000000u
#define KEYS_MAX	64	/* most keys tried; even the second one is rarely needed */

/* Color and key of a rank in one word; 0: no color.  Among equal colors, words order by the key. */
static __u64 split_word(int color, int key)
{
	return color < 0 ? 0 : ((__u64)color + 1) << 32 | ((uint32_t)key ^ KEY_SIGN);
}

static int split_compare(const void *a, const void *b)
{
	const __u64 *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

/*
 * List the ranks of a color in the order of the sub-job.  @words: by rank; [out] scratch memory.
 * @ranks: [out] array of as many ranks as @words.  Return: number of ranks.
 */
static uint32_t split_ranks(__u64 *words, uint32_t count, __u64 color, uint32_t *ranks)
{
	uint32_t i, own = 0;

	for (i = 0; i < count; i++)
		if (words[i] >> 32 == color)
			words[own++] = words[i] << 32 | i;
	qsort(words, own, sizeof(*words), split_compare);
	for (i = 0; i < own; i++)
		ranks[i] = words[i];
	return own;
}

/* Derive the next key from the job's key.  All ranks of a color derive the same key. */
static uint32_t split_key(struct torus_job *job, __u64 color)
{
	unsigned char fields[12];

	torus_store_be32(fields, job->config.key);
	torus_store_be32(fields + 4, job->splits++);
	torus_store_be32(fields + 8, color);
	return torus_lib_crc32(0, fields, sizeof(fields));
}

/*
 * Wait until all ranks have opened their sub-jobs.  @own: error of this rank, or 0.  Return: 0;
 * the lowest error of all ranks; or as torus_allreduce().
 */
static int split_agree(struct torus_job *job, int own, int timeout_ms)
{
	__s32 least = own;
	int ret = torus_allreduce(job, TORUS_TYPE_S32, TORUS_OPERATION_MIN, &least, &least, 1,
				  timeout_ms);

	if (ret || !least)
		return ret;
	if (least == -EAGAIN)
		return torus_error_set(least, "split: no key for a sub-job that no other job of a "
				       "rank may be confused with");
	return torus_error_set(least, "split: %s is out of memory for its sub-job",
			       own == least ? "this rank" : "another rank");
}

/*
 * Open the sub-job of this rank's color.  If its packets could be confused with those of another
 * job at any rank, all ranks repeat this with the next key.  @words: by rank; used as scratch
 * memory.  @sub: [out] the sub-job; unchanged if this rank has no color, or after an error.
 */
static int split_open(struct torus_job *job, __u64 *words, struct torus_job **sub, int timeout_ms)
{
	__u64 color = words[job->rank] >> 32;
	uint32_t *ranks = calloc(job->config.count, sizeof(*ranks)), count = 0;
	int tries, ret = -EAGAIN;

	if (ranks && color)
		count = split_ranks(words, job->config.count, color, ranks);
	for (tries = 0; ret == -EAGAIN && tries < KEYS_MAX; tries++) {
		uint32_t key = split_key(job, color);
		struct torus_job *new = NULL;

		ret = ranks ? 0 : -ENOMEM;
		if (count)
			ret = torus_subjob_open(job, ranks, count, key, &new);
		ret = split_agree(job, ret, timeout_ms);
		if (ret)
			torus_job_close(new);
		else
			*sub = new;
	}
	free(ranks);
	return ret;
}

/**
 * torus_job_split() - split a job into sub-jobs, as MPI_Comm_split
 * @job: the job, which may be a sub-job
 * @color: ranks with the same color are in the same sub-job; less than 0: this rank is in none
 * @key: the ranks of a sub-job are in order of their keys; equal keys: of their ranks in @job
 * @sub: [out] the sub-job, to be closed with torus_job_close(); NULL if @color is less than 0, or
 *       after an error
 * @timeout_ms: limit for each message in milliseconds; 0 or -1: no limit
 *
 * All ranks of @job call it, except those on dead nodes.  A sub-job is a job with the context, the
 * route and the limits of @job: all functions of jobs, messages, matching and collectives work with
 * it, except torus_job_reroute().  When the call returns, all ranks of the sub-job can receive its
 * messages.  Messages of different jobs never match, even if their tags are equal.
 *
 * Each call with one of the jobs receives and sends packets of all of them, so one thread at a time
 * may use them.  memory_max limits each job.  If it is reached in one job, calls with every job can
 * return -ENOBUFS until the program takes messages of that job.  torus_message_flush() waits for
 * the messages of its own job.
 *
 * The view of a sub-job is the box of its nodes, or a ring of its ranks.  Only ranks of the sub-job
 * forward its packets around dead nodes and links.
 *
 * A job reports the losses of the packets that it has sent.  Losses of broadcasts, and of packets
 * that this rank forwards, are reported by the job that was opened.
 *
 * Jobs may be closed in any order.  Messages of a job that arrive after this rank has closed it are
 * discarded.  On a machine whose packets have a check of 16 bits, one of 65536 such packets may be
 * taken for a packet of a later sub-job: receive all messages of a sub-job before closing it.  The
 * context must stay attached until all jobs are closed.
 *
 * Return: 0; -ENOMEM (this rank, or another one); -EAGAIN (too many jobs are open); or as
 * torus_allreduce().  After an error the ranks may no longer agree: close @job.
 */
int torus_job_split(struct torus_job *job, int color, int key, struct torus_job **sub,
		    int timeout_ms)
{
	__u64 *words = calloc(job->config.count, sizeof(*words));
	int ret;

	*sub = NULL;
	if (!words)
		return torus_error_set(-ENOMEM, "split: out of memory for %u ranks",
				       job->config.count);
	words[job->rank] = split_word(color, key);
	ret = torus_allreduce(job, TORUS_TYPE_U64, TORUS_OPERATION_SUM, words, words,
			      job->config.count, timeout_ms);
	if (!ret)
		ret = split_open(job, words, sub, timeout_ms);
	free(words);
	return ret;
}

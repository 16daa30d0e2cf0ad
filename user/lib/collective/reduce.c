// SPDX-License-Identifier: GPL-2.0
/*
 * Reductions, which combine numbers of all ranks, and gather and scatter.
 *
 * The live ranks are numbered from the root on and form a binomial tree.  In round r = 0, 1, .. a
 * rank whose number is an odd multiple of 2^r sends its result to the rank with the number 2^r
 * less.  The receiver combines the two results, its own as the left operand.  So the order of a
 * reduction depends only on the root and the live ranks:
 *
 *	((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))
 *
 * and floating-point sums are the same each time, bit by bit.  An allreduce combines up the tree to
 * the first live rank, which sends the result down the same tree, so that all ranks get the same
 * bits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <torus/collective.h>
#include "../context/error.h"
#include "../job/job.h"
#include "../job/member.h"
#include "../job/memory.h"
#include "../job/message.h"
#include "../job/reassembly.h"
#include "../job/send.h"
#include "parts.h"

/**
 * struct round_table - the ranks that take part
 * @ranks: array of live ranks: first the root, then ascending ranks with wrap-around
 * @count: number of ranks
 * @own: index of this rank in @ranks
 */
struct round_table {
	uint32_t *ranks;
	uint32_t count;
	uint32_t own;
};

static int table_make(const struct torus_job *job, uint32_t root, const char *what,
		      struct round_table *table)
{
	uint32_t count = job->config.count, i;

	if (root >= count)
		return torus_error_set(-EINVAL,
				       "%s: root %u must be one of the %u ranks of the job",
				       what, root,
				       count);
	*table = (struct round_table) { .ranks = malloc(count * sizeof(*table->ranks)) };
	if (!table->ranks)
		return torus_error_set(-ENOMEM, "%s: out of memory for %u ranks", what, count);
	for (i = 0; i < count; i++) {
		uint32_t rank = (root + i) % count;

		if (!torus_job_member_alive(job, rank))
			continue;
		if (rank == job->rank)
			table->own = table->count;
		table->ranks[table->count++] = rank;
	}
	if (table->count && table->ranks[0] == root)
		return 0;
	free(table->ranks);
	return torus_error_set(-EHOSTUNREACH, "%s: node %u of root %u is dead", what,
			       torus_job_member(job, root).node, root);
}

static int part_send(struct torus_job *job, uint32_t rank, const void *data, uint32_t bytes)
{
	return torus_send_blocking(job, rank, KIND_COLLECTIVE, job->collectives, data, bytes);
}

/* Wait for another rank's part, and check that it has @bytes bytes.  The caller frees @part. */
static int part_take(struct torus_job *job, int rank, uint32_t bytes, const char *what,
		     int timeout_ms, struct message **part)
{
	struct message *message;
	int ret;

	ret = torus_message_find(job, KIND_COLLECTIVE, rank, job->collectives, &message,
				 timeout_ms);
	if (ret)
		return ret;
	torus_message_taken(job, message);
	*part = message;
	if (message->error)
		ret = torus_error_set(message->error, "%s: message %u from rank %u was damaged or "
				      "lost", what, message->number, message->source);
	else if (message->length != bytes)
		ret = torus_error_set(-EMSGSIZE, "%s: rank %u sends %u bytes, not %u", what,
				      message->source, message->length, bytes);
	if (ret)
		torus_message_free(job, message);
	return ret;
}

/* ------------------------------------------------------------ arithmetic */

/*
 * Define a function that combines two arrays.  The function copies each element before it is used,
 * because the arrays need not be aligned.
 */
#define COMBINE(name, type, expression)							\
static void name(unsigned char *ours, const unsigned char *theirs, uint32_t count)		\
{											\
	type a, b;									\
	uint32_t i;									\
											\
	for (i = 0; i < count; i++) {							\
		memcpy(&a, ours + i * sizeof(a), sizeof(a));				\
		memcpy(&b, theirs + i * sizeof(b), sizeof(b));				\
		a = (expression);							\
		memcpy(ours + i * sizeof(a), &a, sizeof(a));				\
	}										\
}

COMBINE(min_u32, uint32_t, b < a ? b : a)
COMBINE(max_u32, uint32_t, b > a ? b : a)
COMBINE(min_s32, __s32, b < a ? b : a)
COMBINE(max_s32, __s32, b > a ? b : a)
COMBINE(min_u64, __u64, b < a ? b : a)
COMBINE(max_u64, __u64, b > a ? b : a)
COMBINE(min_s64, __s64, b < a ? b : a)
COMBINE(max_s64, __s64, b > a ? b : a)
COMBINE(min_float, float, b < a ? b : a)
COMBINE(max_float, float, b > a ? b : a)
COMBINE(min_double, double, b < a ? b : a)
COMBINE(max_double, double, b > a ? b : a)
/*
 * The unsigned function also serves signed sums, which wrap to the same bits, and bitwise
 * operations, which ignore the sign.
 */
COMBINE(sum_u32, uint32_t, a + b)
COMBINE(sum_u64, __u64, a + b)
COMBINE(sum_float, float, a + b)
COMBINE(sum_double, double, a + b)
COMBINE(and_u32, uint32_t, a & b)
COMBINE(or_u32, uint32_t, a | b)
COMBINE(xor_u32, uint32_t, a ^ b)
COMBINE(and_u64, __u64, a & b)
COMBINE(or_u64, __u64, a | b)
COMBINE(xor_u64, __u64, a ^ b)

typedef void (*combine_fn)(unsigned char *ours, const unsigned char *theirs, uint32_t count);

static const combine_fn combines[][6] = {
	[TORUS_TYPE_U32] = { sum_u32, min_u32, max_u32, and_u32, or_u32, xor_u32 },
	[TORUS_TYPE_S32] = { sum_u32, min_s32, max_s32, and_u32, or_u32, xor_u32 },
	[TORUS_TYPE_U64] = { sum_u64, min_u64, max_u64, and_u64, or_u64, xor_u64 },
	[TORUS_TYPE_S64] = { sum_u64, min_s64, max_s64, and_u64, or_u64, xor_u64 },
	[TORUS_TYPE_FLOAT] = { sum_float, min_float, max_float },
	[TORUS_TYPE_DOUBLE] = { sum_double, min_double, max_double },
};

/**
 * struct reduction - a reduction of arrays
 * @combine: function for operation and type
 * @count: number of elements
 * @bytes: length of all elements in bytes
 * @what: name of the collective operation, for error texts
 */
struct reduction {
	combine_fn combine;
	uint32_t count;
	uint32_t bytes;
	const char *what;
};

static int reduction_fill(struct reduction *reduction, enum torus_type type,
			  enum torus_operation operation, uint32_t count, const char *what)
{
	static const char * const operations[] = { "sum", "min", "max", "and", "or", "xor" };
	static const uint32_t sizes[] = { 4, 4, 8, 8, 4, 8 };

	if ((unsigned int)type > TORUS_TYPE_DOUBLE)
		return torus_error_set(-EINVAL, "%s of type %d: unknown type", what, type);
	if ((unsigned int)operation > TORUS_OPERATION_XOR)
		return torus_error_set(-EINVAL, "%s by operation %d: unknown operation", what,
				       operation);
	if (!combines[type][operation])
		return torus_error_set(-EINVAL,
				       "%s by %s: must not be used for floating-point numbers",
				       what,
				       operations[operation]);
	if (count > ~0u / sizes[type])
		return torus_error_set(-EINVAL,
				       "%s of %u elements: must be at most %u elements of %u bytes",
				       what,
				       count, ~0u / sizes[type], sizes[type]);
	*reduction = (struct reduction) {
		.combine = combines[type][operation], .count = count,
		.bytes = count * sizes[type], .what = what,
	};
	return 0;
}

/* ------------------------------------------------------------- reduction */

/*
 * Combine the numbers up the tree.  @sum: [in] this rank's numbers; [out] at the root, the combined
 * numbers of all ranks.
 */
static int reduce_up(struct torus_job *job, const struct round_table *table,
		     const struct reduction *reduction, unsigned char *sum, int timeout_ms)
{
	struct message *part;
	uint32_t step;
	int ret;

	for (step = 1; step && step < table->count; step *= 2) {
		if (table->own & step)
			return part_send(job, table->ranks[table->own - step], sum,
					 reduction->bytes);
		if (table->count - table->own <= step)
			continue;
		ret = part_take(job, table->ranks[table->own + step], reduction->bytes,
				reduction->what, timeout_ms, &part);
		if (ret)
			return ret;
		reduction->combine(sum, part->data, reduction->count);
		torus_message_free(job, part);
	}
	return 0;
}

/* Copy the root's result down the same tree to all ranks. */
static int reduce_down(struct torus_job *job, const struct round_table *table,
		       const struct reduction *reduction, unsigned char *sum, int timeout_ms)
{
	uint32_t step = 1;
	int ret = 0;

	while (step && step < table->count && !(table->own & step))
		step *= 2;
	if (table->own) {
		struct message *part;

		ret = part_take(job, table->ranks[table->own - step], reduction->bytes,
				reduction->what, timeout_ms, &part);
		if (ret)
			return ret;
		if (reduction->bytes)
			memcpy(sum, part->data, reduction->bytes);
		torus_message_free(job, part);
	}
	/* Send first to the child with the highest number: a full tree is largest below it. */
	for (step /= 2; !ret && step; step /= 2)
		if (step < table->count - table->own)
			ret = part_send(job, table->ranks[table->own + step], sum,
					reduction->bytes);
	return ret;
}

/**
 * torus_reduce() - combine the numbers of all ranks at one of them
 * @job: the job
 * @root: rank that gets the result; the same at all ranks
 * @type: type of the elements; the same at all ranks
 * @operation: operation on two elements; the same at all ranks
 * @send: array of @count elements of this rank
 * @receive: [out] at the root: array of @count results, one for each index; may be @send.  Not used
 *           at other ranks, where it may be NULL
 * @count: number of elements; the same at all ranks
 * @timeout_ms: limit for each message in milliseconds; 0 or -1: no limit
 *
 * All ranks call it, except those on dead nodes, whose numbers are not in the result.  Integer sums
 * wrap.  The root and the live ranks determine the order in which floating-point numbers are
 * combined, numbered from the root on: (0 + 1) + (2 + 3) and so on.  So the same numbers give the
 * same bits each time.  The minimum and maximum with NaNs are undefined.  Elements are sent in the
 * processor's representation.  After an error other than -EINVAL the ranks no longer agree: close
 * the job.
 *
 * Return: 0, -EINVAL (root, type, operation, count), -EMSGSIZE (another rank has a different
 * count), -EBADMSG, -EHOSTUNREACH, -ENOTCONN (a rank's process has ended), -ETIMEDOUT, -EINTR,
 * -ENOMEM, -ENOBUFS, -ECOMM, -EIO, -ENODEV.
 */
int torus_reduce(struct torus_job *job, uint32_t root, enum torus_type type,
		 enum torus_operation operation, const void *send, void *receive, uint32_t count,
		 int timeout_ms)
{
	struct reduction reduction = { .what = NULL };
	struct round_table table;
	unsigned char *sum;
	int ret;

	ret = reduction_fill(&reduction, type, operation, count, "reduce");
	if (!ret)
		ret = table_make(job, root, reduction.what, &table);
	if (ret)
		return ret;
	sum = malloc(reduction.bytes + 1ul);
	if (sum) {
		if (count)
			memcpy(sum, send, reduction.bytes);
		ret = reduce_up(job, &table, &reduction, sum, timeout_ms ? timeout_ms : -1);
	} else {
		ret = torus_error_set(-ENOMEM, "reduce: out of memory for %u bytes",
				      reduction.bytes);
	}
	if (!ret && job->rank == root && count)
		memcpy(receive, sum, reduction.bytes);
	job->collectives++;
	free(table.ranks);
	free(sum);
	return ret;
}

/**
 * torus_allreduce() - combine the numbers of all ranks, and give all ranks the result
 * @job: the job
 * @type: as torus_reduce()
 * @operation: as torus_reduce()
 * @send: array of @count elements of this rank
 * @receive: [out] array of @count results, one for each index; may be @send
 * @count: number of elements; the same at all ranks
 * @timeout_ms: as torus_reduce()
 *
 * Works like torus_reduce() with the lowest live rank as root.  The root then sends the result to
 * all ranks, so that every rank gets the same bits.
 *
 * Return: as torus_reduce().
 */
int torus_allreduce(struct torus_job *job, enum torus_type type, enum torus_operation operation,
		    const void *send, void *receive, uint32_t count, int timeout_ms)
{
	struct reduction reduction = { .what = NULL };
	struct round_table table;
	uint32_t root = 0;
	int ret;

	ret = reduction_fill(&reduction, type, operation, count, "allreduce");
	if (ret)
		return ret;
	while (root + 1 < job->config.count && !torus_job_member_alive(job, root))
		root++;
	ret = table_make(job, root, reduction.what, &table);
	if (ret)
		return ret;
	if (!timeout_ms)
		timeout_ms = -1;
	if (count && receive != send)
		memmove(receive, send, reduction.bytes);
	ret = reduce_up(job, &table, &reduction, receive, timeout_ms);
	job->collectives++;
	if (!ret)
		ret = reduce_down(job, &table, &reduction, receive, timeout_ms);
	job->collectives++;
	free(table.ranks);
	return ret;
}

/* ----------------------------------------------------- gather and scatter */

/**
 * torus_gather() - collect bytes of all ranks at one of them
 * @job: the job
 * @root: rank that gets the bytes; the same at all ranks
 * @send: @bytes bytes of this rank
 * @receive: [out] at the root: @bytes bytes from each rank, by rank; not @send.  Not used at other
 *           ranks, where it may be NULL
 * @bytes: bytes from each rank; the same at all ranks
 * @timeout_ms: limit for each message in milliseconds; 0 or -1: no limit
 *
 * All ranks call it, except those on dead nodes, whose places in @receive are not changed.  Parts
 * of several packets that arrive while the root waits go directly to @receive; others wait in
 * memory.  After an error other than -EINVAL the ranks no longer agree: close the job.
 *
 * Return: 0, -EINVAL (root), or as torus_reduce().
 */
int torus_gather(struct torus_job *job, uint32_t root, const void *send, void *receive,
		 uint32_t bytes, int timeout_ms)
{
	struct round_table table;
	int ret;

	ret = table_make(job, root, "gather", &table);
	if (ret)
		return ret;
	if (!timeout_ms)
		timeout_ms = -1;
	if (table.own)
		ret = part_send(job, root, send, bytes);
	else if (bytes)
		memcpy((unsigned char *)receive + (size_t)root * bytes, send, bytes);
	if (!ret && !table.own)
		ret = torus_parts_receive(job, KIND_COLLECTIVE, job->collectives, "gather", receive,
					  bytes, table.ranks + 1, table.count - 1, timeout_ms);
	job->collectives++;
	free(table.ranks);
	return ret;
}

/**
 * torus_scatter() - distribute bytes of one rank to all ranks
 * @job: the job
 * @root: rank that has the bytes; the same at all ranks
 * @send: at the root: @bytes bytes for each rank, by rank.  Not used at other ranks, where it may
 *        be NULL
 * @receive: [out] @bytes bytes for this rank; not @send
 * @bytes: bytes for each rank; the same at all ranks
 * @timeout_ms: limit for each message in milliseconds; 0 or -1: no limit
 *
 * All ranks call it, except those on dead nodes.  After an error other than -EINVAL the ranks no
 * longer agree: close the job.
 *
 * Return: 0, -EINVAL (root), or as torus_reduce().
 */
int torus_scatter(struct torus_job *job, uint32_t root, const void *send, void *receive,
		  uint32_t bytes, int timeout_ms)
{
	struct round_table table;
	struct message *part;
	uint32_t i;
	int ret;

	ret = table_make(job, root, "scatter", &table);
	if (ret)
		return ret;
	for (i = 1; !ret && !table.own && i < table.count; i++)
		ret = part_send(job, table.ranks[i], (const unsigned char *)send +
				(size_t)table.ranks[i] * bytes, bytes);
	if (!ret && table.own) {
		ret = part_take(job, root, bytes, "scatter", timeout_ms ? timeout_ms : -1, &part);
		if (!ret) {
			if (bytes)
				memcpy(receive, part->data, bytes);
			torus_message_free(job, part);
		}
	} else if (!ret && bytes) {
		memcpy(receive, (const unsigned char *)send + (size_t)root * bytes, bytes);
	}
	job->collectives++;
	free(table.ranks);
	return ret;
}

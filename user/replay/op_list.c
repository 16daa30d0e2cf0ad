// SPDX-License-Identifier: GPL-2.0
/*
 * Turn a log into a list of operations for each rank. Loops are unrolled, and expressions are
 * replaced by their values. The lists do not change afterwards, so each rank may read the lists of
 * other ranks. A packet contains the number of its message. By that number, the receiver finds the
 * sender's operation.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../sim/base/message.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "op_list.h"
#include "hash.h"

#define OPS_MAX		(1u << 24)	/* maximum number of operations of all ranks */
#define TICKS_MAX	(1ll << 48)
#define TAG_MAX		((1ll << 31) - 1)
#define BARRIER_DEFAULT	256
/* minimum latency of a barrier in ticks; larger than a window of any machine */
#define BARRIER_MIN	64
#define BARRIER_MAX	(1 << 24)
#define FREE		0		/* value in maker.slot[] of a slot without a request */

/**
 * struct op_maker - state while a rank's list is built
 * @lexer: the log, for error messages
 * @tick_fs: length of a tick in femtoseconds
 * @rank: rank whose list is built
 * @program: the list
 * @values: values of the variables
 * @pairs: by destination and tag: number of messages sent so far
 * @slot: by slot: 1 if the slot has a request
 * @slots: capacity of @slot
 * @handle: by handle: slot of the handle's request; TORUS_NONE: no request
 * @ops: number of operations of all ranks so far
 */
struct op_maker {
	struct replay_job *job;
	struct replay_lexer *lexer;
	u64 tick_fs;
	u32 rank;
	struct replay_op_list *program;
	s64 values[REPLAY_NAMES_MAX];
	struct replay_hash pairs;
	u8 *slot;
	u32 slots;
	u32 handle[REPLAY_NAMES_MAX];
	u32 ops;
};

static bool no_memory(struct op_maker *maker)
{
	sim_error("out of memory for %u operations", maker->ops);
	maker->lexer->failed = true;
	return false;
}

static bool value(struct op_maker *maker, const struct replay_expr *expr, s64 *result)
{
	return replay_expr_value(maker->lexer, expr, maker->values, result);
}

/*
 * Evaluate an expression whose value must be from 0 to @max. @what: name of the value in error
 * messages.
 */
static bool bounded(struct op_maker *maker, const struct replay_statement *statement,
		    const struct replay_expr *expr, const char *what, s64 max, s64 *result)
{
	if (!value(maker, expr, result))
		return false;
	if (*result >= 0 && *result <= max)
		return true;
	return replay_lexer_bad(maker->lexer, statement->place,
				"rank %u: %s: %s %lld: must be from 0 to %lld", maker->rank,
				replay_kind_name(statement->kind), what, *result, max);
}

/*
 * Convert a number of units to the nearest number of ticks. Return: false if the result is too
 * large.
 */
static bool to_ticks(s64 number, u64 unit_fs, u64 tick_fs, u64 *ticks)
{
	u64 fs;

	*ticks = (u64)number;
	if (!unit_fs)
		return number <= TICKS_MAX;
	/* a time above 2^64 femtoseconds (5 hours) is computed from whole ticks per unit */
	if (!__builtin_mul_overflow((u64)number, unit_fs, &fs))
		*ticks = (fs + tick_fs / 2) / tick_fs;
	else if (__builtin_mul_overflow((u64)number, unit_fs / tick_fs, ticks))
		return false;
	return *ticks <= TICKS_MAX;
}

static struct replay_op *op_add(struct op_maker *maker, const struct replay_statement *statement)
{
	struct replay_op_list *program = maker->program;
	struct replay_op *op;

	if (maker->ops == OPS_MAX) {
		replay_lexer_bad(maker->lexer, statement->place,
				 "rank %u: the log must have at most %u operations of all ranks, "
				 "with loops unrolled", maker->rank, OPS_MAX);
		return NULL;
	}
	op = torus_array_add(&program->ops, &program->count);
	if (!op) {
		no_memory(maker);
		return NULL;
	}
	maker->ops++;
	*op = (struct replay_op){
		.peer = TORUS_NONE,
		.message = program->messages,
		.slot = TORUS_NONE,
		.line = statement->place.line,
		.kind = statement->kind,
	};
	return op;
}

static bool take_slot(struct op_maker *maker, u32 *slot)
{
	for (*slot = 0; *slot < maker->slots && maker->slot[*slot] != FREE; ++*slot)
		;
	if (*slot == maker->slots) {
		u32 slots = maker->slots ? 2 * maker->slots : 16;
		u8 *grown = realloc(maker->slot, slots);

		if (!grown)
			return no_memory(maker);
		memset(grown + maker->slots, FREE, slots - maker->slots);
		maker->slot = grown;
		maker->slots = slots;
	}
	maker->slot[*slot] = 1;
	if (*slot >= maker->program->slots)
		maker->program->slots = *slot + 1;
	return true;
}

/* Assign the handle that an isend or irecv names to the request of that operation. */
static bool name_request(struct op_maker *maker, const struct replay_statement *statement,
			 u32 slot)
{
	if (statement->name == TORUS_NONE)
		return true;
	if (maker->handle[statement->name] != TORUS_NONE)
		return replay_lexer_bad(maker->lexer, statement->place,
					"rank %u: %s: the previous \"%s\" must first be waited for",
					maker->rank, replay_kind_name(statement->kind),
					maker->job->log->handles.name[statement->name]);
	maker->handle[statement->name] = slot;
	return true;
}

static bool count_messages(struct op_maker *maker, const struct replay_statement *statement,
			   u32 messages)
{
	maker->program->messages += messages;
	if (maker->program->messages <= REPLAY_MESSAGES_MAX)
		return true;
	return replay_lexer_bad(maker->lexer, statement->place,
				"rank %u must not send more than %u messages", maker->rank,
				REPLAY_MESSAGES_MAX);
}

static bool make_bytes(struct op_maker *maker, const struct replay_statement *statement,
		       s64 *bytes)
{
	return bounded(maker, statement, statement->bytes, "bytes",
		       (s64)maker->job->payload * REPLAY_PACKETS_MAX, bytes);
}

static bool make_send(struct op_maker *maker, const struct replay_statement *statement)
{
	s64 tag = 0;
	s64 peer, bytes;
	struct replay_op *op;
	u64 *pair;
	u32 slot;

	if (!bounded(maker, statement, statement->value, "destination", maker->job->size - 1,
		     &peer) ||
	    !make_bytes(maker, statement, &bytes) ||
	    (statement->tag && !bounded(maker, statement, statement->tag, "tag", TAG_MAX, &tag)))
		return false;
	if (!take_slot(maker, &slot) || !name_request(maker, statement, slot))
		return false;
	op = op_add(maker, statement);
	if (!op)
		return false;
	pair = replay_hash_add(&maker->pairs, (u64)peer << 32 | (u64)tag);
	if (!pair)
		return no_memory(maker);
	op->peer = (u32)peer;
	op->tag = (u32)tag;
	op->amount = (u64)bytes;
	op->slot = slot;
	op->pair = (u32)(*pair)++;
	if (op->kind == REPLAY_SEND)
		maker->slot[slot] = FREE;
	return count_messages(maker, statement, 1);
}

static bool make_recv(struct op_maker *maker, const struct replay_statement *statement)
{
	s64 peer = TORUS_NONE;
	s64 tag = 0;
	struct replay_op *op;
	u32 slot;

	if ((statement->value && !bounded(maker, statement, statement->value, "source",
					  maker->job->size - 1, &peer)) ||
	    (statement->tag && !bounded(maker, statement, statement->tag, "tag", TAG_MAX, &tag)))
		return false;
	if (!take_slot(maker, &slot) || !name_request(maker, statement, slot))
		return false;
	op = op_add(maker, statement);
	if (!op)
		return false;
	op->peer = (u32)peer;
	op->tag = (u32)tag;
	op->slot = slot;
	if (op->kind == REPLAY_RECV)
		maker->slot[slot] = FREE;
	return true;
}

static bool make_wait(struct op_maker *maker, const struct replay_statement *statement)
{
	u32 slot = maker->handle[statement->name];
	struct replay_op *op;

	if (slot == TORUS_NONE)
		return replay_lexer_bad(maker->lexer, statement->place,
					"rank %u: wait: \"%s\" has not begun", maker->rank,
					maker->job->log->handles.name[statement->name]);
	op = op_add(maker, statement);
	if (!op)
		return false;
	op->slot = slot;
	maker->slot[slot] = FREE;
	maker->handle[statement->name] = TORUS_NONE;
	return true;
}

static bool make_waitall(struct op_maker *maker, const struct replay_statement *statement)
{
	if (maker->slots)
		memset(maker->slot, FREE, maker->slots);
	memset(maker->handle, 0xff, sizeof(maker->handle));
	return op_add(maker, statement);
}

static bool make_alltoall(struct op_maker *maker, const struct replay_statement *statement)
{
	struct replay_op *op;
	s64 bytes;

	if (!make_bytes(maker, statement, &bytes))
		return false;
	op = op_add(maker, statement);
	if (!op)
		return false;
	op->amount = (u64)bytes;
	op->tag = maker->program->alltoalls++;
	return count_messages(maker, statement, maker->job->size - 1);
}

static bool make_compute(struct op_maker *maker, const struct replay_statement *statement)
{
	struct replay_op *op;
	s64 number;

	if (!bounded(maker, statement, statement->value, "time", INT64_MAX, &number))
		return false;
	op = op_add(maker, statement);
	if (!op)
		return false;
	if (!to_ticks(number, statement->unit_fs, maker->tick_fs, &op->amount))
		return replay_lexer_bad(maker->lexer, statement->place,
					"rank %u: compute: must be at most 2^48 ticks",
					maker->rank);
	return true;
}

static bool make_body(struct op_maker *maker, const struct replay_statement *statement);

static bool make_repeat(struct op_maker *maker, const struct replay_statement *statement)
{
	s64 times, i;

	if (!bounded(maker, statement, statement->value, "number", OPS_MAX, &times))
		return false;
	for (i = 0; i < times; i++) {
		if (statement->name != TORUS_NONE)
			maker->values[statement->name] = i;
		if (!make_body(maker, statement->body))
			return false;
	}
	return true;
}

static bool make_statement(struct op_maker *maker, const struct replay_statement *statement)
{
	s64 number;

	switch (statement->kind) {
	case REPLAY_COMPUTE:
		return make_compute(maker, statement);
	case REPLAY_SEND:
	case REPLAY_ISEND:
		return make_send(maker, statement);
	case REPLAY_RECV:
	case REPLAY_IRECV:
		return make_recv(maker, statement);
	case REPLAY_WAIT:
		return make_wait(maker, statement);
	case REPLAY_WAITALL:
		return make_waitall(maker, statement);
	case REPLAY_BARRIER:
		maker->job->barriers = true;
		return op_add(maker, statement);
	case REPLAY_ALLTOALL:
		return make_alltoall(maker, statement);
	case REPLAY_REPEAT:
		return make_repeat(maker, statement);
	case REPLAY_IF:
		if (!value(maker, statement->value, &number))
			return false;
		return make_body(maker, number ? statement->body : statement->other);
	default:
		return value(maker, statement->value, &maker->values[statement->name]);
	}
}

static bool make_body(struct op_maker *maker, const struct replay_statement *statement)
{
	for (; statement; statement = statement->next)
		if (!make_statement(maker, statement))
			return false;
	return true;
}

/*
 * Check whether a block of the log applies to the current rank. @in: [out] true if it applies.
 * Return: false after an error message.
 */
static bool in_block(struct op_maker *maker, const struct replay_block *block, bool *in)
{
	s64 first, last;

	*in = true;
	if (!block->first)
		return true;
	if (!value(maker, block->first, &first))
		return false;
	last = first;
	if (block->last && !value(maker, block->last, &last))
		return false;
	if (first < 0 || last >= maker->job->size)
		return replay_lexer_bad(maker->lexer, block->place,
					"rank %lld: must be one of the ranks 0 to %u",
					first < 0 ? first : last, maker->job->size - 1);
	*in = first <= maker->rank && maker->rank <= last;
	return true;
}

static bool make_program(struct op_maker *maker)
{
	const struct replay_block *block;
	s64 rest = maker->rank;
	u32 i;
	bool in;

	maker->values[REPLAY_RANK] = maker->rank;
	for (i = 0; i < TORUS_DIMS_MAX; i++) {
		maker->values[REPLAY_COORD + i] = rest % maker->values[REPLAY_LENGTH + i];
		rest /= maker->values[REPLAY_LENGTH + i];
	}
	memset(&maker->values[REPLAY_FIRST], 0,
	       (REPLAY_NAMES_MAX - REPLAY_FIRST) * sizeof(maker->values[0]));
	memset(maker->handle, 0xff, sizeof(maker->handle));
	if (maker->slots)
		memset(maker->slot, FREE, maker->slots);
	for (block = maker->job->log->blocks; block; block = block->next) {
		if (!in_block(maker, block, &in))
			return false;
		if (in && !make_body(maker, block->body))
			return false;
	}
	return true;
}

/* Check that all ranks execute the same alltoalls. */
static bool check_alltoalls(struct op_maker *maker)
{
	const struct replay_job *job = maker->job;
	const struct replay_op_list *first = &job->programs[0];
	u32 rank, i, j;

	for (rank = 1; rank < job->size; rank++) {
		const struct replay_op_list *program = &job->programs[rank];

		for (i = 0, j = 0; ; i++, j++) {
			struct replay_place place = { .column = 1 };

			while (i < first->count && first->ops[i].kind != REPLAY_ALLTOALL)
				i++;
			while (j < program->count && program->ops[j].kind != REPLAY_ALLTOALL)
				j++;
			if (i == first->count && j == program->count)
				break;
			place.line = i < first->count ? first->ops[i].line : program->ops[j].line;
			if (i == first->count || j == program->count)
				return replay_lexer_bad(maker->lexer, place,
							"alltoall: must be called by all ranks, "
							"rank %u does not call it",
							i == first->count ? 0 : rank);
			if (first->ops[i].amount != program->ops[j].amount)
				return replay_lexer_bad(maker->lexer, place,
							"alltoall: all ranks must send the same "
							"length, but rank 0 sends %llu bytes and "
							"rank %u %llu",
							first->ops[i].amount, rank,
							program->ops[j].amount);
		}
	}
	return true;
}

static bool job_size(struct replay_job *job, const struct torus_config *config)
{
	struct replay_log *log = job->log;

	job->size = config->geo.nodes;
	if (log->ranks > config->geo.nodes)
		return replay_lexer_bad(&log->lexer, log->ranks_place,
					"ranks %lld: must be at most the %u nodes of the machine",
					log->ranks,
					config->geo.nodes);
	if (log->ranks)
		job->size = (u32)log->ranks;
	if (job->size <= REPLAY_RANKS_MAX)
		return true;
	return replay_lexer_bad(&log->lexer, log->ranks_place, "%u ranks: must be at most %u",
				job->size,
				REPLAY_RANKS_MAX);
}

static bool job_grid(struct op_maker *maker, const struct torus_config *config)
{
	struct replay_log *log = maker->job->log;
	struct parse_list grid = { .count = 0 };
	struct parse_error why;
	u64 product = 1;
	bool good;
	u32 i;

	if (log->grid.text[0]) {
		replay_log_at(log, log->grid.place);
		good = parse_shape("grid", log->grid.text, &grid, &why) ||
		       !sim_reject("%s", why.text);
		replay_log_at(log, (struct replay_place){ .line = 0 });
		if (!good)
			return false;
	} else if (maker->job->size == config->geo.nodes) {
		grid.count = config->geo.ndims;
		memcpy(grid.numbers, config->geo.dims, sizeof(grid.numbers));
	} else {
		grid.count = 1;
		grid.numbers[0] = maker->job->size;
	}
	for (i = 0; i < TORUS_DIMS_MAX; i++) {
		u32 length = i < grid.count ? grid.numbers[i] : 1;

		maker->values[REPLAY_LENGTH + i] = length;
		product = product > REPLAY_RANKS_MAX ? product : product * length;
	}
	if (product == maker->job->size)
		return true;
	return replay_lexer_bad(&log->lexer, log->grid.place,
				"grid %s: must contain exactly the %u ranks",
				log->grid.text, maker->job->size);
}

static bool job_barrier(struct op_maker *maker)
{
	struct replay_log *log = maker->job->log;
	u64 *ticks = &maker->job->barrier;

	*ticks = BARRIER_DEFAULT;
	if (!log->barrier_place.line)
		return true;
	if (to_ticks(log->barrier, log->barrier_fs, maker->tick_fs, ticks) &&
	    *ticks >= BARRIER_MIN && *ticks <= BARRIER_MAX)
		return true;
	return replay_lexer_bad(&log->lexer, log->barrier_place,
				"barrier: its latency must be from %d to %d ticks", BARRIER_MIN,
				BARRIER_MAX);
}

static bool make_programs(struct op_maker *maker)
{
	struct replay_job *job = maker->job;

	job->programs = calloc(job->size, sizeof(*job->programs));
	if (!job->programs)
		return no_memory(maker);
	for (maker->rank = 0; maker->rank < job->size; maker->rank++) {
		maker->program = &job->programs[maker->rank];
		if (!make_program(maker))
			return false;
		replay_hash_free(&maker->pairs);
	}
	return check_alltoalls(maker);
}

/**
 * replay_job_make - build the operation lists of all ranks on a machine
 * @job: [out] freed by replay_job_free(), also after an error
 * @config: configuration of the machine, with its shape
 *
 * Return: false after an error message.
 */
bool replay_job_make(struct replay_job *job, struct replay_log *log,
		     const struct torus_config *config)
{
	const struct torus_arch *arch = config->arch;
	struct op_maker maker = {
		.job = job, .lexer = &log->lexer, .tick_fs = arch->tick_fs(config),
	};
	bool good;

	memset(job, 0, sizeof(*job));
	job->log = log;
	job->payload = arch->packet_chunks_max * arch->chunk_bytes - arch->payload_overhead;
	good = job_size(job, config);
	maker.values[REPLAY_SIZE] = job->size;
	good = good && job_grid(&maker, config) && job_barrier(&maker) && make_programs(&maker);
	replay_hash_free(&maker.pairs);
	free(maker.slot);
	return good;
}

/**
 * replay_job_free - free the operation lists of all ranks
 */
void replay_job_free(struct replay_job *job)
{
	u32 i;

	for (i = 0; job->programs && i < job->size; i++)
		free(job->programs[i].ops);
	free(job->programs);
}

/**
 * replay_op_list_find - find the operation that sends a message
 * @program: list of the sending rank
 * @message: number of the message
 */
const struct replay_op *replay_op_list_find(const struct replay_op_list *program, u32 message)
{
	u32 low = 0;
	u32 high = program->count;

	/*
	 * Find the last operation before which the rank sends at most @message messages: low <=
	 * index < high.
	 */
	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (program->ops[middle].message <= message)
			low = middle;
		else
			high = middle;
	}
	return &program->ops[low];
}

/**
 * replay_job_packets - compute the number of packets of a message
 * @bytes: size of the message
 *
 * Return: number of packets; an empty message has one.
 */
u32 replay_job_packets(const struct replay_job *job, u64 bytes)
{
	return bytes ? (u32)((bytes + job->payload - 1) / job->payload) : 1;
}

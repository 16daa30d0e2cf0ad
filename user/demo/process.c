// SPDX-License-Identifier: GPL-2.0
/* A process at a node: attach, run the phases, and count verified messages. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "content.h"
#include "demo.h"
#include "options.h"
#include "phase.h"
#include "process.h"
#include "torus-demo.h"

#define RING_CHUNKS	512

/* Phases with ordered packets, and one with packets that may overtake each other. */
static const enum torus_route phase_routes[PHASES] = {
	TORUS_ROUTE_ORDERED, TORUS_ROUTE_ORDERED, TORUS_ROUTE_DYNAMIC,
};

/**
 * process_fail() - end the process and leave an error message for the parent
 * @process: the process
 * @format: printf format of the message
 */
void process_fail(struct process *process, const char *format, ...)
{
	char *failure = process->tally->failure;
	va_list args;

	va_start(args, format);
	vsnprintf(failure, sizeof(process->tally->failure), format, args);
	va_end(args);
	_exit(1);
}

/**
 * process_must() - end the process if a call has failed
 * @process: the process
 * @ret: result of the call
 * @what: name of the call, for the error message
 */
void process_must(struct process *process, int ret, const char *what)
{
	if (ret < 0)
		process_fail(process, "%s: %s", what,
			     ret == -ETIMEDOUT ? "no message arrived in time" : torus_error_text());
}

/**
 * process_prepare() - generate a message
 * @process: the process
 * @dest: rank of the receiver
 * @id: number of the message
 * @length: bytes of the message
 *
 * Return: its bytes, freed by the caller.
 */
void *process_prepare(struct process *process, uint32_t dest, uint32_t id, uint32_t length)
{
	void *bytes = malloc(length);

	if (!bytes)
		process_fail(process, "out of memory for a message of %u bytes", length);
	content_fill(bytes, content_seed(process->phase, process->rank, dest, id), length);
	return bytes;
}

/**
 * process_expect() - receive, check and count a message
 * @process: the process
 * @source: rank of the sender, or TORUS_MESSAGE_ANY
 * @tag: number of the message
 * @length: expected length; 0: content_mixed_length() of the message
 * @info: [out] source, tag and length
 */
void process_expect(struct process *process, long long source, __s64 tag, uint32_t length,
		    struct torus_message_info *info)
{
	struct tally *tally = process->tally;
	void *bytes;
	uint32_t wrong;
	int ret;

	ret = torus_message_take(process->job, source, tag, &bytes, info,
				 options.timeout_s * 1000);
	if (ret == -EBADMSG)
		tally->bad++;
	process_must(process, ret, "receive");
	if (!length)
		length = content_mixed_length(info->source, process->rank, info->tag,
					      process->count);
	if (info->length != length)
		process_fail(process, "message %u from rank %u has %u bytes instead of %u",
			     info->tag, info->source, info->length, length);
	wrong = content_compare(bytes, content_seed(process->phase, info->source, process->rank,
						    info->tag), length);
	if (wrong < length)
		process_fail(process, "message %u from rank %u is wrong at byte %u of %u",
			     info->tag, info->source, wrong, length);
	free(bytes);
	__atomic_store_n(&tally->messages[process->phase],
			 tally->messages[process->phase] + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&tally->bytes[process->phase],
			 tally->bytes[process->phase] + length, __ATOMIC_RELAXED);
}

static void process_phase(struct process *process, enum phase phase)
{
	static void (* const run[PHASES])(struct process *process) = {
		phase_ring, phase_halo, phase_all,
	};
	struct torus_job_config config = {
		.key = shared->key + phase,
		.route = phase_routes[phase],
		.timeout_ms = options.timeout_s * 1000,
	};
	struct torus_job_counts counts;

	process->phase = phase;
	process_must(process, torus_job_open(&process->job, process->context, &config), "job");
	if (!process->rank)
		shared->begin_ns[phase] = demo_now_ns();
	run[phase](process);
	process_must(process, torus_job_barrier(process->job, options.timeout_s * 1000),
		     "barrier");
	if (!process->rank)
		shared->end_ns[phase] = demo_now_ns();
	process_must(process, torus_message_flush(process->job, options.timeout_s * 1000), "flush");
	torus_job_counts(process->job, &counts);
	process->tally->packets += counts.sent_packets;
	process->tally->bad += counts.damaged + counts.lost;
	process->tally->rejected += counts.rejected_key + counts.rejected_source +
				    counts.rejected_size + counts.rejected_number +
				    counts.rejected_index + counts.rejected_duplicate +
				    counts.rejected_mismatch;
	torus_job_close(process->job);
}

/**
 * process_run() - attach, run all phases and exit
 * @rank: rank of the process
 * @node: number of its node
 * @count: number of ranks
 */
void process_run(uint32_t rank, uint32_t node, uint32_t count)
{
	const struct torus_attach_config config = {
		.inject_chunks = RING_CHUNKS, .receive_chunks = RING_CHUNKS,
	};
	struct process process = { .rank = rank, .count = count, .tally = &shared->tally[rank] };
	unsigned int phase;

	process_must(&process,
		     torus_context_attach(&process.context, options.fabric, node, &config),
		     "attach");
	torus_wait_tune(process.context, options.spins, options.yields);
	for (phase = 0; phase < PHASES; phase++)
		process_phase(&process, phase);
	torus_context_detach(process.context);
	_exit(0);
}

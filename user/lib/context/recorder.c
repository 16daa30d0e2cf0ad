// SPDX-License-Identifier: GPL-2.0
/*
 * A record of what a program in virtual time does to its fabric, for `torus-sim rerun`: which
 * groups it takes, what it puts into their rings and when, what it has read by which look, when
 * it leaves.  It is written where the environment has TORUS_RECORD, which names a file that the
 * processes of a run share: a line each time, in one write to its end.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "context.h"
#include "error.h"
#include "packet.h"
#include "recorder.h"

#define VARIABLE	"TORUS_RECORD"
#define WORDS_MAX	128	/* bytes of a line but for those of its packet */

/**
 * struct torus_record - what a context has told of itself
 * @next: another of this process
 * @context: whose
 * @read: chunks that it has read of each reception FIFO, as the record has it
 * @used: bytes in @line
 * @line: one that is being made, with room for the longest
 */
struct torus_record {
	struct torus_record *next;
	const struct torus_context *context;
	__u32 read[TORUS_RECEIVE_MAX];
	size_t used;
	char line[];
};

static struct torus_record *records;
static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;
static int record_fd = -1;
static int record_error;

__attribute((format(printf, 2, 3)))
static void record_add(struct torus_record *record, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	record->used += vsnprintf(record->line + record->used, WORDS_MAX - record->used, format,
				  args);
	va_end(args);
}

/* The words that a line begins with. */
static void record_begin(struct torus_record *record, const char *what)
{
	record->used = 0;
	record_add(record, "%d %s", (int)getpid(), what);
}

static void record_begin_group(struct torus_record *record, const char *what)
{
	record_begin(record, what);
	record_add(record, " %u %u", record->context->info.node, record->context->info.group);
}

static void record_end(struct torus_record *record)
{
	ssize_t written;

	record->line[record->used++] = '\n';
	written = write(record_fd, record->line, record->used);
	if (written != (ssize_t)record->used)
		record_error = written < 0 ? errno : ENOSPC;
}

/**
 * torus_record_attach() - a context goes by a clock from now on
 * @context: the context
 * @priority: it has asked for the right to inject priority packets
 *
 * Return: 0; a negative errno where the file that was asked for cannot be written.
 */
int torus_record_attach(struct torus_context *context, bool priority)
{
	const char *name = secure_getenv(VARIABLE);
	const struct torus_ioc_info *info = &context->info;
	struct torus_record *record;

	if (!name)
		return 0;
	record = malloc(sizeof(*record) + WORDS_MAX +
			2 * (size_t)info->packet_chunks_max * info->chunk_bytes);
	if (!record)
		return torus_error_set(-ENOMEM, "no memory for " VARIABLE);
	*record = (struct torus_record){ .context = context };
	context->record = record;
	pthread_mutex_lock(&records_lock);
	record->next = records;
	records = record;
	if (record_fd < 0) {
		record_fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		record_error = record_fd < 0 ? errno : 0;
	}
	if (!record_error) {
		record_begin_group(record, "attach");
		record_add(record, " inject %u receive %u%s", info->inject_chunks,
			   info->receive_chunks, priority ? " priority" : "");
		record_end(record);
	}
	pthread_mutex_unlock(&records_lock);
	return torus_record_check();
}

/**
 * torus_record_check() - has everything been written?
 *
 * Return: 0 or a negative errno.
 */
int torus_record_check(void)
{
	if (!record_error)
		return 0;
	return torus_error_set(-record_error, VARIABLE "=%s: %s", getenv(VARIABLE),
			       strerror(record_error));
}

static void record_packet(struct torus_record *record, unsigned int fifo, __u32 index,
			  unsigned int chunks)
{
	static const char digits[] = "0123456789abcdef";
	const struct torus_inject_fifo *from = &record->context->inject[fifo];
	size_t chunk = record->context->info.chunk_bytes, size = from->chunks * chunk, i;

	record_begin_group(record, "inject");
	record_add(record, " %u %llu ", fifo, from->stamps[index & (from->chunks - 1)]);
	for (i = 0; i < chunks * chunk; i++) {
		unsigned char byte = from->ring[(index * chunk + i) & (size - 1)];

		record->line[record->used++] = digits[byte >> 4];
		record->line[record->used++] = digits[byte & 15];
	}
	record_end(record);
}

/**
 * torus_record_inject() - packets in an injection ring are about to be shown to the kernel
 * @context: the context
 * @fifo: number of the FIFO
 */
void torus_record_inject(const struct torus_context *context, unsigned int fifo)
{
	const struct torus_inject_fifo *from = &context->inject[fifo];
	unsigned int chunks;
	__u32 index;

	if (!context->record)
		return;
	for (index = from->published; index != from->tail; index += chunks) {
		chunks = torus_packet_chunks(context, from->ring + (index & (from->chunks - 1)) *
					     (size_t)context->info.chunk_bytes);
		/* what the kernel refuses may have any length (torus_inject_raw()) */
		if (!chunks || chunks > context->info.packet_chunks_max ||
		    chunks > from->tail - index)
			return;
		record_packet(context->record, fifo, index, chunks);
	}
}

static void record_reads(struct torus_record *record, __u64 now)
{
	const struct torus_context *context = record->context;
	unsigned int i;

	for (i = 0; i < context->info.receive_fifos; i++) {
		__u32 head = context->receive[i].published;

		if (record->read[i] == head)
			continue;
		record->read[i] = head;
		record_begin_group(record, "read");
		record_add(record, " %u %llu %u", i, now, head);
		record_end(record);
	}
}

/**
 * torus_record_look() - this process looks: what its contexts have read is known from here on
 * @context: one of them
 */
void torus_record_look(const struct torus_context *context)
{
	struct torus_record *record;

	if (!context->record)
		return;
	pthread_mutex_lock(&records_lock);
	for (record = records; record; record = record->next)
		if (record->context->clock == context->clock)
			record_reads(record, context->clock->now);
	pthread_mutex_unlock(&records_lock);
}

/**
 * torus_record_detach() - a context goes
 * @context: the context
 * @last: it is the last of its clock: the program leaves
 */
void torus_record_detach(struct torus_context *context, bool last)
{
	struct torus_record *record = context->record, **at;

	if (!record)
		return;
	pthread_mutex_lock(&records_lock);
	for (at = &records; *at != record; at = &(*at)->next)
		;
	*at = record->next;
	if (last && !torus_context_forked(context)) {
		record_begin(record, "leave");
		record_add(record, " %llu", context->clock->now);
		record_end(record);
	}
	pthread_mutex_unlock(&records_lock);
	free(record);
	context->record = NULL;
}

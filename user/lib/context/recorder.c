// SPDX-License-Identifier: GPL-2.0
/*
 * Record the actions of a program in virtual time for `torus-sim rerun`: the FIFO groups that it
 * attaches to, the packets that it injects and when, the packets that it has read at each poll, and
 * when it leaves.
 *
 * TORUS_RECORD in the environment names the file, which all processes of a run share.  Each line is
 * appended by one write(2).
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
#define WORDS_MAX	128	/* bytes of a line without those of the packet */

/**
 * struct torus_record - recorder state of a context
 * @next: recorder state of another context of this process
 * @context: the context
 * @read: number of chunks read from each reception FIFO, at the last record
 * @used: bytes in @line
 * @line: buffer for one line, large enough for the longest packet
 */
struct torus_record {
	struct torus_record *next;
	const struct torus_context *context;
	uint32_t read[TORUS_RECEIVE_MAX];
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

/* Start a line with the process id and a keyword. */
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
 * torus_record_attach() - record that a context was attached
 * @context: the context
 * @priority: the context has the right to inject priority packets
 *
 * Does nothing without TORUS_RECORD.  The first call opens the file.
 *
 * Return: 0, -ENOMEM, or a negative errno if the file cannot be written.
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
		return torus_error_set(-ENOMEM, VARIABLE "=%s: out of memory", name);
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
 * torus_record_check() - check whether all lines were written
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

static void record_packet(struct torus_record *record, unsigned int fifo, uint32_t index,
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
 * torus_record_inject() - record the packets that are about to be published
 * @context: the context
 * @fifo: number of the injection FIFO
 */
void torus_record_inject(const struct torus_context *context, unsigned int fifo)
{
	const struct torus_inject_fifo *from = &context->inject[fifo];
	unsigned int chunks;
	uint32_t index;

	if (!context->record)
		return;
	for (index = from->published; index != from->tail; index += chunks) {
		chunks = torus_packet_chunks(context, from->ring + (index & (from->chunks - 1)) *
					     (size_t)context->info.chunk_bytes);
		/*
		 * torus_inject_raw() may have written a header with an invalid length, which the
		 * kernel rejects
		 */
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
		uint32_t head = context->receive[i].published;

		if (record->read[i] == head)
			continue;
		record->read[i] = head;
		record_begin_group(record, "read");
		record_add(record, " %u %llu %u", i, now, head);
		record_end(record);
	}
}

/**
 * torus_record_look() - record the packets that this process has read before a poll
 * @context: a context; all contexts with its clock are recorded
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
 * torus_record_detach() - free the recorder state of a context
 * @context: the context
 * @last: the context is the last one that uses its clock: record that the program leaves virtual
 *        time
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

// SPDX-License-Identifier: GPL-2.0
/* Memory of messages that are received, and the account of it. */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "job.h"
#include "memory.h"

#define SPARE_MAX	4096	/* bytes of a message that is kept for the next */

static void message_free(struct message *message)
{
	free(message->seen);
	free(message->data);
	free(message);
}

/**
 * torus_message_free() - free a message that is in no list
 * @job: the job
 * @message: the message; its data may have been taken out
 */
void torus_message_free(struct torus_job *job, struct message *message)
{
	job->counts.memory -= message->memory;
	if (!job->spare && message->data && !message->seen && message->room <= SPARE_MAX) {
		job->spare = message;
		return;
	}
	message_free(message);
}

/**
 * torus_memory_close() - free what was kept for the next message
 * @job: the job
 */
void torus_memory_close(struct torus_job *job)
{
	if (job->spare)
		message_free(job->spare);
	job->spare = NULL;
}

/**
 * torus_memory_account() - account for bytes that are to wait until they are asked for
 * @job: the job
 * @bytes: their number
 * @always: do so beyond memory_max, too
 *
 * Return: 0, or -ENOBUFS when memory_max does not allow it.
 */
int torus_memory_account(struct torus_job *job, __u64 bytes, bool always)
{
	/* One message there may always be, or length_max would not be true. */
	if (!always && job->counts.memory && job->counts.memory + bytes > job->config.memory_max)
		return torus_error_set(-ENOBUFS,
				       "%llu bytes of messages wait to be taken, %llu more would "
				       "exceed memory_max %llu",
				       job->counts.memory, bytes, job->config.memory_max);
	job->counts.memory += bytes;
	if (job->counts.memory_peak < job->counts.memory)
		job->counts.memory_peak = job->counts.memory;
	return 0;
}

/* The last one that was freed, if it has the room: whoever answers takes a message at a time. */
static struct message *message_again(struct torus_job *job, size_t room, __u32 packets)
{
	struct message *message = job->spare;

	if (!message || packets > 1 || message->room < room)
		return NULL;
	job->spare = NULL;
	*message = (struct message){ .room = message->room, .data = message->data };
	return message;
}

/* A message without memory for its bytes; accounted for by the caller. */
static struct message *message_bare(__u32 packets)
{
	struct message *message = calloc(1, sizeof(*message));

	if (!message || packets < 2)
		return message;
	message->seen = calloc((packets + 7ull) / 8, 1);
	if (message->seen)
		return message;
	free(message);
	return NULL;
}

/**
 * torus_message_new() - allocate and account for a message that is received
 * @job: the job
 * @length: its bytes
 * @packets: its packets
 * @place: where it is put together; NULL: in memory of its own
 * @always: beyond memory_max, too
 * @new: out: in no list
 *
 * Return: 0 or -ENOBUFS.
 */
int torus_message_new(struct torus_job *job, __u32 length, __u32 packets, unsigned char *place,
		      bool always, struct message **new)
{
	size_t room = length ? length : 1;
	struct message *message;
	__u64 memory = sizeof(*message) + (place ? 0 : (__u64)length);
	int ret;

	ret = torus_memory_account(job, memory, always);
	if (ret)
		return ret;
	message = place ? NULL : message_again(job, room, packets);
	if (!message)
		message = message_bare(packets);
	if (message && !place && !message->data) {
		message->data = malloc(room);
		message->room = room;
	}
	if (!message || (!place && !message->data)) {
		job->counts.memory -= memory;
		if (message)
			message_free(message);
		return torus_error_set(-ENOBUFS, "no memory for a message of %u bytes", length);
	}
	message->memory = memory;
	message->bytes = place ? place : message->data;
	message->length = length;
	message->missing = packets;
	*new = message;
	return 0;
}

/**
 * torus_message_own() - give a message in a receive's buffer memory of its own
 * @job: the job
 * @message: the message; @message->bytes stay where they are
 *
 * Return: true if @message->data is there.
 */
bool torus_message_own(struct torus_job *job, struct message *message)
{
	if (message->data)
		return true;
	message->data = malloc(message->length ? message->length : 1);
	if (!message->data)
		return false;
	message->room = message->length;
	message->memory += message->length;
	torus_memory_account(job, message->length, true);
	return true;
}

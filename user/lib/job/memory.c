// SPDX-License-Identifier: GPL-2.0
/* Allocate received messages, and account for their memory. */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "job.h"
#include "memory.h"

#define SPARE_MAX	4096	/* largest message buffer kept for reuse, in bytes */

static void message_free(struct message *message)
{
	free(message->seen);
	free(message->data);
	free(message);
}

/**
 * torus_message_free() - free a message that is in no list
 * @job: the job
 * @message: the message; its data may be NULL
 */
void torus_message_free(struct torus_job *job, struct message *message)
{
	job->counts.memory -= message->memory;
	if (!job->spare && message->data && !message->seen && message->data_size <= SPARE_MAX) {
		job->spare = message;
		return;
	}
	message_free(message);
}

/**
 * torus_memory_close() - free the message kept for reuse
 * @job: the job
 */
void torus_memory_close(struct torus_job *job)
{
	if (job->spare)
		message_free(job->spare);
	job->spare = NULL;
}

/**
 * torus_memory_account() - count memory of messages that the program has not taken yet, of early
 *                          broadcasts, or of packets to be forwarded
 * @job: the job
 * @bytes: number of bytes
 * @always: account for them even beyond memory_max
 *
 * Return: 0, or -ENOBUFS if memory_max is exceeded.
 */
int torus_memory_account(struct torus_job *job, __u64 bytes, bool always)
{
	/*
	 * Allow any message if no other is in memory.  Otherwise a message longer than memory_max
	 * could not be received.
	 */
	if (!always && job->counts.memory && job->counts.memory + bytes > job->config.memory_max)
		return torus_error_set(-ENOBUFS,
				       "%llu bytes of received messages are stored, %llu more "
				       "would exceed memory_max %llu",
				       job->counts.memory, bytes, job->config.memory_max);
	job->counts.memory += bytes;
	if (job->counts.memory_peak < job->counts.memory)
		job->counts.memory_peak = job->counts.memory;
	return 0;
}

/*
 * Reuse the message kept for reuse, if it is large enough.  This avoids allocations in a program
 * that takes one message at a time, such as a server.
 */
static struct message *message_again(struct torus_job *job, size_t size, uint32_t packets)
{
	struct message *message = job->spare;

	if (!message || packets > 1 || message->data_size < size)
		return NULL;
	job->spare = NULL;
	*message = (struct message){ .data_size = message->data_size, .data = message->data };
	return message;
}

/* Allocate a message without memory for its bytes.  The caller counts its memory. */
static struct message *message_bare(uint32_t packets)
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
 * @length: length of the message in bytes
 * @packets: number of its packets
 * @place: destination of its packets; NULL: allocate memory for them
 * @always: allocate it even beyond memory_max
 * @new: [out] the message, in no list
 *
 * Return: 0 or -ENOBUFS.
 */
int torus_message_new(struct torus_job *job, uint32_t length, uint32_t packets,
		      unsigned char *place, bool always, struct message **new)
{
	size_t size = length ? length : 1;
	struct message *message;
	__u64 memory = sizeof(*message) + (place ? 0 : (__u64)length);
	int ret;

	ret = torus_memory_account(job, memory, always);
	if (ret)
		return ret;
	message = place ? NULL : message_again(job, size, packets);
	if (!message)
		message = message_bare(packets);
	if (message && !place && !message->data) {
		message->data = malloc(size);
		message->data_size = size;
	}
	if (!message || (!place && !message->data)) {
		job->counts.memory -= memory;
		if (message)
			message_free(message);
		return torus_error_set(-ENOBUFS, "out of memory for a message of %u bytes", length);
	}
	message->memory = memory;
	message->bytes = place ? place : message->data;
	message->length = length;
	message->missing = packets;
	*new = message;
	return 0;
}

/**
 * torus_message_own() - allocate memory for the bytes of a message that is in a receive's buffer
 * @job: the job
 * @message: the message; @message->bytes is not changed
 *
 * Return: true if @message->data is allocated.
 */
bool torus_message_own(struct torus_job *job, struct message *message)
{
	if (message->data)
		return true;
	message->data = malloc(message->length ? message->length : 1);
	if (!message->data)
		return false;
	message->data_size = message->length;
	message->memory += message->length;
	torus_memory_account(job, message->length, true);
	return true;
}

// SPDX-License-Identifier: GPL-2.0
/* Receive one part from each of many ranks directly into one buffer, for gather and all-to-all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../job/job.h"
#include "../job/memory.h"
#include "../job/message.h"
#include "../job/posted_receive.h"
#include "../job/reassembly.h"
#include "parts.h"

/*
 * Take the part of one rank out of the ready list.  Copy the part to its place in the buffer,
 * unless its packets went there directly.  Return: 0, or an error whose text names the rank.
 */
static int part_take(struct torus_job *job, struct posted_receive *posted, const char *what,
		     struct message *message)
{
	unsigned char *place = posted->data + (size_t)message->source * posted->size;
	int ret = message->error;

	if (ret)
		torus_error_set(ret, "%s: message %u from rank %u was damaged or lost", what,
				message->number, message->source);
	else if (message->length != posted->size)
		ret = torus_error_set(-EMSGSIZE, "%s: rank %u sends %u bytes, not %u", what,
				      message->source, message->length, posted->size);
	else if (posted->parts[message->source] == PART_NONE)
		ret = torus_error_set(-EBADMSG, "%s: rank %u has sent its part twice", what,
				      message->source);
	else if (posted->size && message->bytes != place)
		memcpy(place, message->bytes, posted->size);
	posted->parts[message->source] = PART_NONE;
	torus_message_taken(job, message);
	torus_message_free(job, message);
	return ret;
}

/**
 * torus_parts_receive() - wait for one message from each of many ranks
 * @job: the job
 * @kind: KIND_*, without flags
 * @tag: tag of the messages
 * @what: name of the collective operation, for error texts
 * @data: [out] @bytes bytes of each rank, by rank
 * @bytes: length of each message
 * @ranks: array of @count ranks, without this one
 * @count: number of ranks
 * @timeout_ms: limit for each message in milliseconds; -1: no limit
 *
 * Parts of several packets that arrive during the call go directly to @data; others wait in memory.
 *
 * Return: as torus_gather().
 */
int torus_parts_receive(struct torus_job *job, unsigned int kind, uint32_t tag, const char *what,
			void *data, uint32_t bytes, const uint32_t *ranks, uint32_t count,
			int timeout_ms)
{
	struct posted_receive posted = {
		.kind = kind, .source = TORUS_MESSAGE_ANY, .tag = tag, .data = data, .size = bytes,
		.parts = calloc(job->config.count, 1),
	};
	struct message *message;
	uint32_t i;
	int ret = 0;

	if (!posted.parts)
		return torus_error_set(-ENOMEM, "%s: out of memory for %u ranks", what,
				       job->config.count);
	for (i = 0; i < count; i++)
		posted.parts[ranks[i]] = PART_MISSING;
	torus_posted_begin(job, &posted);
	for (i = 0; !ret && i < count; i++) {
		ret = torus_message_find(job, kind, TORUS_MESSAGE_ANY, tag, &message, timeout_ms);
		if (!ret)
			ret = part_take(job, &posted, what, message);
	}
	torus_posted_end(job, NULL);
	free(posted.parts);
	return ret;
}

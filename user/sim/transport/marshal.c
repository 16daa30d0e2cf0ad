// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers for processes that divide the points of a sweep or figure among them: the assignment of
 * points to processes, and buffers for serialized results.
 */
#include <stdlib.h>
#include <string.h>

#include "marshal.h"
#include "procs.h"

/**
 * sim_point_is_local - check whether this process simulates a point
 * @number: number of the point
 *
 * Return: true if it does; always true if there is one process.
 */
bool sim_point_is_local(u32 number)
{
	struct torus_procs *ranks = sim_procs();

	return !ranks || number % ranks->count == ranks->self;
}

/**
 * sim_buffer_add - append bytes to a buffer
 * @buffer: the buffer, whose data the caller frees; its @failed is set if memory runs out
 * @data: the bytes
 * @bytes: number of bytes
 */
void sim_buffer_add(struct sim_buffer *buffer, const void *data, size_t bytes)
{
	char *more = buffer->data;

	if (buffer->used + bytes > buffer->capacity) {
		buffer->capacity = 2 * (buffer->used + bytes);
		more = realloc(buffer->data, buffer->capacity);
	}
	if (!more || !bytes) {
		buffer->failed |= !more;
		return;
	}
	buffer->data = more;
	memcpy(buffer->data + buffer->used, data, bytes);
	buffer->used += bytes;
}

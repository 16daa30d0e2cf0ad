/* SPDX-License-Identifier: GPL-2.0 */
/* Assign the points of a sweep or figure to processes, and serialize their results in buffers. */
#ifndef TORUS_SIM_TRANSPORT_MARSHAL_H
#define TORUS_SIM_TRANSPORT_MARSHAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/platform.h"

/**
 * struct sim_buffer - bytes that one process sends to another
 * @data: the bytes
 * @used: number of bytes
 * @capacity: size of @data
 * @failed: memory ran out, and some bytes are missing
 */
struct sim_buffer {
	char *data;
	size_t used;
	size_t capacity;
	bool failed;
};

bool sim_point_is_local(u32 number);
void sim_buffer_add(struct sim_buffer *buffer, const void *data, size_t bytes);

#endif /* TORUS_SIM_TRANSPORT_MARSHAL_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Packets between two marks of a capture, sorted. */
#ifndef TORUS_CAPTURE_SORT_H
#define TORUS_CAPTURE_SORT_H

#include "capture.h"

bool capture_batch_add(struct capture_batch *batch, const struct torus_capture_record *record);
void capture_batch_sort(struct capture_batch *batch);
const struct torus_wire *capture_batch_packet(const struct capture_batch *batch, size_t i,
					      const uint8_t **bytes, uint32_t *captured);
void capture_batch_clear(struct capture_batch *batch);
void capture_batch_free(struct capture_batch *batch);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Write captured packets to a pcapng file. */
#ifndef TORUS_CAPTURE_WRITE_H
#define TORUS_CAPTURE_WRITE_H

#include "capture.h"

void capture_begin(struct capture_writer *writer, FILE *out, const struct capture_fabric *fabric);
void capture_write(struct capture_writer *writer, const struct capture_packet *packet);
void capture_lose(struct capture_writer *writer, uint64_t packets);
void capture_end(struct capture_writer *writer);
uint64_t capture_ns(uint64_t tick_fs, uint64_t ticks);

#endif

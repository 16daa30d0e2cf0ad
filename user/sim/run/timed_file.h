/* SPDX-License-Identifier: GPL-2.0 */
/* Read the file of --pattern timed:FILE. */
#ifndef TORUS_SIM_TIMED_FILE_H
#define TORUS_SIM_TIMED_FILE_H

#include <stddef.h>

#include <zlib.h>

#include "core/run/fabric.h"
#include "core/workload/timed.h"

/**
 * struct sim_timed_file - a file of packets that is read as a stream
 * @name: name of the file; "-" is standard input
 * @fabric: the fabric that has the nodes
 * @in: the file, which may be compressed; NULL: not open
 * @buffer: bytes that were read, and a byte for a NUL after them
 * @at: offset in @buffer of the first byte that was not parsed
 * @end: number of bytes in @buffer
 * @line: number of the last line
 * @tick: tick of the last packet
 */
struct sim_timed_file {
	const char *name;
	const struct torus_fabric *fabric;
	gzFile in;
	char *buffer;
	size_t at;
	size_t end;
	u64 line;
	u64 tick;
};

int sim_timed_file_open(struct sim_timed_file *file, const char *name,
			const struct torus_fabric *fabric);
void sim_timed_file_close(struct sim_timed_file *file);
int sim_timed_file_next(struct sim_timed_file *file, u32 *node, struct torus_timed_packet *packet,
			bool *found);
double sim_timed_file_share(const struct sim_timed_file *file);

#endif /* TORUS_SIM_TIMED_FILE_H */

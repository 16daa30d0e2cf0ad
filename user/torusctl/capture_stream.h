/* SPDX-License-Identifier: GPL-2.0 */
/* Records of a capture that are read from the module. */
#ifndef TORUS_TORUSCTL_CAPTURE_STREAM_H
#define TORUS_TORUSCTL_CAPTURE_STREAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/torus.h>

#include "../config/ctl.h"

/**
 * struct capture_stream - records that the module makes
 * @ctl: the call
 * @fabric: name of the fabric
 * @fd: descriptor from which the records are read
 * @buffer: size of the module's buffer in bytes
 * @records: buffer for a read from @fd
 * @outside: signal mask while the stream waits for records
 * @out: file to which the records are written
 * @file: its name; "-" is standard output
 * @one: process a record; returns CTL_OK or CTL_FAILED
 * @full: no more records are wanted; set by @one
 */
struct capture_stream {
	struct ctl *ctl;
	const char *fabric;
	int fd;
	uint32_t buffer;
	uint8_t *records;
	sigset_t outside;
	FILE *out;
	const char *file;
	int (*one)(struct capture_stream *stream, const struct torus_capture_record *record);
	bool full;
};

int capture_stream_open(struct capture_stream *stream, struct torus_ioc_capture *request);
int capture_stream_read(struct capture_stream *stream);
int capture_stream_close(struct capture_stream *stream);
void capture_stream_report(const struct capture_stream *stream, const char *what, uint64_t count,
			   uint64_t lost);

#endif

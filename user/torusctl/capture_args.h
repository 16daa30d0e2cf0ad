/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of torusctl capture and torusctl record. */
#ifndef TORUS_TORUSCTL_CAPTURE_ARGS_H
#define TORUS_TORUSCTL_CAPTURE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/torus.h>

#include "../config/args.h"
#include "../config/ctl.h"
#include "../config/target.h"
#include "../parse/node.h"

/**
 * struct capture_args - the selected packets and the output
 * @target: the fabric, and the links or nodes to record
 * @ends: source and destination of the packets to record
 * @has: by end: true if the source or the destination was given
 * @count: number of packets after which a capture ends; 0: no limit
 * @bytes: maximum number of bytes to capture of each packet; 0: all bytes
 * @buffer: size of the module's buffer in bytes; 0: the default size
 * @file: name of the file, "-" is standard output
 */
struct capture_args {
	struct target target;
	struct parse_place ends[2];
	bool has[2];
	__u64 count;
	uint32_t bytes;
	uint32_t buffer;
	const char *file;
};

int capture_args_parse(struct ctl *ctl, struct ctl_args *args, bool events,
		       struct capture_args *asked);
int capture_args_request(struct ctl *ctl, const struct capture_args *asked,
			 struct torus_ioc_capture *request);

#endif

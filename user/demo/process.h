/* SPDX-License-Identifier: GPL-2.0 */
/* The process at a node: attach, run the phases, and count verified messages. */
#ifndef TORUS_DEMO_PROCESS_H
#define TORUS_DEMO_PROCESS_H

#include "demo.h"

void process_fail(struct process *process, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
void process_must(struct process *process, int ret, const char *what);
void *process_prepare(struct process *process, __u32 dest, __u32 id, __u32 length);
void process_expect(struct process *process, long long source, __s64 tag, __u32 length,
		    struct torus_message_info *info);
void process_run(__u32 rank, __u32 node, __u32 count) __attribute__((noreturn));

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The process at a node: attach, run the phases, and count verified messages. */
#ifndef TORUS_DEMO_PROCESS_H
#define TORUS_DEMO_PROCESS_H

#include <stdint.h>

#include "demo.h"

void process_fail(struct process *process, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
void process_must(struct process *process, int ret, const char *what);
void *process_prepare(struct process *process, uint32_t dest, uint32_t id, uint32_t length);
void process_expect(struct process *process, long long source, __s64 tag, uint32_t length,
		    struct torus_message_info *info);
void process_run(uint32_t rank, uint32_t node, uint32_t count) __attribute__((noreturn));

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Programs that own FIFO groups of a fabric, or have barrier gates. */
#ifndef TORUS_NL_CONTEXT_H
#define TORUS_NL_CONTEXT_H

#include "session.h"

#define TORUS_NL_COMMAND_MAX	16	/* maximum bytes of a process name, with NUL */

/* value of @group for a program that has barrier gates instead of a FIFO group */
#define TORUS_NL_GATES		UINT32_MAX

/**
 * struct torus_nl_context - a program that owns a FIFO group, or has barrier gates
 * @node: number of the node
 * @group: number of the FIFO group, or TORUS_NL_GATES
 * @uid: user of the program
 * @pid: process ID; 0 if the process has none in this PID namespace
 * @command: name of the process or driver
 * @driver: the owner is a driver of the kernel, and has no process ID
 * @lost: number of notices that did not fit into the program's notice ring
 */
struct torus_nl_context {
	uint32_t node;
	uint32_t group;
	uint32_t uid;
	uint32_t pid;
	char command[TORUS_NL_COMMAND_MAX];
	bool driver;
	uint64_t lost;
};

int torus_nl_context_read(const struct torus_nl_reply *reply, void *item);
int torus_nl_context_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
			  struct torus_nl_context **contexts, size_t *count);

#endif /* TORUS_NL_CONTEXT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The programs that hold FIFO groups of a fabric, or have barrier gates. */
#ifndef TORUS_NL_CONTEXT_H
#define TORUS_NL_CONTEXT_H

#include "session.h"

#define TORUS_NL_COMMAND_MAX	16	/* bytes that hold what a process is called */

#define TORUS_NL_GATES		UINT32_MAX	/* no FIFO group, but barrier gates */

/**
 * struct torus_nl_context - a program that holds a FIFO group, or has gates
 * @node: number of the node
 * @group: the group, or TORUS_NL_GATES
 * @uid: who it acts for
 * @pid: its number; 0 when it is none of this PID namespace
 * @command: what it is called
 */
struct torus_nl_context {
	uint32_t node;
	uint32_t group;
	uint32_t uid;
	uint32_t pid;
	char command[TORUS_NL_COMMAND_MAX];
};

int torus_nl_context_read(const struct torus_nl_reply *reply, void *item);
int torus_nl_context_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
			  struct torus_nl_context **contexts, size_t *count);

#endif /* TORUS_NL_CONTEXT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The watchdog: tells a fabric that waits for a reader, or for a link that is
 * down, from one that is deadlocked, and names the cycle of waiting VCs.
 */
#ifndef TORUS_CORE_WATCHDOG_H
#define TORUS_CORE_WATCHDOG_H

#include "core/env.h"

struct torus_fabric;

enum torus_verdict {
	TORUS_VERDICT_ALIVE,		/* every head can still move some day */
	TORUS_VERDICT_WAITING,		/* only readers or downed links hold it up */
	TORUS_VERDICT_DEADLOCK,
};

/**
 * struct torus_cycle - a cycle of waiting VC buffers
 * @length: buffers in the cycle
 * @stuck: buffers that can never move, the cycle's among them
 * @text: the cycle in words: "0,0,0 x+ BN > 1,0,0 x+ BN > ..."
 */
struct torus_cycle {
	u32 length;
	u32 stuck;
	char text[1024];
};

/**
 * torus_watchdog_check() - analyse who waits for whom
 * @f: the fabric, held
 * @cycle: filled in on deadlock; may be NULL
 *
 * A buffer is stuck when its head is blocked and every alternative it has leads
 * into a buffer that is stuck as well (the rest can move: a knot in the
 * wait-for graph, the alternatives being an OR).
 *
 * Return: enum torus_verdict, or -ENOMEM.
 */
int torus_watchdog_check(struct torus_fabric *f, struct torus_cycle *cycle);

#endif

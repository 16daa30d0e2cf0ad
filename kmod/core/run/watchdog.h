/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The watchdog distinguishes a deadlocked fabric from one that waits for a reader or for a link
 * that is down, and names the cycle of waiting VCs.
 */
#ifndef TORUS_CORE_WATCHDOG_H
#define TORUS_CORE_WATCHDOG_H

#include "core/platform.h"

struct torus_fabric;

enum torus_verdict {
	TORUS_VERDICT_ALIVE,		/* each head can move eventually */
	/* no event is pending: packets wait for example for readers, or for links that are down */
	TORUS_VERDICT_WAITING,
	TORUS_VERDICT_DEADLOCK,
};

/**
 * struct torus_cycle - a cycle of waiting VC buffers
 * @length: number of buffers in the cycle
 * @stuck: number of buffers that can never move, including those of the cycle
 * @text: the cycle as text, truncated if it is longer: "0,0,0 x+ BN > 1,0,0 x+ BN > ..."
 */
struct torus_cycle {
	u32 length;
	u32 stuck;
	char text[1024];
};

/**
 * torus_watchdog_check() - find buffers that can never move
 * @f: the fabric; no run may be in progress
 * @cycle: [out] the cycle, on deadlock; may be NULL
 *
 * A buffer is stuck if its head is blocked and each of its alternatives leads into a stuck buffer.
 * All others can move. (The stuck buffers are a knot in the wait-for graph, in which the
 * alternatives of a head are an OR.)
 *
 * Return: enum torus_verdict, or -ENOMEM.
 */
int torus_watchdog_check(struct torus_fabric *f, struct torus_cycle *cycle);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The closed form of a short put's latency on a Tofu without other traffic: 0.91 us over one
 * hop, which Fujitsu published after Ajima et al. (2009).  The tests of the core and of the
 * device compare the engines with it.
 *
 * From the tick in which the engine takes the command to the tick in which the notice of it
 * reaches the other program: engine_delay and memory_delay, the head from node to node, and the
 * packet's 64 bytes into memory, four a tick.  The answer comes back the same way, and its
 * engine has no memory to read.  A tick is 0.8 ns.
 */
#ifndef TORUS_TOFU_LATENCY_H
#define TORUS_TOFU_LATENCY_H

#define TOFU_LATENCY_HOP	125u	/* ticks per hop */
#define TOFU_LATENCY_DELAYS	996u	/* engine_delay + memory_delay in ticks */
#define TOFU_LATENCY_PACKET	16u	/* ticks of a packet of 64 bytes on a link */
#define TOFU_LATENCY_ANSWER	498u	/* ticks until the remote engine sends its reply */

static inline unsigned int tofu_latency_there(unsigned int hops)
{
	return TOFU_LATENCY_DELAYS + hops * TOFU_LATENCY_HOP + TOFU_LATENCY_PACKET;
}

static inline unsigned int tofu_latency_back(unsigned int hops)
{
	return TOFU_LATENCY_ANSWER + hops * TOFU_LATENCY_HOP + TOFU_LATENCY_PACKET;
}

#endif /* TORUS_TOFU_LATENCY_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The closed form of a short put's latency on a Tofu without other traffic: 0.91 us over one
 * hop, which Fujitsu published after Ajima et al. (2009). The tests of the core and of the device
 * compare the engines with it.
 *
 * The latency starts in the tick in which the engine takes the command. It ends in the tick in
 * which the notice reaches the other program. It is the sum of engine_delay, memory_delay, the
 * latency of each hop, and the packet's 64 bytes into memory at four bytes a tick. The reply takes
 * the same path back, and its engine has no memory to read. A tick is 0.8 ns.
 */
#ifndef TORUS_TOFU_LATENCY_H
#define TORUS_TOFU_LATENCY_H

#define TOFU_LATENCY_HOP	125u	/* ticks per hop */
#define TOFU_LATENCY_DELAYS	996u	/* engine_delay + memory_delay in ticks */
#define TOFU_LATENCY_PACKET	16u	/* ticks of a packet of 64 bytes into memory */
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

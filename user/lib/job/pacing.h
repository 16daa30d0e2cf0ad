/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Injection pacing.
 *
 * "Appropriate injection flow-control software algorithms can reduce VC buffer
 * blocking and achieve a performance closer to peak": on an asymmetric torus the
 * links of the longest dimension saturate first, and packets that wait for them fill
 * the buffers in front of the others.  So a rank injects no faster than the
 * longest dimension carries.
 *
 * At the peak of an all-to-all, on N nodes of which each sends a packet that takes a link
 * w ticks to every other, the busiest link of a dimension of length L is crossed by
 * floor(L^2 / 4) / (2 L) * N / (N - 1) packets for each packet that a node injects, twice
 * as many in a mesh (its middle).  So a packet takes w times that many ticks, of the
 * dimension where it is most: this is what pacing 1000 allows.
 *
 * A bucket counts ticks of the fabric's clock, as the status page shows it, and each
 * packet takes its ticks out; it holds PACE_BURST full packets' worth, so that
 * a rank which was late does not make up for it all at once.
 *
 * A free-running engine's clock moves with events only, so waiting for it must not
 * be what stops the events.  When the network has come to rest the engine asks for a
 * doorbell (TORUS_STATUS_DOORBELL).  Then nothing is on its way that could be
 * held up, and the bucket is filled at once.  So a rank that waits sees either
 * the clock move or the engine sleep, and every pacing comes to its end.
 */
#ifndef TORUS_LIB_PACING_H
#define TORUS_LIB_PACING_H

#include <torus/torus.h>

#define PACE_BURST	16	/* full packets that may go at once */

/**
 * struct pace - a bucket of ticks; all zero: no limit
 * @cost: what a tick of a packet on the link takes out
 * @gain: what a tick puts in; 0: no limit
 * @most: what it holds
 * @level: what is in it
 * @clock: of the fabric, when it was last filled
 * @chunk_ticks: in which a chunk passes a link
 * @wire_ticks: that a packet takes there beside its chunks
 *
 * Cost and gain are both multiplied by the denominators of the rate.
 */
struct pace {
	__u64 cost;
	__u64 gain;
	__u64 most;
	__u64 level;
	__u64 clock;
	__u32 chunk_ticks;
	__u32 wire_ticks;
};

void torus_pace_set(struct pace *pace, const struct torus_context *context, __u32 pacing);
void torus_pace_refill(struct pace *pace, const struct torus_context *context);
bool torus_pace_ready(const struct pace *pace);
void torus_pace_spend(struct pace *pace, unsigned int chunks);

#endif /* TORUS_LIB_PACING_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limit the rate at which an all-to-all injects packets.
 *
 * "Appropriate injection flow-control software algorithms can reduce VC buffer blocking and achieve
 * a performance closer to peak" (Adiga et al. (2005), Alltoall): on an asymmetric torus the links
 * of the longest dimension saturate first, and packets waiting for them fill the buffers in front
 * of the other links.  So a rank injects no faster than the longest dimension transmits.
 *
 * Consider the peak of an all-to-all on N nodes.  Each node sends one packet, which takes a link w
 * ticks, to every other node.  Then for each packet that a node injects, floor(L^2 / 4) / (2 L) * N
 * / (N - 1) packets cross the busiest link of a dimension of length L; on a mesh, twice that number
 * of packets cross the link in the middle.  The injection of a packet therefore takes w times that
 * number of ticks, for the dimension where this product is greatest.  One packet in that time is
 * the rate of pacing 1000.
 *
 * A token bucket counts ticks of the fabric's clock, which the status page shows.  Each packet
 * takes its ticks out of the bucket.  The bucket holds the ticks of PACE_BURST full packets, so
 * that a rank that was late does not catch up all at once.
 *
 * The clock of a free-running engine advances only with events.  A rank that waits for the clock
 * injects nothing, so events may end.  Then the engine goes to sleep and requests a doorbell
 * (TORUS_STATUS_DOORBELL).  In that case no packet is under way that could be delayed, and the
 * bucket is filled at once.  So a waiting rank sees either the clock advance or the engine sleep,
 * and each pacing wait ends.
 */
#ifndef TORUS_LIB_PACING_H
#define TORUS_LIB_PACING_H

#include <torus/torus.h>
#include <stdint.h>

#define PACE_BURST	16	/* capacity of the bucket, in full packets */

/**
 * struct pace - token bucket of ticks; all members zero: no limit
 * @cost: tokens that a packet takes per tick on the link
 * @gain: tokens that the bucket gains per tick; 0: no limit
 * @most: capacity of the bucket in tokens
 * @level: tokens in the bucket
 * @clock: fabric's clock at the last refill
 * @chunk_ticks: ticks that a chunk occupies a link
 * @wire_ticks: ticks that a packet occupies a link in addition to its chunks
 *
 * Cost and gain are multiplied by the denominators of the rate, so that both are integers.
 */
struct pace {
	__u64 cost;
	__u64 gain;
	__u64 most;
	__u64 level;
	__u64 clock;
	uint32_t chunk_ticks;
	uint32_t wire_ticks;
};

void torus_pace_set(struct pace *pace, const struct torus_context *context, uint32_t pacing);
void torus_pace_refill(struct pace *pace, const struct torus_context *context);
bool torus_pace_ready(const struct pace *pace);
void torus_pace_spend(struct pace *pace, unsigned int chunks);

#endif /* TORUS_LIB_PACING_H */

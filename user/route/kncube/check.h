/* SPDX-License-Identifier: GPL-2.0 */
/* All pairs of a k-ary n-cube with finite buffers: who may wait for whom. */
#ifndef TORUS_USER_ROUTE_KNCUBE_CHECK_H
#define TORUS_USER_ROUTE_KNCUBE_CHECK_H

#include "../proof/proof.h"
#include "arch/kncube/way.h"

/**
 * struct kn_check - what a check found
 * @pairs: ordered pairs of different nodes
 * @stands: places where a packet of a pair may stand, by node and the channel it came over
 * @proof: who waits for whom
 * @came: work, by node: the channels over which packets come to it as their relay, a bit for
 *        each direction and VC
 * @seen: work, by channel: the last way that led over it
 * @stack: work: channels that are yet to be followed
 * @depth: their number
 * @way: number of the way that is followed
 */
struct kn_check {
	u64 pairs;
	u64 stands;
	struct proof proof;
	u64 *came;
	u32 *seen;
	struct proof_channel *stack;
	u32 depth;
	u32 way;
};

int kn_check_init(struct kn_check *check, const struct torus_geometry *g);
void kn_check_free(struct kn_check *check);
void kn_check_run(struct kn_check *check, const struct torus_geometry *g,
		  const struct kn_vcs *vcs);

#endif /* TORUS_USER_ROUTE_KNCUBE_CHECK_H */

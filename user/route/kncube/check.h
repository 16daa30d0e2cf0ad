/* SPDX-License-Identifier: GPL-2.0 */
/* Deadlock check of all pairs of a k-ary n-cube with finite buffers. */
#ifndef TORUS_USER_ROUTE_KNCUBE_CHECK_H
#define TORUS_USER_ROUTE_KNCUBE_CHECK_H

#include "../deadlock/cdg.h"
#include "arch/kncube/routing_rules.h"

/**
 * struct kncube_check - results of a check, and its scratch memory
 * @pairs: ordered pairs of different nodes
 * @stands: number of states of packets, summed over all searches. A state is a node and the channel
 *    by which the packet arrived, or the source without a channel
 * @cdg: graph of channels that wait for each other
 * @came: scratch, by node: channels over which packets arrive at the node if it is their relay, one
 *    bit per direction and VC
 * @seen: scratch, by channel: number of the last search that used the channel
 * @stack: scratch: channels to be followed
 * @depth: number of entries in @stack
 * @way: number of the current search
 */
struct kncube_check {
	u64 pairs;
	u64 stands;
	struct cdg cdg;
	u64 *came;
	u32 *seen;
	struct cdg_channel *stack;
	u32 depth;
	u32 way;
};

int kncube_check_init(struct kncube_check *check, const struct torus_geometry *g);
void kncube_check_free(struct kncube_check *check);
void kncube_check_run(struct kncube_check *check, const struct torus_geometry *g,
		      const struct kncube_vcs *vcs);

#endif /* TORUS_USER_ROUTE_KNCUBE_CHECK_H */

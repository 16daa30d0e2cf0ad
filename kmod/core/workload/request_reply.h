/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests and replies: each packet of a workload that is delivered makes its receiver send one
 * back.
 *
 * What keeps this free of protocol deadlock: a request is always sunk, whatever its receiver has
 * still to send.  The reply that it becomes waits in the node's memory, in the order in which
 * requests came, until an injection FIFO has room; and before the node's own requests.
 */
#ifndef TORUS_CORE_WORKLOAD_REQUEST_REPLY_H
#define TORUS_CORE_WORKLOAD_REQUEST_REPLY_H

#include "core/error.h"
#include "core/workload/workload.h"

/* Of a reply's sequence number; a request's does not count so far. */
#define TORUS_REPLY_SEQ		(1u << 31)

/**
 * struct torus_reply - what a node owes, and what is owed to it
 * @head: the first reply that waits, TORUS_NONE: none does
 * @tail: the last one
 * @made: requests received: replies sent, and those that wait
 * @sent: replies that have entered an injection FIFO
 * @asked: requests that have
 * @answered: replies received
 * @wake: tick of the last SOURCE event that was asked for
 */
struct torus_reply {
	u32 head;
	u32 tail;
	u64 made;
	u64 sent;
	u64 asked;
	u64 answered;
	u64 wake;
};

int torus_reply_check(struct torus_fabric *f, const struct torus_traffic *t,
		      struct torus_error *err);
int torus_reply_start(struct torus_fabric *f, struct torus_workload *w);
void torus_reply_stop(struct torus_fabric *f);
bool torus_reply_take(struct torus_domain *d, u32 node, u32 pkt);
u32 torus_reply_next(struct torus_domain *d, u32 node);

/* Has a node as many requests without an answer as it may? */
torus_inline bool torus_reply_full(const struct torus_workload *w, u32 node)
{
	const struct torus_reply *r;

	if (torus_likely(!w->traffic.outstanding))
		return false;
	r = &w->replies[node];
	return r->asked - r->answered >= w->traffic.outstanding;
}

#endif

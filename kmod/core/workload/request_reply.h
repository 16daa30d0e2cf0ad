/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests and replies: the receiver of each packet of a workload sends a packet back.
 *
 * No protocol deadlock is possible, because a node accepts requests even while its own packets
 * wait. The reply waits in the node's memory, in the order of the requests' arrival, until an
 * injection FIFO has space. Replies are injected before the node's own requests.
 */
#ifndef TORUS_CORE_WORKLOAD_REQUEST_REPLY_H
#define TORUS_CORE_WORKLOAD_REQUEST_REPLY_H

#include "core/error.h"
#include "core/workload/workload.h"

/* Flag in a sequence number: the packet is a reply. Sequence numbers of requests are below it. */
#define TORUS_REPLY_SEQ		(1u << 31)

/**
 * struct torus_reply - replies and outstanding requests of a node
 * @head: first reply that waits, TORUS_NONE if there is none
 * @tail: last reply that waits
 * @made: number of replies made, waiting or sent: one for each request received
 * @sent: number of replies that have entered an injection FIFO
 * @asked: number of requests that have entered an injection FIFO
 * @answered: number of replies received
 * @wake: tick of the last SOURCE event that was scheduled
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

/* Check whether a node has its maximum number of unanswered requests. */
torus_inline bool torus_reply_full(const struct torus_workload *w, u32 node)
{
	const struct torus_reply *r;

	if (torus_likely(!w->traffic.outstanding))
		return false;
	r = &w->replies[node];
	return r->asked - r->answered >= w->traffic.outstanding;
}

#endif

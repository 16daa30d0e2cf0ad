// SPDX-License-Identifier: GPL-2.0
/*
 * Replies that an engine has to send, in one queue for each requesting program.
 *
 * The programs are served round-robin, one packet each. No program therefore waits until all data
 * of another program's requests has been sent. A queue is dropped when its program leaves.
 */
#include "arch/tofu/engine.h"
#include "arch/tofu/send_queues.h"
#include "arch/tofu/replies.h"

/**
 * struct tofu_requester - a program for which replies of an engine wait
 *
 * @next: next program in the round-robin
 * @same: next program of the hash bucket
 * @node: index of the program's node
 * @group: the program's FIFO group
 * @flows: replies, in the order of the requests; @flows.open is the number of gets among them, and
 *   @flows.generation is the program's generation.
 *
 * It exists while replies wait.
 */
struct tofu_requester {
	struct tofu_requester *next;
	struct tofu_requester *same;
	u32 node;
	u32 group;
	struct tofu_flows flows;
};

static struct tofu_requester **requester_find(struct tofu_replies *replies, u32 node, u32 group)
{
	struct tofu_requester **at = &replies->bucket[node % TOFU_BUCKETS];

	while (*at && ((*at)->node != node || (*at)->group != group))
		at = &(*at)->same;
	return at;
}

/* Add a program at the end of the round-robin. */
static struct tofu_requester *requester_new(struct torus_domain *d, struct tofu_replies *replies,
					    u32 node, u32 group)
{
	struct tofu_requester *r = torus_grow(sizeof(*r));

	if (!r) {
		d->failed = true;
		return NULL;
	}
	r->node = node;
	r->group = group;
	r->next = replies->last ? replies->last->next : r;
	if (replies->last)
		replies->last->next = r;
	replies->last = r;
	r->same = replies->bucket[node % TOFU_BUCKETS];
	replies->bucket[node % TOFU_BUCKETS] = r;
	return r;
}

/* Free the program that is next in the round-robin, with its replies. */
static void requester_drop(struct tofu_replies *replies)
{
	struct tofu_requester *r = replies->last->next;

	if (r == replies->last)
		replies->last = NULL;
	else
		replies->last->next = r->next;
	*requester_find(replies, r->node, r->group) = r->same;
	replies->count -= r->flows.count;
	tofu_flows_empty(&r->flows);
	torus_free(r, sizeof(*r));
}

/*
 * Queue a reply for a program.
 *
 * @d: domain of the engine's node
 * @replies: replies of the engine
 * @node: index of the program's node
 * @group: the program's FIFO group
 * @generation: generation of the program; replies for an earlier owner of the group are dropped
 * @get: the reply contains the data of a get
 *
 * Return: the reply, zeroed; NULL without memory (the domain is then marked as failed).
 */
struct tofu_flow *tofu_reply_new(struct torus_domain *d, struct tofu_replies *replies, u32 node,
				 u32 group, u32 generation, bool get)
{
	struct tofu_requester *r = *requester_find(replies, node, group);
	struct tofu_flow *flow;

	if (!r)
		r = requester_new(d, replies, node, group);
	if (!r)
		return NULL;
	if (r->flows.generation != generation) {
		replies->count -= r->flows.count;
		tofu_flows_set_holder(&r->flows, generation);
	}
	flow = tofu_flow_new(d, &r->flows);
	if (!flow)
		return NULL;
	r->flows.open += get;
	replies->count++;
	return flow;
}

/*
 * Check whether a program has the maximum number of gets open.
 *
 * @replies: replies of the engine
 * @node: index of the program's node
 * @group: the program's FIFO group
 * @generation: generation of the program
 *
 * Return: true if one more get must be rejected.
 */
bool tofu_gets_full(struct tofu_replies *replies, u32 node, u32 group, u32 generation)
{
	const struct tofu_requester *r = *requester_find(replies, node, group);

	return r && r->flows.generation == generation && r->flows.open >= TORUS_TOFU_GETS;
}

/*
 * Return the replies of the program that is next in the round-robin.
 *
 * @replies: replies of an engine; replies for programs that have left are dropped
 *
 * Return: the program's replies, at least one; NULL if no program waits.
 */
struct tofu_flows *tofu_replies_first(const struct torus_fabric *f, struct tofu_replies *replies)
{
	struct tofu_requester *r;

	while (replies->last) {
		r = replies->last->next;
		if (r->flows.head && !tofu_gone(f, r->node, r->group, r->flows.generation))
			return &r->flows;
		requester_drop(replies);
	}
	return NULL;
}

/* Advance the round-robin by one program. tofu_replies_first() must have found a program. */
void tofu_replies_turn(struct tofu_replies *replies)
{
	struct tofu_requester *r = replies->last->next;

	if (r->flows.head)
		replies->last = r;
	else
		requester_drop(replies);
}

/* Drop all replies of an engine. */
void tofu_replies_empty(struct tofu_replies *replies)
{
	while (replies->last)
		requester_drop(replies);
}

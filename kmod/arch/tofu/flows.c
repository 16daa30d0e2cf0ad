// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of what engines have to send.  A session's commands that have no step yet wait
 * apart from those that may go: however many there are, they hold up no other queue.
 */
#include "arch/tofu/engine.h"
#include "arch/tofu/flows.h"

/**
 * tofu_flow_make() - a flow that stands in no list
 * @d: the node's domain
 *
 * Return: it, all 0; NULL when memory has run out (the domain has failed).
 */
struct tofu_flow *tofu_flow_make(struct torus_domain *d)
{
	struct tofu_flow *flow = torus_grow_counted(sizeof(*flow));

	if (!flow)
		d->failed = true;
	return flow;
}

/* Into a list, behind @before; NULL: as its first. */
static void flow_insert(struct tofu_flows *list, struct tofu_flow *before, struct tofu_flow *flow)
{
	struct tofu_flow **at = before ? &before->next : &list->head;

	flow->next = *at;
	*at = flow;
	if (!flow->next)
		list->tail = flow;
	list->count++;
}

/**
 * tofu_flow_new() - one more behind a list
 * @d: the node's domain
 * @list: the list
 *
 * Return: it, all 0; NULL when memory has run out (the domain has failed).
 */
struct tofu_flow *tofu_flow_new(struct torus_domain *d, struct tofu_flows *list)
{
	struct tofu_flow *flow = tofu_flow_make(d);

	if (flow)
		flow_insert(list, list->head ? list->tail : NULL, flow);
	return flow;
}

/**
 * tofu_flow_drop() - a flow is done
 * @list: the list that it stands in
 * @flow: it
 */
void tofu_flow_drop(struct tofu_flows *list, struct tofu_flow *flow)
{
	struct tofu_flow **at = &list->head, *before = NULL;

	for (; *at != flow; at = &(*at)->next)
		before = *at;
	*at = flow->next;
	if (list->tail == flow)
		list->tail = before;
	if (list->sending == flow)
		list->sending = NULL;
	list->count--;
	torus_free_counted(flow, sizeof(*flow));
}

/* ------------------------------------------------------------------- sessions */

static bool flow_steps(const struct tofu_flow *flow)
{
	return flow->tell & TORUS_TOFU_SESSION;
}

/* The first of a queue's that wait; there is one. */
static struct tofu_flow *held_take(struct tofu_flows *list, u32 vcq)
{
	struct tofu_flow *last = list->held[vcq], *flow = last->next;

	if (flow == last)
		list->held[vcq] = NULL;
	else
		last->next = flow->next;
	list->waiting--;
	return flow;
}

static void held_put(struct tofu_flows *list, u32 vcq, struct tofu_flow *flow)
{
	struct tofu_flow *last = list->held[vcq];

	flow->next = last ? last->next : flow;
	if (last)
		last->next = flow;
	list->held[vcq] = flow;
	list->waiting++;
}

/**
 * tofu_flow_post() - a command joins its list, or waits for its step
 * @list: of its FIFO group
 * @flow: the command, in no list
 */
void tofu_flow_post(struct tofu_flows *list, struct tofu_flow *flow)
{
	u32 vcq = tofu_queue_vcq(flow->head.peer_queue);

	flow->posted = list->posted++;
	if (list->held[vcq] || (flow_steps(flow) && !list->steps[vcq])) {
		held_put(list, vcq, flow);
		return;
	}
	list->steps[vcq] -= flow_steps(flow);
	flow_insert(list, list->head ? list->tail : NULL, flow);
}

/* Among those that may go, where it would stand had it not waited. */
static void flow_resume(struct tofu_flows *list, struct tofu_flow *flow)
{
	struct tofu_flow *at, *before = NULL;

	for (at = list->head; at && (at == list->sending || (s32)(at->posted - flow->posted) < 0);
	     at = at->next)
		before = at;
	flow_insert(list, before, flow);
}

/**
 * tofu_flows_step() - commands of a queue may start
 * @list: of its FIFO group
 * @vcq: the queue
 * @steps: how many of its session's more than before
 */
void tofu_flows_step(struct tofu_flows *list, u32 vcq, u32 steps)
{
	struct tofu_flow *flow;

	list->steps[vcq] += steps;
	while (list->held[vcq]) {
		flow = list->held[vcq]->next;
		if (flow_steps(flow) && !list->steps[vcq])
			return;
		list->steps[vcq] -= flow_steps(flow);
		flow_resume(list, held_take(list, vcq));
	}
}

/**
 * tofu_flows_empty() - nothing of a list will be sent
 * @list: the list
 */
void tofu_flows_empty(struct tofu_flows *list)
{
	struct tofu_flow *flow;
	u32 vcq;

	while (list->head)
		tofu_flow_drop(list, list->head);
	for (vcq = 0; vcq < TORUS_VCQS; vcq++)
		while (list->held[vcq]) {
			flow = held_take(list, vcq);
			torus_free_counted(flow, sizeof(*flow));
		}
}

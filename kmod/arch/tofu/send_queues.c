// SPDX-License-Identifier: GPL-2.0
/*
 * Send queues of an engine.
 *
 * Commands of a session that wait for a step are in lists of their own, so that they block no other
 * queue's commands.
 */
#include "arch/tofu/engine.h"
#include "arch/tofu/send_queues.h"

/*
 * Allocate a flow that is in no list.
 *
 * Return: the flow, zeroed; NULL without memory (the domain is then marked as failed).
 */
struct tofu_flow *tofu_flow_make(struct torus_domain *d)
{
	struct tofu_flow *flow = torus_grow_counted(sizeof(*flow));

	if (!flow)
		d->failed = true;
	return flow;
}

/* Insert a flow into a list after @before, or at the head if @before is NULL. */
static void flow_insert(struct tofu_flows *list, struct tofu_flow *before, struct tofu_flow *flow)
{
	struct tofu_flow **at = before ? &before->next : &list->head;

	flow->next = *at;
	*at = flow;
	if (!flow->next)
		list->tail = flow;
	list->count++;
}

/*
 * Append a new flow to a list.
 *
 * Return: the flow, zeroed; NULL without memory (the domain is then marked as failed).
 */
struct tofu_flow *tofu_flow_new(struct torus_domain *d, struct tofu_flows *list)
{
	struct tofu_flow *flow = tofu_flow_make(d);

	if (flow)
		flow_insert(list, list->head ? list->tail : NULL, flow);
	return flow;
}

/* Remove a flow from its list and free it. */
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
	return flow->flags & TORUS_TOFU_SESSION;
}

/* Remove the first waiting flow of a queue, which must have one. */
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

/*
 * Append a command to the send list, or to the waiting commands of its queue. A command waits if it
 * needs a step that is not available, or if an earlier command of its queue waits.
 *
 * @list: list of the command's FIFO group
 * @flow: the command, in no list
 */
void tofu_flow_schedule(struct tofu_flows *list, struct tofu_flow *flow)
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

/*
 * Insert a flow that has waited for a step. Its position in the list is the position that it would
 * have if it had not waited.
 */
static void flow_resume(struct tofu_flows *list, struct tofu_flow *flow)
{
	struct tofu_flow *at, *before = NULL;

	for (at = list->head; at && (at == list->sending || (s32)(at->posted - flow->posted) < 0);
	     at = at->next)
		before = at;
	flow_insert(list, before, flow);
}

/*
 * Grant steps to a queue's session, and start the commands that waited for them.
 *
 * @list: list of the queue's FIFO group
 * @vcq: the queue
 * @steps: number of additional steps
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

/* Discard all flows of a list, also those that wait for a step. */
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

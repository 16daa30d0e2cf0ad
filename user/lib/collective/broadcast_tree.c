// SPDX-License-Identifier: GPL-2.0
/*
 * Broadcasts on a machine whose packets leave no copies (no deposit): ranks send messages along a
 * tree.
 *
 * The ranks of the line, plane or machine are numbered from the root on; each has up to
 * BROADCAST_CHILDREN children.  A rank sends the bytes to its children when its program has started
 * the broadcast and all bytes have arrived.  A message that arrives before the start waits in
 * memory like any other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../context/error.h"
#include "../context/node_number.h"
#include "../job/member.h"
#include "../job/memory.h"
#include "../job/reassembly.h"
#include "../job/send.h"
#include "broadcast.h"
#include "broadcast_tree.h"

#define TAG_ALONG	29	/* position of the dimensions' lowest bit in a message's tag */
#define TAG_NUMBER	24	/* position of the broadcast number's lowest bit in the tag */
#define TAG_NUMBERS	0x1f

_Static_assert(TORUS_JOB_RANKS_MAX <= 1u << TAG_NUMBER, "a tag has room for a root");

/*
 * Make the tag of a broadcast's messages.  The tag contains only the lowest bits of the broadcast's
 * number.  They suffice because the messages of one rank arrive in order: a later broadcast with
 * the same tag is not mistaken for this one.
 */
static uint32_t tree_tag(const struct torus_broadcast *b)
{
	return b->along << TAG_ALONG | (b->number & TAG_NUMBERS) << TAG_NUMBER | b->root;
}

/* Check whether a rank takes part: its node is in the box, and it is in the root's FIFO group. */
static bool tree_has(const struct torus_job *job, const struct broadcast_box *box,
		     uint32_t group, uint32_t rank)
{
	struct torus_member member = torus_job_member(job, rank);
	uint32_t at[TORUS_DIMS_MAX] = { 0 };

	return member.group == group && !torus_number_coords(job->context, member.node, at) &&
	       torus_broadcast_inside(box, at);
}

/**
 * torus_broadcast_tree_plan() - compute the parent and the children of this rank
 * @job: the job
 * @box: the nodes of the broadcast
 * @b: [out] the broadcast
 *
 * Return: 0, or -ENOBUFS without memory.
 */
int torus_broadcast_tree_plan(const struct torus_job *job, const struct broadcast_box *box,
			      struct torus_broadcast *b)
{
	uint32_t count = job->config.count, group = torus_job_member(job, b->root).group;
	uint32_t *ranks = malloc(count * sizeof(*ranks)), n = 0, own = 0, i;

	if (!ranks)
		return torus_error_set(-ENOBUFS, "out of memory for the broadcast tree of %u ranks",
				       count);
	for (i = 0; i < count; i++) {
		uint32_t rank = (b->root + i) % count;

		if (!tree_has(job, box, group, rank))
			continue;
		if (rank == job->rank)
			own = n;
		ranks[n++] = rank;
	}
	b->tree = true;
	b->above = own ? ranks[(own - 1) / BROADCAST_CHILDREN] : TORUS_RANK_NONE;
	for (i = 1; i <= BROADCAST_CHILDREN; i++)
		if ((__u64)own * BROADCAST_CHILDREN + i < n)
			b->below[b->children++] = ranks[own * BROADCAST_CHILDREN + i];
	b->missing = own ? 1 : 0;
	while (own) {
		own = (own - 1) / BROADCAST_CHILDREN;
		b->way[b->steps++] = ranks[own];
	}
	free(ranks);
	return 0;
}

/* Find the first complete message of @kind from the parent.  NULL: there is none. */
static struct message *tree_look(struct torus_job *job, const struct torus_broadcast *b,
				 unsigned int kind)
{
	struct message *message;

	for (message = job->ready.first; message; message = message->next)
		if (message->kind == kind && message->source == b->above &&
		    (kind == KIND_LOST || message->untagged || message->tag == tree_tag(b)))
			return message;
	return NULL;
}

static void tree_take(struct torus_job *job, struct torus_broadcast *b, struct message *message)
{
	torus_message_taken(job, message);
	b->missing = 0;
	b->lost = message->error && message->missing;
	b->lost_number = message->number;
	if (message->error)
		b->error = message->error;
	else if (message->length != b->length)
		b->error = -EMSGSIZE;
	else if (b->length)
		memcpy(b->data, message->data, b->length);
	torus_message_free(job, message);
}

/**
 * torus_broadcast_tree_push() - take the parent's message if it has arrived, and send its bytes to
 * the children
 * @job: the job
 * @b: the broadcast
 *
 * Return: number of messages taken and queued, or -ENODEV.
 */
int torus_broadcast_tree_push(struct torus_job *job, struct torus_broadcast *b)
{
	struct message *message;
	int done = 0, ret;

	if (b->missing) {
		message = tree_look(job, b, KIND_TREE);
		if (!message)
			return 0;
		tree_take(job, b, message);
		done++;
	}
	/*
	 * if the parent's message was damaged or lost, send a message nevertheless, or the children
	 * would wait indefinitely
	 */
	while (b->begun < b->children) {
		ret = torus_send_queue(job, b->below[b->begun], KIND_TREE, tree_tag(b), b->data,
				       b->error ? 0 : b->length, &b->sends[b->begun]);
		if (ret == -ENODEV)
			return ret;
		/*
		 * a child that gets no message times out; messages that are queued already are
		 * still sent
		 */
		if (ret) {
			b->unsent = ret;
			b->children = b->begun;
			break;
		}
		b->begun++;
		done++;
	}
	return done;
}

/**
 * torus_broadcast_tree_lost() - check, while the program waits, whether the parent's message was
 * lost
 * @job: the job
 * @b: the broadcast
 *
 * Of a lost message only the sender is known.  So the broadcast assumes that a lost message from
 * the parent was its own, as a receive does.
 */
void torus_broadcast_tree_lost(struct torus_job *job, struct torus_broadcast *b)
{
	struct message *message = b->missing ? tree_look(job, b, KIND_LOST) : NULL;

	if (message)
		tree_take(job, b, message);
}

/**
 * torus_broadcast_tree_ended() - check whether this rank has finished its part
 * @b: the broadcast
 *
 * Return: true if the bytes have arrived, and the children's messages are in the injection rings.
 */
bool torus_broadcast_tree_ended(const struct torus_broadcast *b)
{
	unsigned int i;

	if (b->missing || b->begun < b->children)
		return false;
	for (i = 0; i < b->begun; i++)
		if (b->sends[i]->peer)
			return false;
	return true;
}

/**
 * torus_broadcast_tree_free() - free the handles of the messages to the children
 * @job: the job
 * @b: a broadcast that has ended, or is given up
 *
 * Return: 0, or the error of a message that was not sent; repeated calls return the same.
 */
int torus_broadcast_tree_free(struct torus_job *job, struct torus_broadcast *b)
{
	while (b->begun) {
		struct torus_send *send = b->sends[--b->begun];

		b->unsent = send->error ? send->error : b->unsent;
		torus_send_cancel(job, send);
	}
	b->children = 0;
	return b->unsent;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Broadcasts on a machine whose packets leave no copies: by messages, along a tree.
 *
 * The ranks of the line, plane or machine are counted from the root on; each has up to
 * BROADCAST_CHILDREN below it.  A rank sends the bytes on when it has asked for the broadcast and
 * all have come; what comes before waits in memory like a message.
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

#define TAG_ALONG	29	/* of a message's tag: from this bit on the dimensions */
#define TAG_NUMBER	24	/* and from this one the lowest bits of the number */
#define TAG_NUMBERS	0x1f

_Static_assert(TORUS_JOB_RANKS_MAX <= 1u << TAG_NUMBER, "a tag has room for a root");

/*
 * Whose it is: messages of one rank come in order, so that broadcasts that are further apart
 * than a tag tells are not taken for each other.
 */
static __u32 tree_tag(const struct torus_broadcast *b)
{
	return b->along << TAG_ALONG | (b->number & TAG_NUMBERS) << TAG_NUMBER | b->root;
}

/* Does a rank take part: is it in the box, in the root's FIFO group? */
static bool tree_has(const struct torus_job *job, const struct broadcast_box *box,
		     __u32 group, __u32 rank)
{
	struct torus_member member = torus_job_member(job, rank);
	__u32 at[TORUS_DIMS_MAX] = { 0 };

	return member.group == group && !torus_number_coords(job->context, member.node, at) &&
	       torus_broadcast_inside(box, at);
}

/**
 * torus_broadcast_tree_plan() - who is above and below this rank
 * @job: the job
 * @box: where the broadcast goes
 * @b: gets it
 *
 * Return: 0, or -ENOBUFS without memory.
 */
int torus_broadcast_tree_plan(const struct torus_job *job, const struct broadcast_box *box,
			      struct torus_broadcast *b)
{
	__u32 count = job->config.count, group = torus_job_member(job, b->root).group;
	__u32 *ranks = malloc(count * sizeof(*ranks)), n = 0, own = 0, i;

	if (!ranks)
		return torus_error_set(-ENOBUFS, "no memory for a broadcast's tree of %u ranks",
				       count);
	for (i = 0; i < count; i++) {
		__u32 rank = (b->root + i) % count;

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

/* Of these messages the first from above, NULL: it has not come whole yet. */
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
 * torus_broadcast_tree_push() - take what has come from above, and send it on
 * @job: the job
 * @b: the broadcast
 *
 * Return: messages taken and begun, or -ENODEV.
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
	/* what is wrong is sent on, too: else those below would wait for ever */
	while (b->begun < b->children) {
		ret = torus_send_queue(job, b->below[b->begun], KIND_TREE, tree_tag(b), b->data,
				       b->error ? 0 : b->length, &b->sends[b->begun]);
		if (ret == -ENODEV)
			return ret;
		/* those below hear of it by time; other messages go on */
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
 * torus_broadcast_tree_lost() - the program waits: was the message from above lost?
 * @job: the job
 * @b: the broadcast
 *
 * Nothing is known of a lost message but its sender: it may be what is waited for, as for any
 * receive.
 */
void torus_broadcast_tree_lost(struct torus_job *job, struct torus_broadcast *b)
{
	struct message *message = b->missing ? tree_look(job, b, KIND_LOST) : NULL;

	if (message)
		tree_take(job, b, message);
}

/**
 * torus_broadcast_tree_ended() - has this rank nothing more to do?
 * @b: the broadcast
 *
 * Return: whether all is there, and in the injection rings of those below.
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
 * torus_broadcast_tree_free() - the broadcast has ended, or is given up
 * @job: the job
 * @b: the broadcast
 *
 * Return: 0, or why something was not sent, which is said again.
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

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wire-up: the protocol by which the processes of a job find each other.
 *
 * Each process draws a random number, its incarnation, when it opens the job.  The ranks form a
 * tree (spanning_tree.c).  Neighbours in the tree send HELLO until each has received its own
 * incarnation from the other, so that packets of an earlier process are never taken for those of a
 * running one.  A rank whose subtree has joined reports that to its parent.  The root then draws
 * the job's session number, which BEGIN packets distribute down the tree.  The check of every later
 * packet starts with key and session: packets of an earlier job with the same key fail the check.
 * Each rank reports to its parent when its subtree knows the session.  When all do, the root sends
 * GO.  So no packet of the job arrives before its receiver can check it, and a packet that cannot
 * be checked is discarded.
 *
 *	HELLO		to a neighbour: I run
 *	SUBTREE_READY	to the parent: all ranks of my subtree have joined
 *	BEGIN		to the children: all ranks have joined; this is the session
 *	KNOWN		to the parent: all ranks of my subtree know the session
 *	GO		to the children: all ranks know the session
 *	LATE		to a neighbour: my job has begun with another process as your rank
 *	PROBE		to any rank: do you run?
 *	ALIVE		answer to PROBE
 *
 * Packets may be lost, mostly those to a process that has not attached yet.  So HELLO,
 * SUBTREE_READY and KNOWN are repeated with growing pauses.  BEGIN, GO and LATE answer these three.
 * BEGIN is repeated, too: the notice of its loss reveals a process that has left.  A new
 * process sends HELLO to its parent and its children.  So of two neighbours, the one that starts
 * last makes the contact.  While the kernel reports that packets of this rank are under way (with
 * no_listener hold, for example), no packet is repeated.
 *
 * A packet has the format of a message (<torus/message.h>): its tag is one of the words above, its
 * number is counted by the sender.  The message has three words: the sender's incarnation, the
 * receiver's incarnation as far as the sender knows it, and the session.
 */
#ifndef TORUS_LIB_WIREUP_H
#define TORUS_LIB_WIREUP_H

#include <torus/message.h>
#include <stdint.h>
#include "message_header.h"

#define WIREUP_PAUSE_MS	1	/* first pause between packets to a neighbour, doubled each time */
#define WIREUP_NEVER	(~0ull)

enum wireup_word {
	WIREUP_HELLO,
	WIREUP_SUBTREE_READY,
	WIREUP_BEGIN,
	WIREUP_LATE,
	WIREUP_PROBE,
	WIREUP_ALIVE,
	WIREUP_KNOWN,
	WIREUP_GO,
};

/**
 * struct neighbour - the parent or a child of this rank in the tree
 * @rank: rank of the neighbour
 * @incarnation: incarnation of the neighbour, valid after the neighbour has sent our incarnation;
 *               0: not known
 * @last_number: number of the last packet accepted from it
 * @subtree_ready: the neighbour and its subtree have joined
 * @knows: the neighbour and all ranks of its subtree know the session
 * @due_ns: time at which the next packet to the neighbour is due; ~0: none is scheduled
 * @pause_ms: pause between that packet and its repetition
 */
struct neighbour {
	uint32_t rank;
	uint32_t incarnation;
	uint32_t last_number;
	bool subtree_ready;
	bool knows;
	__u64 due_ns;
	uint32_t pause_ms;
};

/**
 * struct wireup - wire-up state of a process
 * @own: incarnation of this process
 * @session: session of the job; 0: not known yet
 * @begun: number of the last packet sent before the session was known
 * @go: all ranks know the session, or the job is unconnected
 * @done: torus_wireup_wait() has succeeded, or does not wait
 * @reported_ready: this rank has reported to its parent that its subtree has joined
 * @number: number of the last packet sent
 * @check: CRC-32, start value of the check of wire-up packets to this rank
 * @neighbours: array: first the parent (the root has none), then the children
 * @count: number of neighbours
 * @above: 1 if the first of @neighbours is the parent, else 0
 * @late_rank: rank that has sent LATE last
 * @late_ns: time of the first LATE after the last packet of another kind from @late_rank; 0: no
 *           LATE since
 */
struct wireup {
	uint32_t own;
	uint32_t session;
	uint32_t begun;
	bool go;
	bool done;
	bool reported_ready;
	uint32_t number;
	uint32_t check;
	struct neighbour *neighbours;
	uint32_t count;
	uint32_t above;
	uint32_t late_rank;
	__u64 late_ns;
};

/* Check whether a neighbour is the parent. */
static inline bool torus_wireup_is_above(const struct wireup *wireup,
					 const struct neighbour *neighbour)
{
	return wireup->above && neighbour == wireup->neighbours;
}

/* Check whether the subtrees of all children have joined. */
static inline bool torus_wireup_subtree_ready(const struct wireup *wireup)
{
	uint32_t i;

	for (i = wireup->above; i < wireup->count; i++)
		if (!wireup->neighbours[i].subtree_ready)
			return false;
	return true;
}

struct torus_job;
struct torus_view;

void torus_wireup_begin(struct torus_job *job, uint32_t session);
int torus_wireup_send(struct torus_job *job, uint32_t rank, enum wireup_word word, uint32_t to);
int torus_wireup_accept(struct torus_job *job, const struct torus_view *view);
void torus_wireup_go(struct torus_job *job);

#endif /* TORUS_LIB_WIREUP_H */

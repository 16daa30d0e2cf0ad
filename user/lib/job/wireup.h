/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the processes of a job find each other.
 *
 * Each process draws a number, its incarnation, when it opens the job.  The ranks
 * stand in a tree (spanning_tree.c), and neighbours in it greet each other until each has
 * heard its own incarnation from the other: so what an earlier process has left
 * in the network is never taken for one that is there.  Whose subtree is there
 * tells the rank above; the first rank then draws the job's session and lets it go
 * down the tree.  Every later packet's check begins with key and session: a packet
 * of an earlier job with the same key fails this check.  Each rank reports up the tree that all
 * ranks below know the session.  When all do, the first rank sends GO: no packet of the job arrives
 * before its receiver can check it, and a packet that cannot be checked is discarded.
 *
 *	HELLO		to a neighbour: here I am
 *	SUBTREE_READY	to the rank above: so are all that are below me
 *	BEGIN		to the ranks below: all are there, and the session
 *	KNOWN		to the rank above: all that are below me know the session, and I do
 *	GO		to the ranks below: all know it
 *	LATE		to a neighbour: my job has begun with another process of your rank
 *	PROBE		to any rank: are you there?
 *	ALIVE		its answer
 *
 * Packets get lost, above all those to a process that has not attached yet; so HELLO, SUBTREE_READY
 * and KNOWN are repeated, with growing pauses, and the other words answer them.  BEGIN is repeated,
 * too, so that a process that has left by then is noticed.  A process
 * that starts greets both ways, so whoever comes last makes the contact.  Where the
 * kernel tells that a packet still waits (no_listener hold) it is not repeated.
 *
 * A packet has the form of a message's (<torus/message.h>), its tag is one of
 * those words, its number counts the sender's.  The message is three words: the
 * sender's incarnation, the receiver's as far as it is known, the session.
 */
#ifndef TORUS_LIB_WIREUP_H
#define TORUS_LIB_WIREUP_H

#include <torus/message.h>
#include "message_header.h"

#define WIREUP_PAUSE_MS	1	/* between packets to a neighbour; doubled each time */
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
 * struct neighbour - a rank beside this one in the tree
 * @rank: its rank
 * @theirs: its incarnation, since it has told ours; 0: not yet
 * @heard: number of the last packet believed
 * @subtree_ready: it and all below it are there
 * @knows: and know the session
 * @due_ns: when to tell it something again; ~0: not by itself
 * @pause_ms: and how long after that
 */
struct neighbour {
	__u32 rank;
	__u32 theirs;
	__u32 heard;
	bool subtree_ready;
	bool knows;
	__u64 due_ns;
	__u32 pause_ms;
};

/**
 * struct wireup - what a process knows of its job's beginning
 * @own: incarnation
 * @session: of the job, 0 until it is known
 * @begun: number of the last packet sent before the session was known
 * @go: all know the session
 * @done: the job has begun here
 * @told_ready: the rank above was told that all below this one are there
 * @number: of the last packet sent
 * @check: CRC-32 where the check of such packets to this rank starts
 * @neighbours: the rank above, unless this is the first, then those below
 * @count: their number
 * @above: 1 if the first of @neighbours is the rank above
 * @late_rank: who has said LATE last
 * @late_ns: since when nobody has said anything better; 0: nobody says so
 */
struct wireup {
	__u32 own;
	__u32 session;
	__u32 begun;
	bool go;
	bool done;
	bool told_ready;
	__u32 number;
	__u32 check;
	struct neighbour *neighbours;
	__u32 count;
	__u32 above;
	__u32 late_rank;
	__u64 late_ns;
};

/* Is it the rank above? */
static inline bool torus_wireup_is_above(const struct wireup *wireup,
					 const struct neighbour *neighbour)
{
	return wireup->above && neighbour == wireup->neighbours;
}

/* Are all that are below this rank there? */
static inline bool torus_wireup_subtree_ready(const struct wireup *wireup)
{
	__u32 i;

	for (i = wireup->above; i < wireup->count; i++)
		if (!wireup->neighbours[i].subtree_ready)
			return false;
	return true;
}

struct torus_job;
struct torus_view;

void torus_wireup_begin(struct torus_job *job, __u32 session);
int torus_wireup_send(struct torus_job *job, __u32 rank, enum wireup_word word, __u32 to);
int torus_wireup_accept(struct torus_job *job, const struct torus_view *view);
void torus_wireup_go(struct torus_job *job);

#endif /* TORUS_LIB_WIREUP_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a context is inside the library.
 *
 * The rings are shared with the kernel without locks.  The barriers that this needs
 * have letters in <linux/torus.h>; each use in context.c, inject.c, receive.c,
 * status.c and wait.c names its letter.
 *
 * Kernel-written indices are believed only as far as they make sense: a
 * distance greater than the ring ends in -EIO, never in an access outside.
 */
#ifndef TORUS_LIB_CONTEXT_H
#define TORUS_LIB_CONTEXT_H

#include <endian.h>
#include <string.h>
#include <torus/route.h>
#include <torus/torus.h>
#include "../../machine/machine.h"

/**
 * struct torus_inject_fifo - the program's side of an injection ring
 * @ring: the chunks
 * @stamps: ticks beside the chunks, in virtual time
 * @chunks: length of the ring, a power of two
 * @tail: chunks written; the truth, of which the control page shows a copy
 * @published: what the control page shows
 * @head: last value seen of the kernel's head
 * @refused: last value seen of the kernel's count of refused packets
 * @lacked: chunks for which there was no room, since something was put in; 0: none
 * @asked: what torus_inject_want() asked for
 * @interrupts: those that torus_interrupts_take() has given
 * @status: the kernel's words
 * @control: ours
 */
struct torus_inject_fifo {
	unsigned char *ring;
	__u64 *stamps;
	__u32 chunks;
	__u32 tail;
	__u32 published;
	__u32 head;
	__u64 refused;
	__u32 lacked;
	__u32 asked;
	__u32 interrupts;
	const struct torus_status_inject *status;
	struct torus_control_inject *control;
};

/**
 * struct torus_receive_fifo - the program's side of a reception ring
 * @ring: the chunks
 * @arrivals: ticks beside the chunks, in virtual time
 * @chunks: length of the ring, a power of two
 * @head: chunks read; the truth, of which the control page shows a copy
 * @published: what the control page shows
 * @tail: last value seen of the kernel's tail
 * @watermark: what torus_receive_watermark() asked for
 * @interrupts: those that torus_interrupts_take() has given
 * @status: the kernel's words
 * @control: ours
 */
struct torus_receive_fifo {
	const unsigned char *ring;
	const __u64 *arrivals;
	__u32 chunks;
	__u32 head;
	__u32 published;
	__u32 tail;
	__u32 watermark;
	__u32 interrupts;
	const struct torus_status_receive *status;
	struct torus_control_receive *control;
};

/* @holder: a number of the group that each attachment changes */
typedef int (*torus_group_fn)(const struct torus_group *group, __u32 holder, void *arg);

/**
 * struct torus_context_ops - what needs the kernel rather than memory
 * @doorbell: wake the engine
 * @poll: sleep until one of the poll(2) events, at most timeout_ms (-1: no
 *        limit).  Returns the events (0: time is up) or a negative errno
 * @faults: mark in a map what is dead; NULL: nothing ever is
 * @groups: call a function with each FIFO group of the fabric; NULL: nobody ever leaves
 * @idle: is nothing under way in the fabric?  1, 0 or a negative errno
 * @release: undo the mappings and close; may be NULL
 *
 * The tests put an engine of their own behind these.
 */
struct torus_context_ops {
	int (*doorbell)(struct torus_context *context);
	int (*poll)(struct torus_context *context, short events, int timeout_ms);
	int (*faults)(struct torus_context *context, struct torus_route_map *map);
	int (*groups)(struct torus_context *context, torus_group_fn each, void *arg);
	int (*idle)(struct torus_context *context);
	void (*release)(struct torus_context *context);
};

/**
 * struct torus_clock - this process's clock on a fabric, in virtual time
 * @next: its clock on another
 * @fabric: the fabric's name
 * @contexts: those that go by it
 * @forks: torus_forks when it was begun: a child has clocks of its own
 * @now: ticks
 * @looked: clock at which what the kernel shows was last looked at; ~0: it is to be looked at
 * @vain: what has been looked for in vain at @looked: TORUS_LOOK_*
 */
struct torus_clock {
	struct torus_clock *next;
	char fabric[TORUS_NAME_MAX];
	unsigned int contexts;
	unsigned int forks;
	__u64 now;
	__u64 looked;
	unsigned int vain;
};

/* Of a ring's chunks as many as who fills or empties many at a time sleeps for. */
#define RING_MOST(chunks)	((chunks) / 4 * 3)

#define TORUS_LOOK_ARRIVAL	(1u << 0)
#define TORUS_LOOK_ROOM		(1u << 1)
#define TORUS_LOOK_NOTICE	(1u << 2)
#define TORUS_LOOK_ENDED	(1u << 3)
#define TORUS_LOOK_STATUS	(1u << 4)
#define TORUS_LOOK_GATE		(1u << 5)	/* libtofucom: a barrier gate */

/**
 * struct torus_context - a FIFO group that this process holds
 * @ops: what needs the kernel
 * @fd: the file
 * @private: of @ops
 * @info: what the kernel said of it
 * @machine: what user space knows of its machine
 * @status: the status page
 * @control: the control page
 * @inject: injection rings
 * @receive: reception rings
 * @notices: the notice ring; NULL where the kernel has none
 * @notice_status: the kernel's words of it
 * @notice_control: ours
 * @notice_head: notices taken
 * @notices_lost: those that the ring had no room for, as far as they were told
 * @unshown: bit i: what was put into injection ring i the control page does not show yet
 * @unreturned: bit i: what was taken out of reception ring i the control page does not show yet
 * @brought: reception FIFOs, a bit each, that packets were taken from since it was last asked
 * @expected: packets that the program says are still to come: torus_receive_expect()
 * @shown: reception FIFOs, a bit each, that have shown a packet, and no want of one since
 * @looks: for a packet of any
 * @inject_next: where the search for a FIFO with room starts
 * @receive_next: where the search for a packet starts
 * @patience: doublings of the longest sleep for much that comes, or for much room
 * @timed: the last such sleep ended with its time
 * @spins: see torus_wait_tune()
 * @yields: likewise
 * @clock: the process's, in virtual time; NULL: time is free
 * @record: what it has told of itself; NULL: nobody asked
 * @link_down: of the links that are dead one is down: a router grants it packets, and it keeps them
 * @avoided: map of the dead links that its job avoids; NULL: none
 * @job: the job that is open on it
 * @forks: forks of this process when it was attached
 */
struct torus_context {
	const struct torus_context_ops *ops;
	int fd;
	void *private;
	struct torus_ioc_info info;
	const struct torus_machine *machine;
	const unsigned char *status;
	unsigned char *control;
	struct torus_inject_fifo inject[TORUS_INJECT_MAX];
	struct torus_receive_fifo receive[TORUS_RECEIVE_MAX];
	const struct torus_notice *notices;
	const struct torus_status_notice *notice_status;
	struct torus_control_notice *notice_control;
	__u32 notice_head;
	__u64 notices_lost;
	__u32 unshown;
	__u32 unreturned;
	__u32 brought;
	__u32 expected;
	__u32 shown;
	unsigned int looks;
	unsigned int inject_next;
	unsigned int receive_next;
	unsigned int patience;
	bool timed;
	bool link_down;
	unsigned int spins;
	unsigned int yields;
	struct torus_clock *clock;
	struct torus_record *record;
	const struct torus_route_map *avoided;
	struct torus_job *job;
	unsigned int forks;
};

/* Forks that this process is behind, from its first attach on. */
extern unsigned int torus_forks;

/* In a forked child there are no mappings: look before they are touched. */
static inline bool torus_context_forked(const struct torus_context *context)
{
	return context->forks != torus_forks;
}

void torus_context_watch_forks(void);
__u64 torus_now_ns(void);
bool torus_context_dead(const struct torus_context *context);

/* As a word and not byte by byte: from bytes the compiler makes four times as many instructions. */
static inline __u32 torus_load_be32(const unsigned char *at)
{
	__u32 value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

static inline void torus_store_be32(unsigned char *at, __u32 value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

#endif /* TORUS_LIB_CONTEXT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inside of a context: an attached FIFO group of a node, its rings and its clock.
 *
 * The rings are shared with the kernel without locks. <linux/torus.h> gives each necessary barrier
 * a letter; each use in completion.c, context.c, inject.c, receive.c, status.c and wait.c names its
 * letter.
 *
 * Indices that the kernel writes are checked.  If head and tail differ by more than the length of
 * the ring, the call returns -EIO and does not use the index.
 */
#ifndef TORUS_LIB_CONTEXT_H
#define TORUS_LIB_CONTEXT_H

#include <endian.h>
#include <stdint.h>
#include <string.h>
#include <torus/route.h>
#include <torus/torus.h>
#include "../../machine/machine.h"

/**
 * struct torus_inject_fifo - the program's side of an injection ring
 * @ring: array of @chunks chunks, mapped
 * @stamps: tick of each chunk, in virtual time; NULL otherwise
 * @chunks: length of the ring, a power of two
 * @tail: chunks written so far; the control page has a copy
 * @published: value of @tail that the control page has
 * @head: last value of the kernel's head that was read
 * @refused: last value of the kernel's count of rejected packets that was read
 * @lacked: smallest request, in chunks, that found too little free space since the last packet was
 *          written or the last sleep; 0: none
 * @asked: free chunks that torus_inject_want() requested
 * @interrupts: interrupts that torus_interrupts_take() has returned
 * @status: words of this FIFO in the status page, written by the kernel
 * @control: words of this FIFO in the control page, written by this process
 */
struct torus_inject_fifo {
	unsigned char *ring;
	__u64 *stamps;
	uint32_t chunks;
	uint32_t tail;
	uint32_t published;
	uint32_t head;
	__u64 refused;
	uint32_t lacked;
	uint32_t asked;
	uint32_t interrupts;
	const struct torus_status_inject *status;
	struct torus_control_inject *control;
};

/**
 * struct torus_receive_fifo - the program's side of a reception ring
 * @ring: array of @chunks chunks, mapped read-only
 * @arrivals: tick at which each chunk arrived, in virtual time; NULL otherwise
 * @chunks: length of the ring, a power of two
 * @head: chunks read so far; the control page has a copy
 * @published: value of @head that the control page has
 * @tail: last value of the kernel's tail that was read
 * @watermark: chunks, set by torus_receive_watermark()
 * @interrupts: interrupts that torus_interrupts_take() has returned
 * @status: words of this FIFO in the status page, written by the kernel
 * @control: words of this FIFO in the control page, written by this process
 */
struct torus_receive_fifo {
	const unsigned char *ring;
	const __u64 *arrivals;
	uint32_t chunks;
	uint32_t head;
	uint32_t published;
	uint32_t tail;
	uint32_t watermark;
	uint32_t interrupts;
	const struct torus_status_receive *status;
	struct torus_control_receive *control;
};

/*
 * Callback for each FIFO group of a fabric.  @holder: generation of the group, which each attach
 * changes.
 */
typedef int (*torus_group_fn)(const struct torus_group *group, uint32_t holder, void *arg);

/**
 * struct torus_context_ops - operations of a context that call the kernel; tests supply others
 * @doorbell: wake the engine
 * @poll: sleep until one of the poll(2) events occurs, at most timeout_ms (-1: no limit).  Returns
 *        the events, 0 after a time-out, or a negative errno
 * @faults: mark the dead nodes and links in a map; NULL: there are none
 * @groups: call a function for each FIFO group of the fabric; NULL: a test in which no process
 *          detaches
 * @idle: check whether no packet is in the fabric: 1, 0 or a negative errno
 * @release: unmap the pages and close the file; may be NULL
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
 * struct torus_clock - clock of this process on one fabric, in virtual time
 * @next: clock of this process on another fabric
 * @fabric: the fabric's name
 * @contexts: number of contexts that share the clock
 * @forks: value of torus_forks at creation; if it differs, this is a forked child, which does not
 *         use the clock
 * @now: time in ticks
 * @looked: value of @now when the process last waited for the fabric's time; ~0: wait again before
 *          the next poll
 * @vain: TORUS_LOOK_* flags of values that were polled at tick @looked without success
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

/*
 * Most of a ring's chunks. When many packets are sent, a sleep waits until at least this number of
 * chunks is free; when many are received, for at most this number in each FIFO.
 */
#define RING_MOST(chunks)	((chunks) / 4 * 3)

#define TORUS_LOOK_ARRIVAL	(1u << 0)
#define TORUS_LOOK_ROOM		(1u << 1)
#define TORUS_LOOK_NOTICE	(1u << 2)
#define TORUS_LOOK_ENDED	(1u << 3)
#define TORUS_LOOK_STATUS	(1u << 4)
#define TORUS_LOOK_GATE		(1u << 5)	/* result of a barrier gate, polled by libtofucom */

/**
 * struct torus_context - a FIFO group that this process has attached to
 * @ops: operations that call the kernel
 * @fd: file of the device
 * @private: data of @ops
 * @info: description of the context by the kernel
 * @machine: description of the fabric's machine, from user/machine
 * @status: the status page
 * @control: the control page
 * @inject: array of @info.inject_fifos injection rings
 * @receive: array of @info.receive_fifos reception rings
 * @notices: notice ring; NULL: the kernel has none
 * @notice_status: status of the notice ring, written by the kernel
 * @notice_control: control of the notice ring, written by this process
 * @notice_head: number of notices read so far, free-running
 * @notices_lost: number of notices that overflowed the ring, as last reported to the caller
 * @unshown: one bit per injection ring: the tail in the control page does not cover all packets yet
 * @unreturned: one bit per reception ring: the head in the control page does not cover all freed
 *              chunks yet
 * @brought: one bit per reception ring: packets were taken from it since the last sleep for many
 *           packets
 * @expected: number of packets that the program still expects, see torus_receive_expect()
 * @shown: one bit per reception ring: the last poll of all rings found a packet in this ring, and
 *         the ring was not found empty since
 * @looks: number of searches for a packet in the rings of @shown
 * @inject_next: injection FIFO at which the next search for free space starts
 * @receive_next: reception FIFO at which the next search for a packet starts
 * @patience: number of times that the limit of a sleep for many packets or much free space was
 *            doubled
 * @timed: the last sleep for many packets or much free space timed out
 * @spins: polls before the first yield: torus_wait_tune()
 * @yields: yields before the first sleep: torus_wait_tune()
 * @clock: clock of this process in virtual time; NULL: time is free
 * @record: recorder state for TORUS_RECORD; NULL: nothing is recorded
 * @link_down: one of the dead links is down.  Its router does not know that, so packets still go to
 *             the link and wait there
 * @avoided: map of dead links, owned by @job; NULL: none
 * @job: the open job; NULL: none
 * @forks: value of torus_forks at attach
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
	uint32_t notice_head;
	__u64 notices_lost;
	uint32_t unshown;
	uint32_t unreturned;
	uint32_t brought;
	uint32_t expected;
	uint32_t shown;
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

/* Number of forks since the first attach, counted in each child. */
extern unsigned int torus_forks;

/*
 * Check whether this is a forked child.  The child has no mappings, so callers check this before
 * they access a mapping.
 */
static inline bool torus_context_forked(const struct torus_context *context)
{
	return context->forks != torus_forks;
}

void torus_context_watch_forks(void);
__u64 torus_now_ns(void);
bool torus_context_dead(const struct torus_context *context);

/*
 * Load a big-endian word with one access.  Assembled from single bytes, the word takes four times
 * as many instructions.
 */
static inline uint32_t torus_load_be32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

static inline void torus_store_be32(unsigned char *at, uint32_t value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

#endif /* TORUS_LIB_CONTEXT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of torus-demo share.
 *
 *	torus-demo.c	begins
 *	options.c	the command line
 *	content.c	the bytes of messages, and their lengths
 *	process.c	a process at a node
 *	phase.c		what the processes do: ring, halo, all-to-all
 *	team.c		the parent's view of its processes
 *	report.c	totals, while they grow and at the end
 */
#ifndef TORUS_DEMO_H
#define TORUS_DEMO_H

#include <signal.h>
#include <stdbool.h>
#include <torus/message.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum phase { PHASE_RING, PHASE_HALO, PHASE_ALL, PHASES };

/**
 * struct tally - what one process has verified, written by it alone
 * @messages: by phase
 * @bytes: by phase
 * @packets: sent
 * @rejected: packets that the message layer threw away
 * @bad: messages damaged or lost
 * @failure: why it failed, empty if it has not
 */
struct tally {
	__u64 messages[PHASES];
	__u64 bytes[PHASES];
	__u64 packets;
	__u64 rejected;
	__u64 bad;
	char failure[256];
};

/**
 * struct shared - what parent and processes share
 * @key: of the job; each phase adds one
 * @begin_ns: when each phase began, CLOCK_MONOTONIC
 * @end_ns: when it had ended everywhere
 * @tally: by rank
 */
struct shared {
	__u32 key;
	__u64 begin_ns[PHASES];
	__u64 end_ns[PHASES];
	struct tally tally[];
};

/**
 * struct process - one process
 * @rank: its rank
 * @count: processes
 * @context: its FIFOs
 * @job: the phase's job
 * @phase: the phase
 * @tally: its own
 */
struct process {
	__u32 rank;
	__u32 count;
	struct torus_context *context;
	struct torus_job *job;
	enum phase phase;
	struct tally *tally;
};

/**
 * struct options - the command line
 * @fabric: name of the fabric
 * @laps: of the ring's token
 * @iterations: halo exchanges
 * @halo_bytes: length of a halo message
 * @rounds: all-to-alls
 * @length_max: longest message of the all-to-all
 * @timeout_s: seconds until it is given up
 * @spins: for torus_wait_tune()
 * @yields: likewise
 * @json: print one JSON document
 * @progress: show how far it is
 * @lines: with a new line each time
 */
struct options {
	const char *fabric;
	unsigned int laps;
	unsigned int iterations;
	__u32 halo_bytes;
	unsigned int rounds;
	__u32 length_max;
	unsigned int timeout_s;
	unsigned int spins;
	unsigned int yields;
	bool json;
	bool progress;
	bool lines;
};

/**
 * struct totals - what all processes have verified
 * @messages: by phase
 * @bytes: by phase
 */
struct totals {
	__u64 messages[PHASES];
	__u64 bytes[PHASES];
};

#endif /* TORUS_DEMO_H */

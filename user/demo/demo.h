/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data structures shared by the sources of torus-demo.
 *
 * torus-demo.c	main program
 * options.c	command line
 * content.c	bytes and lengths of messages
 * process.c	a process at a node
 * phase.c		messages of the processes: ring, halo, all-to-all
 * team.c		start and end of the processes
 * report.c	totals during the run and at its end
 */
#ifndef TORUS_DEMO_H
#define TORUS_DEMO_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <torus/message.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum phase { PHASE_RING, PHASE_HALO, PHASE_ALL, PHASES };

/**
 * struct tally - counts of one process, which is their only writer; of a killed process, the parent
 *   writes @failure
 * @messages: verified messages, by phase
 * @bytes: verified bytes, by phase
 * @packets: packets sent
 * @rejected: packets that the message layer rejected
 * @bad: messages damaged or lost
 * @failure: error message of the process, or empty
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
 * struct demo_shared - memory shared by the parent and its processes
 * @key: key of the first phase's job; each phase adds one
 * @begin_ns: start of each phase, CLOCK_MONOTONIC
 * @end_ns: end of each phase in all processes
 * @tally: counts by rank
 */
struct demo_shared {
	uint32_t key;
	__u64 begin_ns[PHASES];
	__u64 end_ns[PHASES];
	struct tally tally[];
};

/**
 * struct process - state of one process
 * @rank: rank of the process
 * @count: number of processes
 * @context: context of its FIFO group
 * @job: job of the present phase
 * @phase: present phase
 * @tally: counts of this process
 */
struct process {
	uint32_t rank;
	uint32_t count;
	struct torus_context *context;
	struct torus_job *job;
	enum phase phase;
	struct tally *tally;
};

/**
 * struct options - the command line
 * @fabric: name of the fabric
 * @laps: laps of the ring's token
 * @iterations: number of halo exchanges
 * @halo_bytes: length of a halo message
 * @rounds: number of all-to-alls
 * @length_max: longest message of the all-to-all
 * @timeout_s: time limit in seconds
 * @spins: argument of torus_wait_tune()
 * @yields: argument of torus_wait_tune()
 * @json: print one JSON document
 * @progress: show the progress
 * @lines: print the progress on a new line each time
 */
struct options {
	const char *fabric;
	unsigned int laps;
	unsigned int iterations;
	uint32_t halo_bytes;
	unsigned int rounds;
	uint32_t length_max;
	unsigned int timeout_s;
	unsigned int spins;
	unsigned int yields;
	bool json;
	bool progress;
	bool lines;
};

/**
 * struct totals - sums over all processes
 * @messages: verified messages, by phase
 * @bytes: verified bytes, by phase
 */
struct totals {
	__u64 messages[PHASES];
	__u64 bytes[PHASES];
};

#endif /* TORUS_DEMO_H */

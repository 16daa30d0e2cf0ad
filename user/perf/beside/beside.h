/* SPDX-License-Identifier: GPL-2.0 */
/*
 * torus-perf: the same messages by the torus and by what programs of one computer have
 * otherwise, in turns in one run.
 */
#ifndef TORUS_PERF_BESIDE_H
#define TORUS_PERF_BESIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <torus/message.h>
#include "sizes.h"

#define RANKS_MAX	64
#define WAYS_MAX	20	/* transports, polling and blocking */
#define ROUNDS_MAX	1000
#define ANYBODY		(~0u)
#define SPINS		20	/* looks in vain before one who polls yields, as libtorus' */

enum measure { MEASURE_LAT, MEASURE_BW, MEASURE_RATE };
enum between { BETWEEN_NEIGHBORS, BETWEEN_ALL, BETWEEN_ONE };

struct rank;

/**
 * struct transport - a way for bytes from one process to another
 * @name: as it is typed
 * @torus: it needs a fabric
 * @make: before there are processes: make the channel between two ranks; NULL: none is needed
 * @tune: before a measurement: poll, or block
 * @send: send a message
 * @send_many: send equal messages at once; NULL: one after the other
 * @receive: receive a message from a rank or from ANYBODY of those in rank->open; gives the rank
 *
 * All return 0 or a negative errno, and leave words in rank->why.
 */
struct transport {
	const char *name;
	bool torus;
	int (*make)(unsigned int transport, unsigned int a, unsigned int b);
	int (*tune)(struct rank *rank);
	int (*send)(struct rank *rank, unsigned int to, size_t bytes);
	int (*send_many)(struct rank *rank, unsigned int to, size_t bytes, unsigned int count);
	int (*receive)(struct rank *rank, unsigned int *from, size_t bytes);
};

/**
 * struct way - a transport and how its receiver waits
 * @transport: index in transports
 * @poll: it polls; otherwise it blocks
 */
struct way {
	unsigned int transport;
	bool poll;
};

/**
 * struct call - what was typed
 * @measure: what is measured
 * @between: who sends to whom
 * @fabric: name of the fabric; NULL: no torus
 * @ranks: processes
 * @sizes: lengths of the messages
 * @piece: longer messages leave in pieces of so many bytes; not by rings nor as packets
 * @rounds: of all ways in turns
 * @count: messages from one rank to another in a round; 0: as many as @time_ms lasts
 * @time_ms: of a way's round, about
 * @ways: what is measured, the first is that which the others stand beside
 * @nways: their number
 * @json: answer as JSON
 * @pretty: with line breaks
 */
struct call {
	enum measure measure;
	enum between between;
	const char *fabric;
	__u32 ranks;
	struct sizes sizes;
	__u32 piece;
	__u32 rounds;
	__u32 count;
	__u32 time_ms;
	struct way ways[WAYS_MAX];
	unsigned int nways;
	bool json;
	bool pretty;
};

/**
 * struct usage - what a process or the fabric's threads have used
 * @cpu_ns: time on processors
 * @switches: times that it was put on one
 */
struct usage {
	__u64 cpu_ns;
	__u64 switches;
};

/**
 * struct part - what one rank has measured
 * @ns: time
 * @messages: that it sent, to and fro counted once
 * @used: what it used
 */
struct part {
	double ns;
	__u64 messages;
	struct usage used;
};

/**
 * struct sample - a round of one way at one length
 * @value: nanoseconds of half a round trip, bytes or messages a second
 * @messages: all that were sent, each way
 * @programs: what the ranks used
 * @engine: what the fabric's threads used
 * @engine_seen: that was measured
 */
struct sample {
	double value;
	__u64 messages;
	struct usage programs;
	struct usage engine;
	bool engine_seen;
};

/**
 * struct shared - memory of all ranks
 * @all: where they meet
 * @parts: of the measurement that has just ended
 * @count: messages from one rank to another in the next
 * @samples: by round, length and way
 */
struct shared {
	pthread_barrier_t all;
	struct part parts[RANKS_MAX];
	__u32 count;
	struct sample samples[];
};

/**
 * struct rank - one process
 * @call: what was typed
 * @shared: what all see
 * @number: of this rank
 * @way: what is being measured
 * @open: bit i: rank i may send to this one
 * @looks: in vain since something came
 * @buffer: a message
 * @torus: of torus.c
 * @why: what failed
 */
struct rank {
	const struct call *call;
	struct shared *shared;
	unsigned int number;
	struct way way;
	__u64 open;
	unsigned int looks;
	unsigned char *buffer;
	struct torus_end *torus;
	char why[256];
};

#endif /* TORUS_PERF_BESIDE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data structures of torus-perf, which measures the same messages in turns over the torus and over
 * other transports of the same computer.
 */
#ifndef TORUS_PERF_COMPARE_PERF_H
#define TORUS_PERF_COMPARE_PERF_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <torus/message.h>
#include "sizes.h"

#define RANKS_MAX	64
/* maximum number of ways: each transport with polling, and with blocking calls */
#define WAYS_MAX	20
#define ROUNDS_MAX	1000
#define ANYBODY		(~0u)
/*
 * number of unsuccessful polls after which a polling process yields the processor, as in libtorus
 */
#define SPINS		20

enum measure { MEASURE_LAT, MEASURE_BW, MEASURE_RATE };
enum between { BETWEEN_NEIGHBORS, BETWEEN_ALL, BETWEEN_ONE };

struct perf_rank;

/**
 * struct transport - a transport of bytes between processes
 * @name: name on the command line
 * @torus: true if the transport needs a fabric
 * @make: function that creates the channel between two ranks, before their processes start; NULL:
 *    no channel is needed
 * @tune: function that selects polling or blocking calls, before a measurement; NULL: @send and
 *    @receive read the kind of waiting in rank->way
 * @send: function that sends a message
 * @send_many: function that sends messages of equal length at once; NULL: @send sends each of them
 * @receive: function that receives a message; its @from is [in, out] the sender, or ANYBODY for any
 *    rank in rank->open
 *
 * All functions return 0 or a negative errno. All functions except @make set an error message in
 * rank->why.
 */
struct transport {
	const char *name;
	bool torus;
	int (*make)(unsigned int transport, unsigned int a, unsigned int b);
	int (*tune)(struct perf_rank *rank);
	int (*send)(struct perf_rank *rank, unsigned int to, size_t bytes);
	int (*send_many)(struct perf_rank *rank, unsigned int to, size_t bytes, unsigned int count);
	int (*receive)(struct perf_rank *rank, unsigned int *from, size_t bytes);
};

/**
 * struct perf_way - a transport and its kind of waiting
 * @transport: index in transports
 * @poll: true to wait by polling; false to wait in blocking calls
 */
struct perf_way {
	unsigned int transport;
	bool poll;
};

/**
 * struct call - the command line
 * @measure: measured value
 * @between: rule that selects the pairs of senders and receivers
 * @fabric: name of the fabric; NULL: no torus transport
 * @ranks: number of processes
 * @sizes: lengths of the messages
 * @piece: maximum bytes per call; longer messages are sent in pieces, except by rings and as
 *   packets
 * @rounds: number of rounds over all ways
 * @count: number of messages from one rank to another per round; 0: as many as take @time_ms
 * @time_ms: approximate time of one way in a round, in ms
 * @ways: ways that are measured; the first one is compared with each of the others
 * @nways: number of entries in @ways
 * @json: print JSON
 * @pretty: print JSON with line breaks
 */
struct call {
	enum measure measure;
	enum between between;
	const char *fabric;
	uint32_t ranks;
	struct sizes sizes;
	uint32_t piece;
	uint32_t rounds;
	uint32_t count;
	uint32_t time_ms;
	struct perf_way ways[WAYS_MAX];
	unsigned int nways;
	bool json;
	bool pretty;
};

/**
 * struct usage - processor time of a process or of the fabric's threads
 * @cpu_ns: processor time in nanoseconds
 * @switches: number of context switches
 */
struct usage {
	__u64 cpu_ns;
	__u64 switches;
};

/**
 * struct part - measurement of one rank
 * @ns: elapsed time in nanoseconds
 * @messages: number of messages sent; a round trip counts once
 * @used: processor time of the rank's process
 */
struct part {
	double ns;
	__u64 messages;
	struct usage used;
};

/**
 * struct sample - measurement of one way, length and round
 * @value: the measured value: nanoseconds of half a round trip, bytes per second, or messages per
 *    second
 * @messages: number of messages of all ranks. A round trip counts twice. A reply of one byte does
 *    not count
 * @programs: processor time of the ranks
 * @engine: processor time of the fabric's threads
 * @engine_seen: true if @engine has been measured
 */
struct sample {
	double value;
	__u64 messages;
	struct usage programs;
	struct usage engine;
	bool engine_seen;
};

/**
 * struct perf_shared - memory shared by all ranks
 * @all: barrier of all ranks
 * @parts: by rank: its part of the last measurement
 * @count: messages from one rank to another in the next measurement
 * @samples: samples by round, length and way
 */
struct perf_shared {
	pthread_barrier_t all;
	struct part parts[RANKS_MAX];
	uint32_t count;
	struct sample samples[];
};

/**
 * struct perf_rank - state of one process
 * @call: the command line
 * @shared: memory shared by all ranks
 * @number: number of this rank
 * @way: way that is being measured
 * @open: mask of the ranks that may send to this rank
 * @looks: number of unsuccessful polls since the last successful one
 * @buffer: contents of a message
 * @torus: state of torus.c
 * @why: error message
 */
struct perf_rank {
	const struct call *call;
	struct perf_shared *shared;
	unsigned int number;
	struct perf_way way;
	__u64 open;
	unsigned int looks;
	unsigned char *buffer;
	struct torus_end *torus;
	char why[256];
};

#endif /* TORUS_PERF_COMPARE_PERF_H */

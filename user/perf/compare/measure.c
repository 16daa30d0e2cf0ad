// SPDX-License-Identifier: GPL-2.0
/*
 * Measure all ways (a transport with a kind of waiting) in turns, round after round. Each rank runs
 * this code in its process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "perf.h"
#include "partner.h"
#include "measure.h"
#include "transport.h"
#include "cpu_usage.h"
#include "poll_wait.h"

#define COUNT_MAX	1000000u

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static const struct transport *transport_of(const struct perf_rank *rank)
{
	return &transports[rank->way.transport];
}

static int send_one(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	return transport_of(rank)->send(rank, to, bytes);
}

static int receive_one(struct perf_rank *rank, unsigned int *from, size_t bytes)
{
	return transport_of(rank)->receive(rank, from, bytes);
}

static int send_all(struct perf_rank *rank, unsigned int to, size_t bytes, unsigned int count)
{
	const struct transport *transport = transport_of(rank);
	int ret = 0;

	if (transport->send_many)
		return transport->send_many(rank, to, bytes, count);
	while (!ret && count--)
		ret = transport->send(rank, to, bytes);
	return ret;
}

/* Send messages to a rank. The rank replies to each message, or to many messages with one byte. */
static int measure_client(struct perf_rank *rank, unsigned int to, size_t bytes, unsigned int count)
{
	struct part *part = &rank->shared->parts[rank->number];
	double start = now_ns();
	unsigned int i;
	int ret = 0;

	rank->open = 1ull << to;
	if (rank->call->measure == MEASURE_LAT) {
		for (i = 0; !ret && i < count; i++) {
			ret = send_one(rank, to, bytes);
			if (!ret)
				ret = receive_one(rank, &to, bytes);
		}
	} else {
		ret = send_all(rank, to, bytes, count);
		if (!ret)
			ret = receive_one(rank, &to, 1);
	}
	part->ns += now_ns() - start;
	part->messages += count;
	return ret;
}

/* Receive messages from one or more clients and reply. */
static int measure_server(struct perf_rank *rank, __u64 clients, size_t bytes, unsigned int count)
{
	bool answer = rank->call->measure == MEASURE_LAT;
	unsigned int from, messages = count * __builtin_popcountll(clients);
	bool one = !(clients & (clients - 1));
	int ret = 0;

	rank->open = clients;
	while (!ret && messages--) {
		from = one ? (unsigned int)__builtin_ctzll(clients) : ANYBODY;
		ret = receive_one(rank, &from, bytes);
		if (!ret && answer)
			ret = send_one(rank, from, bytes);
	}
	for (from = 0; !ret && !answer && from < rank->call->ranks; from++)
		if (clients >> from & 1)
			ret = send_one(rank, from, 1);
	return ret;
}

static int measure_steps(struct perf_rank *rank, size_t bytes, unsigned int count)
{
	const struct call *call = rank->call;
	unsigned int step, partner;
	int ret = 0;

	if (call->between == BETWEEN_ONE)
		return rank->number ? measure_client(rank, 0, bytes, count) :
		       measure_server(rank, (~0ull >> (64 - call->ranks)) & ~1ull, bytes, count);
	for (step = 0; !ret && step < partner_steps(call); step++) {
		partner = partner_of(call, step, rank->number);
		if (partner == ANYBODY)
			continue;
		ret = rank->number < partner ?
		      measure_client(rank, partner, bytes, count) :
		      measure_server(rank, 1ull << partner, bytes, count);
	}
	return ret;
}

/* Combine the measurements of all ranks into a sample. */
static void sample_make(const struct perf_rank *rank, size_t bytes, struct sample *sample)
{
	const struct call *call = rank->call;
	double sum = 0, longest = 0;
	unsigned int i, senders = 0;
	__u64 messages = 0;

	for (i = 0; i < call->ranks; i++) {
		const struct part *part = &rank->shared->parts[i];

		sample->programs.cpu_ns += part->used.cpu_ns;
		sample->programs.switches += part->used.switches;
		if (!part->messages)
			continue;
		senders++;
		messages += part->messages;
		sum += part->ns / (2 * part->messages);
		if (part->ns > longest)
			longest = part->ns;
	}
	if (call->measure == MEASURE_LAT) {
		sample->value = sum / senders;
		sample->messages = 2 * messages;
		return;
	}
	sample->messages = messages;
	sample->value = messages * (call->measure == MEASURE_BW ? bytes : 1) / (longest / 1e9);
}

/*
 * Measure one way: a transport with one kind of waiting. @sample: [out] the result, in rank 0 only.
 */
static int measure_way(struct perf_rank *rank, size_t bytes, unsigned int count,
		       struct sample *sample)
{
	struct part *part = &rank->shared->parts[rank->number];
	const struct transport *transport = transport_of(rank);
	struct usage start, engine = { 0 };
	int ret = 0;

	*sample = (struct sample) { 0 };
	poll_wait_begin(rank);
	if (!rank->number) {
		rank->shared->count = count;
		cpu_usage_engine(transport->torus ? rank->call->fabric : NULL, &engine);
	}
	/*
	 * A rank that fails returns at once. The other ranks may wait for it, but its exit status
	 * ends them.
	 */
	if (transport->tune)
		ret = transport->tune(rank);
	if (ret)
		return ret;
	pthread_barrier_wait(&rank->shared->all);
	/*
	 * clear the measurement only after the barrier, because rank 0 may still have been reading
	 * the previous one
	 */
	*part = (struct part) { 0 };
	cpu_usage_own(&start);
	ret = measure_steps(rank, bytes, rank->shared->count);
	if (ret)
		return ret;
	cpu_usage_own(&part->used);
	cpu_usage_since(&part->used, &start);
	pthread_barrier_wait(&rank->shared->all);
	if (rank->number)
		return 0;
	sample->engine_seen = cpu_usage_engine(transport->torus ? rank->call->fabric : NULL,
					       &sample->engine);
	cpu_usage_since(&sample->engine, &engine);
	sample_make(rank, bytes, sample);
	return 0;
}

/*
 * Find the number of messages that takes about call->time_ms, in rank 0 only. Measure twice,
 * because caches are cold at first. If the command line sets a number, use that number.
 */
static int count_find(struct perf_rank *rank, size_t bytes, unsigned int *count)
{
	const struct call *call = rank->call;
	struct sample sample;
	int ret = 0, i;
	double wanted;

	*count = call->count ? call->count : 4;
	for (i = 0; !ret && i < 2; i++) {
		ret = measure_way(rank, bytes, *count, &sample);
		if (ret || rank->number || call->count)
			continue;
		wanted = call->time_ms * 1e6;
		if (call->measure == MEASURE_LAT)
			wanted /= 2 * sample.value;
		else
			wanted *= sample.value / 1e9 / (call->measure == MEASURE_BW ? bytes : 1);
		if (call->between == BETWEEN_ALL)
			wanted /= partner_steps(call);
		if (!i && wanted > 64)
			wanted = 64;
		*count = wanted < 4 ? 4 : wanted > COUNT_MAX ? COUNT_MAX : (unsigned int)wanted;
	}
	return ret;
}

/**
 * shared_bytes - compute the size of the shared memory
 * @call: the command line
 *
 * Return: bytes.
 */
size_t shared_bytes(const struct call *call)
{
	return sizeof(struct perf_shared) +
	       sizeof(struct sample) * call->rounds * call->sizes.count * call->nways;
}

/**
 * sample_of - look up a sample
 * @call: the command line
 * @shared: the shared memory
 * @round: number of the round
 * @size: index of the message length
 * @way: index of the way in the command line
 *
 * Return: the sample.
 */
struct sample *sample_of(const struct call *call, struct perf_shared *shared, unsigned int round,
			 unsigned int size, unsigned int way)
{
	return &shared->samples[(round * call->sizes.count + size) * call->nways + way];
}

/**
 * measure_rank - run all measurements in the process of a rank
 * @rank: this process
 *
 * Return: 0 or a negative errno, with a message in @rank->why.
 */
int measure_rank(struct perf_rank *rank)
{
	const struct call *call = rank->call;
	unsigned int round, size, i, way;
	unsigned int *counts = calloc(call->sizes.count * call->nways, sizeof(*counts));
	struct sample sample;
	int ret = counts ? 0 : poll_wait_failed(rank, "calloc", -ENOMEM);

	for (size = 0; !ret && size < call->sizes.count; size++) {
		for (way = 0; !ret && way < call->nways; way++) {
			rank->way = call->ways[way];
			ret = count_find(rank, call->sizes.bytes[size],
					 &counts[size * call->nways + way]);
		}
	}
	for (round = 0; !ret && round < call->rounds; round++) {
		for (size = 0; !ret && size < call->sizes.count; size++) {
			for (i = 0; !ret && i < call->nways; i++) {
				way = (round + i) % call->nways;
				rank->way = call->ways[way];
				ret = measure_way(rank, call->sizes.bytes[size],
						  counts[size * call->nways + way], &sample);
				if (!ret && !rank->number)
					*sample_of(call, rank->shared, round, size, way) = sample;
			}
		}
	}
	free(counts);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0
/* Open the matching of two ranks in one thread; send, post, and check events. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "match_pair.h"

static const struct fake_config wide = {
	.nodes = 2, .inject_chunks = 256, .receive_chunks = 256, .shuffle = true,
	.notices = true,
};

static const struct fake_config narrow = {
	.nodes = 2, .inject_chunks = 256, .receive_chunks = 256, .shuffle = true, .xt = true,
	.notices = true,
};

/* on the Cray XT, the fake kernel shuffles the packets of any route */
static const struct fake_config narrow_ordered = {
	.nodes = 2, .inject_chunks = 256, .receive_chunks = 256, .xt = true,
	.notices = true,
};

/**
 * struct setup - a machine of the fake kernel, and a route
 * @fabric: behaviour of the fabric
 * @job: configuration of the job
 */
static const struct setup {
	const struct fake_config *fabric;
	const struct torus_job_config *job;
} setups[] = {
	{ &wide, &ranks_dynamic }, { &wide, &ranks_ordered },
	{ &narrow, &ranks_dynamic }, { &narrow_ordered, &ranks_ordered },
};

struct match_pair test;

static void start_on(const struct setup *setup, const struct torus_match_config *config)
{
	uint32_t i;

	memset(&test, 0, sizeof(test));
	pair_start(&test.pair, setup->fabric, setup->job);
	assert_int_equal(torus_match_open(&test.a, test.pair.a, config), 0);
	assert_int_equal(torus_match_open(&test.b, test.pair.b, config), 0);
	test.sent = malloc(LENGTH_MAX);
	test.got = malloc(LENGTH_MAX);
	for (i = 0; i < LENGTH_MAX; i++)
		test.sent[i] = i * 2654435761u >> 24;
	memset(test.got, UNTOUCHED, LENGTH_MAX);
}

/* Open the matching of two ranks on Blue Gene/L, on an ordered or a dynamic route. */
void match_start(bool ordered)
{
	start_on(&setups[ordered], NULL);
}

void match_stop(void)
{
	torus_match_close(test.a);
	torus_match_close(test.b);
	pair_stop(&test.pair);
	free(test.sent);
	free(test.got);
}

/* Run a test on both machines and both kinds of routes. */
void everywhere(void (*one)(void), const struct torus_match_config *config)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(setups); i++) {
		start_on(&setups[i], config);
		one();
		match_stop();
	}
}

/* Lose the packet after the next @skip packets. */
void lose_after(unsigned int skip)
{
	test.pair.fake.config.lose = test.pair.fake.packets + skip + 1;
}

/* Send a message of rank 0 or 1 to a rank, from byte @offset of test.sent on. */
void send_from(struct torus_match *from, uint32_t dest, __u64 tag, size_t offset,
	       size_t length, unsigned int flags, void *context)
{
	struct iovec part = { test.sent + offset, length };
	struct torus_match_send send = {
		.context = context, .parts = &part, .count = 1, .dest = dest, .tag = tag,
		.data = 0xda7a, .flags = flags | (tag == NO_TAG ? 0 : TORUS_MATCH_TAGGED),
	};

	assert_int_equal(torus_match_send(from, &send), 0);
}

void send_b(__u64 tag, size_t offset, size_t length)
{
	send_from(test.a, 1, tag, offset, length, TORUS_MATCH_SILENT | TORUS_MATCH_INJECT, NULL);
}

void post(struct torus_match *to, uint32_t source, __u64 tag, __u64 ignore, void *buffer,
	  size_t size, void *context)
{
	struct iovec part = { buffer, size };
	struct torus_match_receive receive = {
		.context = context, .parts = &part, .count = 1, .source = source, .tag = tag,
		.ignore = ignore, .flags = tag == NO_TAG ? 0 : TORUS_MATCH_TAGGED,
	};

	assert_int_equal(torus_match_receive(to, &receive), 0);
}

void post_b(__u64 tag, size_t size, void *context)
{
	post(test.b, 0, tag, 0, test.got, size, context);
}

/* Read the next event of a rank, which must have this context. */
const struct torus_match_event *event_of(struct torus_match *match, const void *context)
{
	assert_int_equal(torus_match_events(match, &test.event, 1), 1);
	assert_ptr_equal(test.event.context, context);
	return &test.event;
}

void no_event(struct torus_match *match)
{
	assert_int_equal(torus_match_events(match, &test.event, 1), 0);
}

/* Send message @id of rank 0: its number, then bytes of test.sent from byte @id on. */
void send_numbered(uint32_t id, __u64 tag, size_t length)
{
	struct iovec parts[2] = { { &id, 4 }, { test.sent + id, length - 4 } };
	struct torus_match_send send = {
		.parts = parts, .count = 2, .dest = 1, .tag = tag,
		.flags = TORUS_MATCH_SILENT | TORUS_MATCH_INJECT |
			 (tag == NO_TAG ? 0 : TORUS_MATCH_TAGGED),
	};

	assert_int_equal(torus_match_send(test.a, &send), 0);
}

/*
 * Check the bytes of a message of send_numbered(), whose event was read last.  Return: its number.
 */
uint32_t received_numbered(uint32_t (*length_of)(uint32_t))
{
	const unsigned char *bytes = test.event.buffer;
	uint32_t id;

	assert_int_equal(test.event.error, 0);
	memcpy(&id, bytes, 4);
	assert_int_equal(test.event.length, length_of(id));
	assert_memory_equal(bytes + 4, test.sent + id, length_of(id) - 4);
	return id;
}

/* Check that the next event of rank 1 is a received message, from byte @offset of test.sent on. */
void received(const void *context, __u64 tag, size_t offset, size_t length)
{
	const struct torus_match_event *event = event_of(test.b, context);

	assert_int_equal(event->error, 0);
	assert_int_equal(event->source, 0);
	assert_int_equal(event->tag, tag);
	assert_int_equal(event->length, length);
	assert_int_equal(event->full, length);
	assert_memory_equal(event->buffer, test.sent + offset, length);
}

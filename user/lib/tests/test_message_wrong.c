// SPDX-License-Identifier: GPL-2.0
/*
 * Test messages that are damaged, lost, forged and rejected, with two ranks and the engine in one
 * thread.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include "core/tests/says.h"
#include "../job/crc.h"
#include "../job/job.h"
#include "forge.h"

static void test_damaged_message_is_reported(void **state)
{
	struct fake_config config = ranks_tiny;
	struct pair pair;

	config.corrupt = 2;
	pair_start(&pair, &config, &ranks_ordered);
	pair_send_text(&pair, 0, "first message that is long enough");
	pair_send_text(&pair, 1, "second message that is long enough");
	pair_send_text(&pair, 2, "third");
	pair_settle(&pair);
	pair_expect(&pair, TORUS_MESSAGE_ANY, "first message that is long enough");
	pair_expect_bad(&pair, TORUS_MESSAGE_ANY, "CRC-32");
	pair_expect(&pair, TORUS_MESSAGE_ANY, "third");
	assert_int_equal(pair.counts.damaged, 1);
	pair_stop(&pair);
}

static void test_lost_message_is_reported_in_order(void **state)
{
	struct fake_config config = ranks_tiny;
	struct pair pair;

	config.lose = 2;
	pair_start(&pair, &config, &ranks_ordered);
	pair_send_text(&pair, 0, "first");
	pair_send_text(&pair, 1, "second");
	pair_send_text(&pair, 2, "third");
	pair_settle(&pair);
	pair_expect(&pair, TORUS_MESSAGE_ANY, "first");
	pair_expect_bad(&pair, TORUS_MESSAGE_ANY, "message 1 rank 0 lost");
	pair_expect(&pair, TORUS_MESSAGE_ANY, "third");
	assert_int_equal(pair.counts.lost, 1);
	pair_stop(&pair);
}

static void test_lost_packet_is_reported_in_order(void **state)
{
	static const char zeros[1000];
	struct fake_config config = ranks_tiny;
	struct pair pair;

	config.lose = 3;
	pair_start(&pair, &config, &ranks_ordered);
	assert_int_equal(torus_message_start(pair.a, 1, 9, zeros, sizeof(zeros), NULL), 0);
	pair_send_text(&pair, 1, "second");
	pair_settle(&pair);
	pair_expect_bad(&pair, TORUS_MESSAGE_ANY, "message 0 rank 1 packet");
	pair_expect(&pair, TORUS_MESSAGE_ANY, "second");
	assert_int_equal(pair.counts.lost, 1);
	/* no more chunks of the lost message are expected */
	assert_int_equal(pair.b->coming, 0);
	pair_stop(&pair);
}

static const struct forged honest = {
	.key = RANKS_KEY, .dest = 1, .kind = 1, .source = 0, .length = 1000, .chunks = 8,
};

static void forge(struct pair *pair, const struct forged *forged)
{
	const uint32_t coords[3] = { 1, 0, 0 };
	unsigned char packet[256] = { 0 };
	struct torus_bgl_header header;
	uint32_t check;

	torus_bgl_header_init(&header, TORUS_ROUTE_DYNAMIC, coords, 0, 32 * forged->chunks);
	assert_int_equal(torus_bgl_header_build(packet, &header), 0);
	torus_store_be32(packet + 12, forged->kind << 24 | forged->source);
	torus_store_be32(packet + 16, forged->number);
	torus_store_be32(packet + 20, forged->length);
	torus_store_be32(packet + 24, forged->index);
	torus_store_be32(packet + 28, forged->tag);
	{
		unsigned char fields[8];

		torus_store_be32(fields, forged->key);
		torus_store_be32(fields + 4, forged->dest);
		check = torus_lib_crc32(torus_lib_crc32(0, fields, 8), packet + 12, 20);
	}
	torus_store_be32(packet + 8, check);
	fake_deliver(&pair->fake, 1, 0, packet);
	pair_settle(pair);
}

static void test_forged_packets_are_counted(void **state)
{
	struct torus_job_config config = ranks_dynamic;
	struct pair pair;

	config.length_max = 1000000;
	pair_start(&pair, &ranks_tiny, &config);
	pair_settle(&pair);
	FORGE(key, RANKS_KEY ^ 1, rejected_key);
	FORGE(dest, 0, rejected_key);
	FORGE(chunks, 1, rejected_key);
	FORGE(source, 1, rejected_source);
	FORGE(source, FAKE_NODES, rejected_source);
	FORGE(source, 0xffffff, rejected_source);
	FORGE(kind, 0, rejected_mismatch);
	FORGE(kind, 8, rejected_mismatch);
	FORGE(length, 1000001, rejected_size);
	FORGE(length, ~0u, rejected_size);
	FORGE(length, 1, rejected_size);
	FORGE(chunks, 7, rejected_size);
	FORGE(index, 5, rejected_index);
	FORGE(index, ~0u, rejected_index);
	FORGE(number, 1u << 20, rejected_number);
	FORGE(number, -1, rejected_duplicate);
	FORGE(number, 1u << 31, rejected_duplicate);
	/* first a valid packet, then variations of it */
	forge(&pair, &honest);
	assert_int_equal(pair.counts.received_packets, 1);
	FORGE(index, 0, rejected_duplicate);
	FORGE(tag, 1, rejected_mismatch);
	FORGE(kind, 2, rejected_mismatch);
	FORGE(length, 1001, rejected_mismatch);
	assert_int_equal(pair.counts.received_packets, 1);
	pair_stop(&pair);
}

static void test_message_longer_than_memory(void **state)
{
	struct torus_job_config config = ranks_dynamic;
	char *large = calloc(1, 100000);
	struct torus_message_info info;
	struct pair pair;
	int i, ret = 0;
	void *data;

	config.memory_max = 50000;
	pair_start(&pair, &ranks_tiny, &config);
	/* a message longer than memory_max is received when it is alone */
	for (i = 0; i < 3; i++)
		assert_int_equal(torus_message_start(pair.a, 1, i, large, 100000, NULL), 0);
	for (i = 0; i < 3; i++) {
		do {
			torus_job_progress(pair.a);
			fake_step(&pair.fake);
			ret = torus_message_probe(pair.b, 0, i, &info, 0);
		} while (ret == -EAGAIN);
		assert_int_equal(ret, 0);
		while (torus_job_progress(pair.a) + fake_step(&pair.fake) > 0)
			;
		ret = torus_message_receive(pair.b, 0, 77, NULL, 0, NULL, 0);
		assert_int_equal(ret, i < 2 ? -ENOBUFS : -EAGAIN);
		assert_int_equal(torus_message_receive(pair.b, 0, i, NULL, 0, &info, 0),
				 -EMSGSIZE);
		assert_int_equal(info.length, 100000);
		assert_int_equal(torus_message_take(pair.b, 0, i, &data, &info, 0), 0);
		assert_memory_equal(data, large, 100000);
		free(data);
	}
	torus_job_counts(pair.b, &pair.counts);
	assert_int_equal(pair.counts.memory, 0);
	assert_true(pair.counts.memory_peak < 110000);
	free(large);
	pair_stop(&pair);
}

/* Let both ranks progress until no packet moves any more. */
static void pair_move(struct pair *pair)
{
	int i, moved = 1;

	for (i = 0; i < 10000 && moved; i++) {
		moved = torus_job_progress(pair->a) > 0;
		moved |= fake_step(&pair->fake) > 0;
		moved |= torus_job_progress(pair->b) > 0;
	}
}

/*
 * Fill rank 0's memory with messages of rank 1, and its ring with packets of messages that rank 1
 * does not take.
 */
static void pair_fill(struct pair *pair, enum torus_route route, const char *bytes, uint32_t length)
{
	struct torus_job_config config = route == TORUS_ROUTE_ORDERED ? ranks_ordered :
									ranks_dynamic;
	int i;

	config.memory_max = 1000;
	pair_start(pair, &ranks_tiny, &config);
	for (i = 0; i < 20; i++)
		assert_int_equal(torus_message_start(pair->b, 0, i, bytes, 600, NULL), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(torus_message_start(pair->a, 1, 90, bytes, length, NULL), 0);
	pair_move(pair);
}

static void pair_take(struct pair *pair, void *room, uint32_t size)
{
	int i;

	for (i = 0; i < 100; i++) {
		while (!torus_message_receive(pair->a, 1, TORUS_MESSAGE_ANY, room, size, NULL, 0))
			;
		while (!torus_message_receive(pair->b, 0, 90, room, size, NULL, 0))
			;
		pair_move(pair);
	}
}

/* After -ENOBUFS, take other messages and send the message again. */
static void send_again(enum torus_route route)
{
	static char bytes[20000], room[20000];
	struct pair pair;

	pair_fill(&pair, route, bytes, sizeof(bytes));
	assert_int_equal(torus_message_send(pair.a, 1, 7, "hello", 6), -ENOBUFS);
	assert_says(torus_error_text(), "memory_max 1000");
	pair_take(&pair, room, sizeof(room));
	assert_int_equal(torus_message_start(pair.a, 1, 7, "hello", 6, NULL), 0);
	pair_move(&pair);
	assert_int_equal(torus_message_receive(pair.b, 0, 7, room, sizeof(room), NULL, 0), 0);
	assert_string_equal(room, "hello");
	pair_stop(&pair);
}

static void test_send_again(void **state)
{
	send_again(TORUS_ROUTE_DYNAMIC);
	send_again(TORUS_ROUTE_ORDERED);
}

/* Send a message to rank 1, of which a part leaves, and return it, allocated. */
static char *send_part(struct pair *pair, enum torus_route route, uint32_t length)
{
	static char zeros[20000];
	char *sent = ranks_content(0, 1, length, length), *bytes = malloc(length);

	assert_true(sent && bytes);
	memcpy(bytes, sent, length);
	pair_fill(pair, route, zeros, 1);
	assert_int_equal(torus_message_send(pair->a, 1, 7, bytes, length), 0);
	free(bytes);
	return sent;
}

/*
 * A part of the message has left when memory_max stops the ring: the rest arrives later, and the
 * buffer may be freed.  The next message, none of whose packets has left, is rejected.  Return:
 * number of packets that leave before the rest.
 */
static uint32_t send_half(enum torus_route route, uint32_t length)
{
	static char room[200000];
	struct torus_message_info info;
	struct pair pair;
	char *sent = send_part(&pair, route, length);
	uint32_t left = pair.a->peers[1]->sends->index;

	assert_int_equal(torus_message_flush(pair.a, 0), -ENOBUFS);
	assert_int_equal(torus_message_send(pair.a, 1, 7, sent, length), -ENOBUFS);
	assert_says(torus_error_text(), "memory_max 1000");
	pair_take(&pair, room, sizeof(room));
	assert_int_equal(torus_message_start(pair.a, 1, 8, "hello", 6, NULL), 0);
	pair_move(&pair);
	assert_int_equal(torus_message_receive(pair.b, 0, 7, room, sizeof(room), &info, 0), 0);
	assert_int_equal(info.length, length);
	assert_memory_equal(room, sent, length);
	assert_int_equal(torus_message_receive(pair.b, 0, 7, room, sizeof(room), &info, 0),
			 -EAGAIN);
	assert_int_equal(torus_message_receive(pair.b, 0, 8, room, sizeof(room), &info, 0), 0);
	assert_int_equal(torus_message_flush(pair.a, 0), 0);
	pair_stop(&pair);
	free(sent);
	return left;
}

static void test_send_half(void **state)
{
	uint32_t left = send_half(TORUS_ROUTE_DYNAMIC, 200000);

	/* The rest is the end of the trailer, the trailer, or a byte and the trailer. */
	assert_int_equal(send_half(TORUS_ROUTE_DYNAMIC, left * FAKE_PAYLOAD - 2), left);
	assert_int_equal(send_half(TORUS_ROUTE_DYNAMIC, left * FAKE_PAYLOAD), left);
	assert_int_equal(send_half(TORUS_ROUTE_DYNAMIC, left * FAKE_PAYLOAD + 1), left);
	send_half(TORUS_ROUTE_ORDERED, 200000);
}

/* The job is closed before the rest is sent. */
static void test_close_half(void **state)
{
	struct pair pair;

	free(send_part(&pair, TORUS_ROUTE_DYNAMIC, 200000));
	pair_stop(&pair);
}

static void test_tags_and_handles(void **state)
{
	struct torus_message_info info;
	struct torus_send *send;
	char large[20000] = "large";
	struct pair pair;
	char data[8];
	int ret;

	pair_start(&pair, &ranks_tiny, &ranks_dynamic);
	pair_send_text(&pair, 5, "five");
	pair_send_text(&pair, 6, "six");
	pair_send_text(&pair, 5, "cinq");
	pair_settle(&pair);
	assert_int_equal(torus_message_receive(pair.b, 0, 6, data, 8, &info, 0), 0);
	assert_memory_equal(data, "six", 3);
	assert_int_equal(torus_message_probe(pair.b, TORUS_MESSAGE_ANY, 5, &info, 0), 0);
	assert_int_equal(info.length, 4);
	pair_expect(&pair, TORUS_MESSAGE_ANY, "five");
	pair_expect(&pair, TORUS_MESSAGE_ANY, "cinq");
	assert_int_equal(torus_message_receive(pair.b, 0, 6, data, 8, &info, 0), -EAGAIN);
	assert_int_equal(torus_message_receive(pair.b, 0, 6, data, 8, &info, 20), -ETIMEDOUT);
	assert_int_equal(torus_message_receive(pair.b, 8, 6, data, 8, &info, 0), -EINVAL);
	assert_says(torus_error_text(), "rank 8 job");
	assert_int_equal(torus_message_receive(pair.b, 0, 1ll << 32, data, 8, &info, 0), -EINVAL);

	assert_int_equal(torus_message_start(pair.a, 8, 0, large, 1, &send), -EINVAL);
	assert_int_equal(torus_message_start(pair.a, 1, 0, large, sizeof(large), &send), 0);
	assert_int_equal(torus_message_wait(pair.a, send, 0), -EAGAIN);
	assert_int_equal(torus_message_wait(pair.a, send, 20), -ETIMEDOUT);
	assert_int_equal(torus_message_flush(pair.a, 20), -ETIMEDOUT);
	do {
		fake_step(&pair.fake);
		torus_job_progress(pair.b);
		ret = torus_message_test(pair.a, send);
	} while (!ret);
	assert_int_equal(ret, 1);
	pair_settle(&pair);
	assert_int_equal(torus_message_flush(pair.a, 0), 0);

	/* messages to the rank itself are kept in memory, in order */
	assert_int_equal(torus_message_send(pair.b, 1, 3, "self", 4), 0);
	assert_int_equal(torus_message_send(pair.b, 1, 4, "", 0), 0);
	assert_int_equal(torus_message_receive(pair.b, 1, TORUS_MESSAGE_ANY, data, 8, &info, 0),
			 0);
	assert_memory_equal(data, "self", 4);
	assert_int_equal(info.tag, 3);
	assert_int_equal(torus_message_receive(pair.b, 1, 4, data, 8, &info, 0), 0);
	assert_int_equal(info.length, 0);
	pair_stop(&pair);
}

static void test_cancelled_sends_leave_the_rest(void **state)
{
	static const char zeros[100000];
	struct pair pair;

	/* close with messages in every state, for ASan */
	pair_start(&pair, &ranks_tiny, &ranks_ordered);
	assert_int_equal(torus_message_start(pair.a, 1, 0, zeros, sizeof(zeros), NULL), 0);
	assert_int_equal(torus_message_start(pair.a, 1, 0, zeros, sizeof(zeros), NULL), 0);
	assert_int_equal(torus_message_start(pair.a, 2, 0, zeros, sizeof(zeros), NULL), 0);
	torus_job_progress(pair.a);
	fake_step(&pair.fake);
	torus_job_progress(pair.b);
	pair_stop(&pair);
}

static void test_refused_packets_are_reported(void **state)
{
	struct pair pair;

	pair_start(&pair, &ranks_tiny, &ranks_dynamic);
	/* change the destination in the ring, so that the kernel rejects the packet */
	((unsigned char *)pair.fake.node[0].inject[0])[0] = 0;
	pair_send_text(&pair, 0, "first");
	assert_true(torus_job_progress(pair.a) > 0);
	((unsigned char *)pair.fake.node[0].inject[0])[3] = 9;
	fake_step(&pair.fake);
	assert_int_equal(torus_job_progress(pair.a), -ECOMM);
	assert_says(torus_error_text(), "injection FIFO 0 1 packet destination");
	assert_int_equal(torus_job_progress(pair.a), 0);
	pair_stop(&pair);
}

static void test_open_refused(void **state)
{
	struct torus_member members[2] = { { 0, 0 }, { 0, 0 } };
	struct torus_job_config config = {
		.unconnected = true, .key = RANKS_KEY, .members = members, .count = 2,
	};
	struct torus_context *context;
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &ranks_tiny);
	context = fake.node[0].context;
	assert_int_equal(torus_job_open(&job, context, &config), -EINVAL);
	assert_says(torus_error_text(), "rank 0 1 node group");
	members[1].node = FAKE_NODES;
	assert_int_equal(torus_job_open(&job, context, &config), -ERANGE);
	members[0].node = 1;
	members[1].node = 2;
	assert_int_equal(torus_job_open(&job, context, &config), -EINVAL);
	assert_says(torus_error_text(), "node 0 group member");
	config.members = NULL;
	config.route = TORUS_ROUTE_PRIORITY;
	context->info.features = 0;
	assert_int_equal(torus_job_open(&job, context, &config), -EPERM);
	config.route = TORUS_ROUTE_DYNAMIC;
	memcpy(context->info.arch, "xt", 3);
	assert_int_equal(torus_job_open(&job, context, &config), -EOPNOTSUPP);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_damaged_message_is_reported),
		cmocka_unit_test(test_lost_message_is_reported_in_order),
		cmocka_unit_test(test_lost_packet_is_reported_in_order),
		cmocka_unit_test(test_forged_packets_are_counted),
		cmocka_unit_test(test_message_longer_than_memory),
		cmocka_unit_test(test_send_again),
		cmocka_unit_test(test_send_half),
		cmocka_unit_test(test_close_half),
		cmocka_unit_test(test_tags_and_handles),
		cmocka_unit_test(test_cancelled_sends_leave_the_rest),
		cmocka_unit_test(test_refused_packets_are_reported),
		cmocka_unit_test(test_open_refused),
	};

	return cmocka_run_group_tests_name("message wrong", tests, NULL, NULL);
}

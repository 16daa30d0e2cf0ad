// SPDX-License-Identifier: GPL-2.0
/* Test messages in the narrow format of the Cray XT's short packets: see <torus/message.h>. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/collective.h>
#include <torus/xt.h>
#include "core/tests/says.h"
#include "../job/crc.h"
#include "../job/job.h"
#include "../job/peer.h"
#include "forge.h"

#define LENGTHS	(3 * FAKE_XT_PAYLOAD + 1)	/* lengths from 0 bytes to three full packets */

static struct fake_config xt_of(const struct fake_config *config)
{
	struct fake_config xt = *config;

	xt.xt = true;
	return xt;
}

static void xt_pair(struct pair *pair, const struct fake_config *config,
		    const struct torus_job_config *job)
{
	const struct fake_config xt = xt_of(config);

	pair_start(pair, &xt, job);
}

/*
 * A packet of 64 data bytes has at least 48 bytes of a message; a message of 40 bytes needs one
 * packet.
 */
static void test_payload(void **state)
{
	struct pair pair;

	xt_pair(&pair, &ranks_tiny, &ranks_ordered);
	assert_true(torus_job_payload(pair.a) >= 48);
	assert_int_equal(torus_job_payload(pair.a), FAKE_XT_PAYLOAD);
	assert_int_equal(torus_msg_packets(&pair.a->format, 40), 1);
	assert_int_equal(torus_msg_packets(&pair.a->format, 41), 2);
	assert_int_equal(torus_msg_packets(&pair.a->format, 48 * 100 - 8), 100);
	assert_int_equal(torus_msg_chunks(&pair.a->format, 48 * 2, 0), 9);
	assert_int_equal(torus_msg_chunks(&pair.a->format, 0, 0), 4);
	pair_stop(&pair);
}

/* ------------------------------------------------------------ the words themselves */

static void view_of(struct torus_view *view, const unsigned char *bytes, unsigned int chunks)
{
	*view = (struct torus_view) {
		.chunks = chunks, .bytes = chunks * FAKE_XT_CHUNK, .part = { bytes, bytes },
		.part_bytes = { chunks * FAKE_XT_CHUNK },
	};
}

static void test_words(void **state)
{
	static const unsigned int kinds[] = {
		KIND_DATA, KIND_BARRIER, KIND_ALLTOALL, KIND_WIREUP, KIND_COLLECTIVE, KIND_TREE,
		KIND_MATCH, KIND_BULK,
	};
	unsigned char packet[FAKE_XT_CHUNK * FAKE_XT_CHUNKS] = { 0 }, word[4];
	struct packet_fields in, out;
	const struct msg_format *format;
	uint32_t before, check, source;
	__u64 random = 7;
	struct torus_view view;
	struct pair pair;
	unsigned int i;

	xt_pair(&pair, &ranks_tiny, &ranks_ordered);
	format = &pair.a->format;
	view_of(&view, packet, FAKE_XT_CHUNKS);
	for (i = 0; i < 2000; i++) {
		uint32_t dest = fake_random(&random) & 0xffff;
		uint32_t other = (dest + 1 + fake_random(&random) % 0xffff) & 0xffff;

		in = (struct packet_fields) {
			.kind = kinds[fake_random(&random) % ARRAY_SIZE(kinds)] |
				(fake_random(&random) & 0xc0),
			.source = fake_random(&random) & 0xffff,
			.number = (uint32_t)fake_random(&random) >> fake_random(&random) % 32,
			.length = (uint32_t)fake_random(&random),
			.index = (uint32_t)fake_random(&random) & 0x7ffffff,
		};
		torus_store_be32(word, (uint32_t)fake_random(&random));
		before = torus_lib_crc32(0, word, 4);
		torus_store_be32(word, dest);
		check = torus_lib_crc32(before, word, 4);
		torus_msg_header_write(format, packet, &in, check);
		assert_int_equal(torus_msg_kind(format, &view), in.kind);
		assert_int_equal(torus_msg_dest(format, &view, before, &source), dest);
		assert_int_equal(source, in.source);
		assert_true(torus_msg_header_read(format, &view, check, &out));
		assert_memory_equal(&in, &out, sizeof(in));
		torus_store_be32(word, other);
		assert_false(torus_msg_header_read(format, &view, torus_lib_crc32(before, word, 4),
						   &out));
	}
	pair_stop(&pair);
}

/* ------------------------------------------------------------ every length */

static void *program_lengths(void *data)
{
	struct rank *rank = data;
	uint32_t other = 1 - rank->number, i;
	struct torus_message_info info;
	void *bytes;
	int ret;

	for (i = 0; i <= LENGTHS && !rank->failed; i++) {
		uint32_t length = i < LENGTHS ? i : 100003;

		bytes = ranks_content(rank->number, other, i, length);
		ret = torus_message_send(rank->job, other, ~i, bytes, length);
		MUST(!ret, ret);
		free(bytes);
	}
	for (i = 0; i <= LENGTHS && !rank->failed; i++) {
		/* ask for half of the messages by tag, for half in order */
		ret = torus_message_take(rank->job, other, i & 1 ? ~i : TORUS_MESSAGE_ANY, &bytes,
					 &info, 60000);
		MUST(!ret, ret);
		if (ret)
			return NULL;
		MUST(info.tag == ~i && info.length == (i < LENGTHS ? i : 100003), i);
		MUST(ranks_content_right(bytes, other, rank->number, i, info.length), i);
		free(bytes);
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	return NULL;
}

static void lengths_by(const struct fake_config *config, const struct torus_job_config *job)
{
	struct fake_config xt = xt_of(config);
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	xt.nodes = 2;
	ranks_run(&xt, job, program_lengths, ranks, &fake);
	assert_int_equal(ranks[0].counts.received_messages, LENGTHS + 1);
	assert_int_equal(ranks[0].counts.damaged, 0);
	assert_int_equal(ranks[0].counts.lost, 0);
	assert_int_equal(ranks[0].counts.memory, 0);
	fake_stop(&fake);
}

static void test_every_length_in_order(void **state)
{
	lengths_by(&ranks_tiny, &ranks_ordered);
}

/*
 * Get the chunks written into the injection rings of rank @number: of the first and the second
 * FIFO.
 */
static void written(struct fake *fake, unsigned int number, uint32_t *chunks)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		chunks[i] = fake_control_inject(&fake->node[number], i)->tail;
}

/*
 * A job of the second packet class sends its messages, and nothing else, through the FIFO of that
 * class.
 */
static void test_second_class(void **state)
{
	static const struct torus_job_config *const classes[] = {
		&ranks_ordered, &ranks_second,
	};
	struct torus_xt_header header;
	struct pair pair;
	uint32_t chunks[2];
	unsigned int i;

	lengths_by(&ranks_tiny, &ranks_second);
	for (i = 0; i < 2; i++) {
		xt_pair(&pair, &ranks_tiny, classes[i]);
		pair_send_text(&pair, 5, "of a class");
		pair_settle(&pair);
		pair_expect(&pair, 5, "of a class");
		written(&pair.fake, 0, chunks);
		assert_true(chunks[i] > 0);
		assert_int_equal(chunks[!i], 0);
		torus_xt_header_parse(pair.fake.node[0].inject[i], &header);
		assert_int_equal(header.vc, i ? TORUS_XT_SECOND : TORUS_XT_FIRST);
		pair_stop(&pair);
	}
}

/* Packets overtake each other, are duplicated, and are mixed with random ones. */
static void test_every_length_wild(void **state)
{
	lengths_by(&ranks_wild, &ranks_dynamic);
}

/* ------------------------------------------------------------ numbers */

static void number_from(struct pair *pair, uint32_t number)
{
	struct peer *peer;

	assert_int_equal(torus_job_peer(pair->a, 1, &peer), 0);
	peer->send_number = number;
	assert_int_equal(torus_job_peer(pair->b, 0, &peer), 0);
	peer->receive_number = number;
}

/* The lower half of a message number wraps to 0, later the whole number. */
static void test_numbers_go_on(void **state)
{
	static const uint32_t starts[] = { 0xfffe, 0x1fffe, 0x7ffffffe, 0xfffffffe };
	unsigned int i, j;
	struct pair pair;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		xt_pair(&pair, &ranks_tiny, &ranks_ordered);
		number_from(&pair, starts[i]);
		for (j = 0; j < 4; j++)
			pair_send_text(&pair, j, "a message of more than one packet, by bytes");
		pair_settle(&pair);
		for (j = 0; j < 4; j++)
			pair_expect(&pair, j, "a message of more than one packet, by bytes");
		assert_int_equal(pair.counts.rejected_key, 0);
		pair_stop(&pair);
	}
}

static const struct forged honest = {
	.key = RANKS_KEY, .dest = 1, .kind = KIND_DATA, .length = 1000, .chunks = FAKE_XT_CHUNKS,
};

static void forge(struct pair *pair, const struct forged *forged)
{
	unsigned char packet[FAKE_XT_CHUNK * FAKE_XT_CHUNKS] = { 0 }, seal[8];
	struct torus_xt_header header;

	torus_xt_header_init(&header, 1, 0, (size_t)FAKE_XT_CHUNK * forged->chunks);
	assert_int_equal(torus_xt_header_build(packet, &header), 0);
	torus_store_be32(packet + 12, (forged->kind & 0xc0) << 24 | (forged->kind & 7) << 27 |
				      forged->index);
	torus_store_be32(packet + 16, forged->source << 16 | (forged->number & 0xffff));
	torus_store_be32(packet + 20, forged->length);
	torus_store_be32(seal, forged->key);
	torus_store_be32(seal + 4, (forged->number & 0xffff0000) | forged->dest);
	torus_store_be32(packet + 8, torus_lib_crc32(torus_lib_crc32(0, seal, 8), packet + 12,
						     FAKE_XT_FIELDS));
	fake_deliver(&pair->fake, 1, 0, packet);
	pair_settle(pair);
}

static void test_forged_packets_are_counted(void **state)
{
	struct torus_job_config config = ranks_dynamic;
	struct pair pair;

	config.length_max = 1000000;
	xt_pair(&pair, &ranks_tiny, &config);
	pair_settle(&pair);
	FORGE(key, RANKS_KEY ^ 1, rejected_key);
	FORGE(dest, 0, rejected_key);
	FORGE(dest, 0x8001, rejected_key);
	FORGE(chunks, 3, rejected_key);
	FORGE(source, 1, rejected_source);
	FORGE(source, FAKE_NODES, rejected_source);
	FORGE(source, 0xffff, rejected_source);
	/* in the narrow format these stand for KIND_MATCH and KIND_BULK, and no matching is open */
	FORGE(kind, KIND_LOST, rejected_mismatch);
	FORGE(kind, KIND_BROADCAST, rejected_mismatch);
	FORGE(length, 1000001, rejected_size);
	FORGE(length, 1, rejected_size);
	FORGE(chunks, 8, rejected_size);
	FORGE(index, 21, rejected_index);
	FORGE(index, 0x7ffffff, rejected_index);
	FORGE(number, 1u << 20, rejected_number);
	FORGE(number, -1, rejected_duplicate);
	FORGE(number, 1u << 31, rejected_duplicate);
	/* first a valid packet, then variations of it */
	forge(&pair, &honest);
	assert_int_equal(pair.counts.received_packets, 1);
	FORGE(index, 0, rejected_duplicate);
	FORGE(kind, KIND_BARRIER, rejected_mismatch);
	FORGE(length, 1001, rejected_mismatch);
	assert_int_equal(pair.counts.received_packets, 1);
	pair_stop(&pair);
}

/* A duplicate arrives when the lower half of the message number has wrapped around. */
static void test_old_duplicate_is_none_of_the_new(void **state)
{
	struct forged forged = honest;
	struct pair pair;

	xt_pair(&pair, &ranks_tiny, &ranks_dynamic);
	forge(&pair, &forged);
	assert_int_equal(pair.counts.received_packets, 1);
	number_from(&pair, 0x10000);
	forge(&pair, &forged);
	assert_int_equal(pair.counts.received_packets, 1);
	assert_int_equal(pair.counts.rejected_duplicate, 1);
	forged.number = 0x10000;
	forge(&pair, &forged);
	assert_int_equal(pair.counts.received_packets, 2);
	/* also accept a packet whose message number is 65536 more than the last one */
	forged.number = 0x20000;
	forge(&pair, &forged);
	assert_int_equal(pair.counts.received_packets, 3);
	pair_stop(&pair);
}

/* ------------------------------------------------------------ damaged and lost */

static void test_damaged_message_is_reported(void **state)
{
	struct fake_config config = ranks_tiny;
	struct pair pair;

	config.corrupt = 2;
	xt_pair(&pair, &config, &ranks_ordered);
	pair_send_text(&pair, 5, "the first is as long as the second one");
	pair_send_text(&pair, 6, "the second is as long as the first one");
	pair_send_text(&pair, 7, "third");
	pair_settle(&pair);
	/* the tag is not known, so the message matches any tag */
	pair_expect_bad(&pair, 7, "message 1 rank 0 CRC-32");
	pair_expect(&pair, 7, "third");
	pair_expect(&pair, 5, "the first is as long as the second one");
	assert_int_equal(pair.counts.damaged, 1);
	pair_stop(&pair);
}

static void test_lost_packet_is_reported(void **state)
{
	static const char zeros[1000];
	struct fake_config config = ranks_tiny;
	unsigned int lost;
	struct pair pair;

	/* lose the first, the eleventh or the last packet; the last one contains the tag */
	for (lost = 1; lost <= 21; lost += 10) {
		config.lose = lost;
		xt_pair(&pair, &config, &ranks_ordered);
		assert_int_equal(torus_message_start(pair.a, 1, 9, zeros, sizeof(zeros), NULL), 0);
		pair_send_text(&pair, 1, "second");
		pair_settle(&pair);
		pair_expect_bad(&pair, 77, "message 0 rank 1 packet");
		pair_expect(&pair, 1, "second");
		assert_int_equal(pair.counts.lost, 1);
		pair_stop(&pair);
	}
}

/* ------------------------------------------------------------ jobs */

static void test_ranks_beyond_the_form(void **state)
{
	static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };
	const struct fake_config xt = xt_of(&ranks_tiny);
	struct torus_job_config config = ranks_ordered;
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &xt);
	config.members = members;
	/* The count is too large for the list, so the list must not be read. */
	config.count = 65537;
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), -EINVAL);
	assert_says(torus_error_text(), "65537 member 1 65536");
	fake_stop(&fake);
}

/* Open a job, broadcast down a tree, run a barrier, and close. */
static void *program_job(void *data)
{
	const struct torus_job_config config = { .key = RANKS_KEY, .route = TORUS_ROUTE_ORDERED };
	struct rank *rank = data;
	char text[200] = "";
	int ret;

	ret = torus_job_open(&rank->job, rank->fake->node[rank->number].context, &config);
	MUST(!ret, ret);
	if (ret)
		return NULL;
	if (rank->number == 3)
		strcpy(text, "from rank 3 to all");
	ret = torus_broadcast(rank->job, 3, TORUS_BROADCAST_CUBE, text, sizeof(text), 60000);
	MUST(!ret, ret);
	MUST(!strcmp(text, "from rank 3 to all"), 0);
	ret = torus_job_barrier(rank->job, 60000);
	MUST(!ret, ret);
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	torus_job_counts(rank->job, &rank->counts);
	torus_job_close(rank->job);
	return NULL;
}

static void test_connect_and_broadcast(void **state)
{
	struct rank ranks[FAKE_NODES];
	struct fake_config xt = xt_of(&ranks_tiny);
	struct fake fake;
	unsigned int i;

	xt.nodes = FAKE_NODES;
	fake_start(&fake, &xt);
	fake_run(&fake);
	for (i = 0; i < FAKE_NODES; i++) {
		torus_wait_tune(fake.node[i].context, 10, 2);
		ranks[i] = (struct rank) { .fake = &fake, .number = i, .count = FAKE_NODES };
		assert_int_equal(pthread_create(&ranks[i].thread, NULL, program_job, &ranks[i]), 0);
	}
	for (i = 0; i < FAKE_NODES; i++)
		pthread_join(ranks[i].thread, NULL);
	for (i = 0; i < FAKE_NODES; i++)
		if (ranks[i].failed)
			fail_msg("rank %u: %s", i, ranks[i].failed);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payload),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_every_length_in_order),
		cmocka_unit_test(test_second_class),
		cmocka_unit_test(test_every_length_wild),
		cmocka_unit_test(test_numbers_go_on),
		cmocka_unit_test(test_forged_packets_are_counted),
		cmocka_unit_test(test_old_duplicate_is_none_of_the_new),
		cmocka_unit_test(test_damaged_message_is_reported),
		cmocka_unit_test(test_lost_packet_is_reported),
		cmocka_unit_test(test_ranks_beyond_the_form),
		cmocka_unit_test(test_connect_and_broadcast),
	};

	return cmocka_run_group_tests_name("message xt", tests, NULL, NULL);
}

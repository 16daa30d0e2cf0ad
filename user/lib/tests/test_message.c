// SPDX-License-Identifier: GPL-2.0
/*
 * Messages, over a network that reorders, repeats, damages, loses, and carries
 * what nobody sent.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <torus/bgl.h>
#include <torus/message.h>
#include "../crc.h"
#include "fake.h"

#define KEY	0xc0ffee11u

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct rank - one process of a job, here a thread
 */
struct rank {
	struct fake *fake;
	struct torus_job *job;
	unsigned int number;
	unsigned int count;
	const char *failed;
	int error;
	pthread_t thread;
	struct torus_job_counts counts;
};

static void must(struct rank *rank, bool good, const char *what, int error)
{
	if (good || rank->failed)
		return;
	rank->failed = what;
	rank->error = error;
	fprintf(stderr, "rank %u: %s: %d: %s\n", rank->number, what, error, torus_error_text());
}

#define MUST(condition, error)	must(rank, condition, #condition, error)

static unsigned char content(__u32 source, __u32 dest, __u32 id, __u32 at)
{
	__u64 seed = (__u64)source << 40 ^ (__u64)dest << 20 ^ id ^ (__u64)(at / 8) << 3;

	return fake_random(&seed) >> at % 8 * 8;
}

static void *content_make(__u32 source, __u32 dest, __u32 id, __u32 length)
{
	unsigned char *bytes = malloc(length + 1);
	__u32 i;

	for (i = 0; bytes && i < length; i++)
		bytes[i] = content(source, dest, id, i);
	return bytes;
}

static bool content_right(const unsigned char *bytes, __u32 source, __u32 dest, __u32 id,
			  __u32 length)
{
	__u32 i;

	for (i = 0; i < length; i++)
		if (bytes[i] != content(source, dest, id, i))
			return false;
	return true;
}

static struct torus_job *job_open(struct fake *fake, unsigned int node,
				  const struct torus_job_config *config)
{
	struct torus_job *job;

	if (torus_job_open(&job, fake->node[node].context, config)) {
		fprintf(stderr, "open: %s\n", torus_error_text());
		abort();
	}
	return job;
}

static void run_ranks(const struct fake_config *config, const struct torus_job_config *how,
		      void *(*program)(void *), struct rank *ranks, struct fake *fake)
{
	struct torus_member members[FAKE_NODES] = { 0 };
	struct torus_job_config job = *how;
	unsigned int i;

	fake_start(fake, config);
	for (i = 0; i < config->nodes; i++)
		members[i].node = i;
	job.members = members;
	job.count = config->nodes;
	for (i = 0; i < config->nodes; i++) {
		torus_wait_tune(fake->node[i].context, 10, 2);
		ranks[i] = (struct rank) {
			.fake = fake, .number = i, .count = config->nodes,
			.job = job_open(fake, i, &job),
		};
	}
	fake_run(fake);
	for (i = 0; i < config->nodes; i++)
		assert_int_equal(pthread_create(&ranks[i].thread, NULL, program, &ranks[i]), 0);
	for (i = 0; i < config->nodes; i++)
		pthread_join(ranks[i].thread, NULL);
	for (i = 0; i < config->nodes; i++) {
		torus_job_counts(ranks[i].job, &ranks[i].counts);
		torus_job_close(ranks[i].job);
		if (ranks[i].failed)
			fail_msg("rank %u: %s", i, ranks[i].failed);
	}
}

static const struct fake_config tiny = {
	.nodes = 2, .inject_chunks = 16, .receive_chunks = 16,
};

static const struct fake_config wild = {
	.nodes = FAKE_NODES, .inject_chunks = 32, .receive_chunks = 64, .shuffle = true,
	.duplicate = 5, .garbage = 4,
};

static const struct torus_job_config dynamic = { .key = KEY, .route = TORUS_ROUTE_DYNAMIC };
static const struct torus_job_config ordered = { .key = KEY, .route = TORUS_ROUTE_ORDERED };
static const struct torus_job_config priority = { .key = KEY, .route = TORUS_ROUTE_PRIORITY };

/* ------------------------------------------------------------ two ranks, every length */

static const __u32 lengths[] = {
	0, 1, 2, 27, 28, 29, 31, 32, 33, 219, 220, 221, 223, 224, 225, 443, 444, 445, 448, 449,
	1000, 4096, 65535, 65536, 1000003,
};

#define LENGTHS	ARRAY_SIZE(lengths)

/* Both send everything first: with rings of two packets that needs draining. */
static void *program_lengths(void *data)
{
	struct rank *rank = data;
	__u32 other = 1 - rank->number;
	struct torus_message_info info;
	unsigned int i;
	void *bytes;
	int ret;

	for (i = 0; i < LENGTHS; i++) {
		bytes = content_make(rank->number, other, i, lengths[i]);
		ret = torus_message_send(rank->job, other, i, bytes, lengths[i]);
		MUST(!ret, ret);
		free(bytes);
	}
	for (i = 0; i < LENGTHS; i++) {
		ret = torus_message_take(rank->job, TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, &bytes,
					 &info, 60000);
		MUST(!ret, ret);
		if (rank->failed)
			break;
		MUST(info.source == other && info.tag == i && info.length == lengths[i], i);
		MUST(content_right(bytes, other, rank->number, i, info.length), i);
		free(bytes);
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	return NULL;
}

static void lengths_by(const struct fake_config *config, const struct torus_job_config *job)
{
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	run_ranks(config, job, program_lengths, ranks, &fake);
	assert_int_equal(ranks[0].counts.received_messages, LENGTHS);
	assert_int_equal(ranks[0].counts.damaged, 0);
	assert_int_equal(ranks[0].counts.rejected_key, 0);
	assert_int_equal(ranks[0].counts.memory, 0);
	assert_int_equal(fake.missed, 0);
	fake_stop(&fake);
}

static void test_every_length_in_order(void **state)
{
	lengths_by(&tiny, &ordered);
}

static void test_every_length_dynamic(void **state)
{
	struct fake_config config = tiny;

	config.shuffle = true;
	lengths_by(&config, &dynamic);
}

static void test_every_length_priority(void **state)
{
	lengths_by(&tiny, &priority);
}

/* ------------------------------------------------------------------ all to all, wild */

#define ROUNDS	12

static __u32 wild_length(__u32 source, __u32 dest, __u32 round)
{
	__u64 seed = source * 1000003ull + dest * 1009ull + round;

	return fake_random(&seed) % (1u << fake_random(&seed) % 15);
}

static void *program_wild(void *data)
{
	struct rank *rank = data;
	void *out[ROUNDS][FAKE_NODES];
	unsigned int round, i;
	int ret;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < rank->count; i++) {
			__u32 length = wild_length(rank->number, i, round);

			out[round][i] = content_make(rank->number, i, round, length);
			ret = torus_message_start(rank->job, i, round, out[round][i], length,
						  NULL);
			MUST(!ret, ret);
		}
		if (round % 4 == 3) {
			ret = torus_job_barrier(rank->job, 60000);
			MUST(!ret, ret);
		}
	}
	/* From the highest rank down, all messages of one before the next. */
	for (i = rank->count; i--;) {
		for (round = 0; round < ROUNDS; round++) {
			struct torus_message_info info;
			void *bytes;

			/* Half by tag, half by order. */
			ret = torus_message_take(rank->job, i, i & 1 ? round : TORUS_MESSAGE_ANY,
						 &bytes, &info, 60000);
			MUST(!ret, ret);
			if (ret)
				return NULL;
			MUST(info.tag == round, info.tag);
			MUST(info.length == wild_length(i, rank->number, round), info.length);
			MUST(content_right(bytes, i, rank->number, round, info.length), round);
			free(bytes);
		}
	}
	ret = torus_message_flush(rank->job, 60000);
	MUST(!ret, ret);
	ret = torus_job_barrier(rank->job, 60000);
	MUST(!ret, ret);
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < rank->count; i++)
			free(out[round][i]);
	return NULL;
}

static void wild_by(const struct torus_job_config *job)
{
	struct rank ranks[FAKE_NODES];
	struct torus_job_counts sum = { 0 };
	struct fake fake;
	unsigned int i;

	run_ranks(&wild, job, program_wild, ranks, &fake);
	for (i = 0; i < wild.nodes; i++) {
		sum.received_messages += ranks[i].counts.received_messages;
		sum.sent_messages += ranks[i].counts.sent_messages;
		sum.received_packets += ranks[i].counts.received_packets;
		sum.sent_packets += ranks[i].counts.sent_packets;
		sum.rejected_key += ranks[i].counts.rejected_key;
		sum.rejected_duplicate += ranks[i].counts.rejected_duplicate;
		assert_int_equal(ranks[i].counts.damaged, 0);
		assert_int_equal(ranks[i].counts.lost, 0);
		assert_int_equal(ranks[i].counts.memory, 0);
	}
	assert_int_equal(sum.sent_messages, sum.received_messages);
	assert_int_equal(sum.sent_packets, sum.received_packets);
	/* The last of them may still be on their way. */
	assert_true(sum.rejected_key > fake.garbage / 2 && sum.rejected_key <= fake.garbage);
	assert_true(sum.rejected_duplicate > fake.duplicates / 2 &&
		    sum.rejected_duplicate <= fake.duplicates);
	assert_int_equal(fake.missed, 0);
	fake_stop(&fake);
}

static void test_all_to_all_dynamic_with_garbage(void **state)
{
	wild_by(&dynamic);
}

static void test_all_to_all_in_order_with_garbage(void **state)
{
	wild_by(&ordered);
}

static void *program_barrier(void *data)
{
	static unsigned int arrived;
	struct rank *rank = data;
	unsigned int i;
	int ret;

	for (i = 0; i < 50; i++) {
		__atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
		ret = torus_job_barrier(rank->job, 60000);
		MUST(!ret, ret);
		MUST(__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) >= (i + 1) * rank->count, i);
	}
	return NULL;
}

static void test_barrier_of_seven(void **state)
{
	struct fake_config config = wild;
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	config.nodes = 7;
	run_ranks(&config, &dynamic, program_barrier, ranks, &fake);
	fake_stop(&fake);
}

/* ------------------------------------------------- one thread: what goes wrong, exactly */

/**
 * struct pair - ranks 0 and 1 in one thread, the engine stepped by hand
 */
struct pair {
	struct fake fake;
	struct torus_job *a;
	struct torus_job *b;
	struct torus_job_counts counts;
};

static void pair_start(struct pair *pair, const struct fake_config *config,
		       const struct torus_job_config *job)
{
	fake_start(&pair->fake, config);
	pair->a = job_open(&pair->fake, 0, job);
	pair->b = job_open(&pair->fake, 1, job);
}

static void pair_stop(struct pair *pair)
{
	torus_job_close(pair->a);
	torus_job_close(pair->b);
	fake_stop(&pair->fake);
}

static void pair_settle(struct pair *pair)
{
	int a, b;

	do {
		a = torus_job_progress(pair->a);
		b = torus_job_progress(pair->b);
		assert_true(a >= 0 && b >= 0);
	} while (fake_step(&pair->fake) || a || b);
	torus_job_counts(pair->b, &pair->counts);
}

static void pair_expect(struct pair *pair, const char *text)
{
	struct torus_message_info info;
	char data[4096];

	assert_int_equal(torus_message_receive(pair->b, 0, TORUS_MESSAGE_ANY, data,
					       sizeof(data), &info, 0), 0);
	assert_int_equal(info.length, strlen(text));
	assert_memory_equal(data, text, info.length);
}

static void pair_expect_bad(struct pair *pair, const char *text)
{
	struct torus_message_info info;
	char data[4096];

	assert_int_equal(torus_message_receive(pair->b, 0, TORUS_MESSAGE_ANY, data,
					       sizeof(data), &info, 0), -EBADMSG);
	assert_int_equal(info.source, 0);
	assert_non_null(strstr(torus_error_text(), text));
}

static void send_text(struct pair *pair, __u32 tag, const char *text)
{
	assert_int_equal(torus_message_start(pair->a, 1, tag, text, strlen(text), NULL), 0);
}

static void test_damaged_message_is_reported(void **state)
{
	struct fake_config config = tiny;
	struct pair pair;

	config.corrupt = 2;
	pair_start(&pair, &config, &ordered);
	send_text(&pair, 0, "first message that is long enough");
	send_text(&pair, 1, "second message that is long enough");
	send_text(&pair, 2, "third");
	pair_settle(&pair);
	pair_expect(&pair, "first message that is long enough");
	pair_expect_bad(&pair, "its CRC-32 is wrong");
	pair_expect(&pair, "third");
	assert_int_equal(pair.counts.damaged, 1);
	pair_stop(&pair);
}

static void test_lost_message_is_reported_in_order(void **state)
{
	struct fake_config config = tiny;
	struct pair pair;

	config.lose = 2;
	pair_start(&pair, &config, &ordered);
	send_text(&pair, 0, "first");
	send_text(&pair, 1, "second");
	send_text(&pair, 2, "third");
	pair_settle(&pair);
	pair_expect(&pair, "first");
	pair_expect_bad(&pair, "message 1 from rank 0 was lost");
	pair_expect(&pair, "third");
	assert_int_equal(pair.counts.lost, 1);
	pair_stop(&pair);
}

static void test_lost_packet_is_reported_in_order(void **state)
{
	static const char zeros[1000];
	struct fake_config config = tiny;
	struct pair pair;

	config.lose = 3;
	pair_start(&pair, &config, &ordered);
	assert_int_equal(torus_message_start(pair.a, 1, 9, zeros, sizeof(zeros), NULL), 0);
	send_text(&pair, 1, "second");
	pair_settle(&pair);
	pair_expect_bad(&pair, "message 0 from rank 0: 1 packets of it were lost");
	pair_expect(&pair, "second");
	assert_int_equal(pair.counts.lost, 1);
	pair_stop(&pair);
}

/**
 * struct forged - a packet as the layer would make it, but for what a test changes
 */
struct forged {
	__u32 key;
	__u32 dest;
	__u32 kind;
	__u32 source;
	__u32 number;
	__u32 length;
	__u32 index;
	__u32 tag;
	unsigned int chunks;
};

static const struct forged honest = {
	.key = KEY, .dest = 1, .kind = 1, .source = 0, .length = 1000, .chunks = 8,
};

static void forge(struct pair *pair, const struct forged *forged)
{
	const __u32 coords[3] = { 1, 0, 0 };
	unsigned char packet[256] = { 0 };
	struct torus_bgl_header header;
	__u32 check;

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

/* One counter must go up, and nothing be kept. */
static void forge_rejected(struct pair *pair, const struct forged *forged, const __u64 *count)
{
	__u64 before = *count;
	__u64 kept = pair->counts.memory;

	forge(pair, forged);
	assert_int_equal(*count, before + 1);
	assert_int_equal(pair->counts.memory, kept);
}

/* A packet with one field changed. */
#define FORGE(member, value, count) do {					\
		struct forged forged = honest;				\
									\
		forged.member = (value);				\
		forge_rejected(&pair, &forged, &pair.counts.count);	\
	} while (0)

static void test_forged_packets_are_counted(void **state)
{
	struct torus_job_config config = dynamic;
	struct pair pair;

	config.length_max = 1000000;
	pair_start(&pair, &tiny, &config);
	pair_settle(&pair);
	FORGE(key, KEY ^ 1, rejected_key);
	FORGE(dest, 0, rejected_key);
	FORGE(chunks, 1, rejected_key);
	FORGE(source, 1, rejected_source);
	FORGE(source, FAKE_NODES, rejected_source);
	FORGE(source, 0xffffff, rejected_source);
	FORGE(kind, 0, rejected_mismatch);
	FORGE(kind, 7, rejected_mismatch);
	FORGE(length, 1000001, rejected_size);
	FORGE(length, ~0u, rejected_size);
	FORGE(length, 1, rejected_size);
	FORGE(chunks, 7, rejected_size);
	FORGE(index, 5, rejected_index);
	FORGE(index, ~0u, rejected_index);
	FORGE(number, 1u << 20, rejected_number);
	FORGE(number, -1, rejected_duplicate);
	FORGE(number, 1u << 31, rejected_duplicate);
	/* Now one that is right, and then what differs from it. */
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
	struct torus_job_config config = dynamic;
	char *large = calloc(1, 100000);
	struct torus_message_info info;
	struct pair pair;
	int i, ret = 0;
	void *data;

	config.memory_max = 50000;
	pair_start(&pair, &tiny, &config);
	/* One too long for memory_max goes through when it is alone. */
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

static void test_tags_and_handles(void **state)
{
	struct torus_message_info info;
	struct torus_send *send;
	char large[20000] = "large";
	struct pair pair;
	char data[8];
	int ret;

	pair_start(&pair, &tiny, &dynamic);
	send_text(&pair, 5, "five");
	send_text(&pair, 6, "six");
	send_text(&pair, 5, "cinq");
	pair_settle(&pair);
	assert_int_equal(torus_message_receive(pair.b, 0, 6, data, 8, &info, 0), 0);
	assert_memory_equal(data, "six", 3);
	assert_int_equal(torus_message_probe(pair.b, TORUS_MESSAGE_ANY, 5, &info, 0), 0);
	assert_int_equal(info.length, 4);
	pair_expect(&pair, "five");
	pair_expect(&pair, "cinq");
	assert_int_equal(torus_message_receive(pair.b, 0, 6, data, 8, &info, 0), -EAGAIN);
	assert_int_equal(torus_message_receive(pair.b, 0, 6, data, 8, &info, 20), -ETIMEDOUT);
	assert_int_equal(torus_message_receive(pair.b, 8, 6, data, 8, &info, 0), -EINVAL);
	assert_string_equal(torus_error_text(), "rank 8: the job has 8");
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

	/* To itself: through memory, in order. */
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

	/* Close with messages in every state, for ASan. */
	pair_start(&pair, &tiny, &ordered);
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

	pair_start(&pair, &tiny, &dynamic);
	/* The machine shrank: what the library believes is refused. */
	((unsigned char *)pair.fake.node[0].inject[0])[0] = 0;
	send_text(&pair, 0, "first");
	assert_true(torus_job_progress(pair.a) > 0);
	((unsigned char *)pair.fake.node[0].inject[0])[3] = 9;
	fake_step(&pair.fake);
	assert_int_equal(torus_job_progress(pair.a), -ECOMM);
	assert_string_equal(torus_error_text(),
			    "injection FIFO 0: 1 packets refused: destination outside the machine");
	assert_int_equal(torus_job_progress(pair.a), 0);
	pair_stop(&pair);
}

static void test_open_refused(void **state)
{
	struct torus_member members[2] = { { 0, 0 }, { 0, 0 } };
	struct torus_job_config config = { .key = KEY, .members = members, .count = 2 };
	struct torus_context *context;
	struct torus_job *job;
	struct fake fake;

	fake_start(&fake, &tiny);
	context = fake.node[0].context;
	assert_int_equal(torus_job_open(&job, context, &config), -EINVAL);
	assert_string_equal(torus_error_text(), "ranks 0 and 1 are both at node 0, FIFO group 0");
	members[1].node = FAKE_NODES;
	assert_int_equal(torus_job_open(&job, context, &config), -ERANGE);
	members[0].node = 1;
	members[1].node = 2;
	assert_int_equal(torus_job_open(&job, context, &config), -EINVAL);
	assert_string_equal(torus_error_text(), "node 0, FIFO group 0 is no member of the job");
	config.members = NULL;
	config.route = TORUS_ROUTE_PRIORITY;
	context->info.features = 0;
	assert_int_equal(torus_job_open(&job, context, &config), -EPERM);
	config.route = TORUS_ROUTE_DYNAMIC;
	memcpy(context->info.arch, "xt", 3);
	assert_int_equal(torus_job_open(&job, context, &config), -EOPNOTSUPP);
	fake_stop(&fake);
}

static void *program_until_dead(void *data)
{
	struct rank *rank = data;
	static const char zeros[10000];
	int ret = 0;

	/* Rank 0 waits for what never comes, rank 1 sends to who does not read. */
	if (!rank->number)
		ret = torus_message_receive(rank->job, 1, 1, NULL, 0, NULL, -1);
	while (!ret)
		ret = torus_message_send(rank->job, 2, 0, zeros, sizeof(zeros));
	MUST(ret == -ENODEV, ret);
	return NULL;
}

static void *killer(void *data)
{
	usleep(100000);
	fake_kill(data);
	return NULL;
}

static void *program_death(void *data)
{
	struct rank *rank = data;

	return rank->number == 2 ? killer(rank->fake) : program_until_dead(data);
}

static void test_fabric_dies_under_waits(void **state)
{
	struct fake_config config = tiny;
	struct rank ranks[FAKE_NODES];
	struct fake fake;

	config.nodes = 3;
	run_ranks(&config, &ordered, program_death, ranks, &fake);
	fake_stop(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_length_in_order),
		cmocka_unit_test(test_every_length_dynamic),
		cmocka_unit_test(test_every_length_priority),
		cmocka_unit_test(test_all_to_all_dynamic_with_garbage),
		cmocka_unit_test(test_all_to_all_in_order_with_garbage),
		cmocka_unit_test(test_barrier_of_seven),
		cmocka_unit_test(test_damaged_message_is_reported),
		cmocka_unit_test(test_lost_message_is_reported_in_order),
		cmocka_unit_test(test_lost_packet_is_reported_in_order),
		cmocka_unit_test(test_forged_packets_are_counted),
		cmocka_unit_test(test_message_longer_than_memory),
		cmocka_unit_test(test_tags_and_handles),
		cmocka_unit_test(test_cancelled_sends_leave_the_rest),
		cmocka_unit_test(test_refused_packets_are_reported),
		cmocka_unit_test(test_open_refused),
		cmocka_unit_test(test_fabric_dies_under_waits),
	};

	return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}

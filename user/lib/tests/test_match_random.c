// SPDX-License-Identifier: GPL-2.0
/* Test matching with sends and receives in random order, against a model. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "match_pair.h"

#define RANDOM_TAGS	4u
#define RANDOM_MAX	64u	/* operations that wait at most */
#define RANDOM_STEPS	4000u

/**
 * struct model_op - a message or receive of the model that is not matched
 * @id: number of the operation
 * @tag: tag of the message, or of the receive
 * @ignore: bits of the tag that the receive ignores
 */
struct model_op {
	uint32_t id;
	uint32_t tag;
	uint32_t ignore;
};

/**
 * struct model - what matching in order must give, for one sender
 * @messages: messages without a receive, in order
 * @receives: receives without a message, in order
 * @expected: by receive: number of its message + 1; 0: none yet
 */
static struct model {
	struct model_op messages[RANDOM_MAX], receives[RANDOM_MAX];
	unsigned int message_count, receive_count;
	uint32_t expected[RANDOM_STEPS];
} model;

static bool model_fits(const struct model_op *message, const struct model_op *receive)
{
	return !((message->tag ^ receive->tag) & ~receive->ignore);
}

static void model_drop(struct model_op *ops, unsigned int *count, unsigned int i)
{
	memmove(&ops[i], &ops[i + 1], (--*count - i) * sizeof(*ops));
}

static void model_message(const struct model_op *message)
{
	unsigned int i;

	for (i = 0; i < model.receive_count; i++)
		if (model_fits(message, &model.receives[i])) {
			model.expected[model.receives[i].id] = message->id + 1;
			model_drop(model.receives, &model.receive_count, i);
			return;
		}
	model.messages[model.message_count++] = *message;
}

static void model_receive(const struct model_op *receive)
{
	unsigned int i;

	for (i = 0; i < model.message_count; i++)
		if (model_fits(&model.messages[i], receive)) {
			model.expected[receive->id] = model.messages[i].id + 1;
			model_drop(model.messages, &model.message_count, i);
			return;
		}
	model.receives[model.receive_count++] = *receive;
}

static uint32_t random_length(uint32_t id)
{
	return id % 7 == 3 ? 4 + id % 9000 : 4 + id % 300;
}

/* Check the received messages against the model.  Each starts with its number. */
static void random_check(unsigned char *const *buffers)
{
	while (torus_match_events(test.b, &test.event, 1)) {
		uint32_t id = (unsigned char **)test.event.context - (unsigned char **)buffers;

		assert_int_equal(received_numbered(random_length) + 1, model.expected[id]);
		free(buffers[id]);
	}
}

static void random_send(uint32_t id, uint32_t tag)
{
	send_numbered(id, tag, random_length(id));
	model_message(&(struct model_op){ .id = id, .tag = tag });
}

/*
 * Sends and receives in random order, with more messages than the window holds.  All packets settle
 * before a receive is posted, so that the model knows which messages have entered.
 */
static void random_one(void)
{
	unsigned char **buffers = calloc(RANDOM_STEPS, sizeof(*buffers));
	__u64 random = 45;
	uint32_t sends = 0, receives = 0, i;

	memset(&model, 0, sizeof(model));
	while (sends < RANDOM_STEPS && receives < RANDOM_STEPS) {
		struct model_op receive = {
			.id = receives, .tag = fake_random(&random) % RANDOM_TAGS,
			.ignore = fake_random(&random) % 3 ? 0 : 3,
		};

		if (model.message_count < RANDOM_MAX && fake_random(&random) % 2) {
			random_send(sends++, fake_random(&random) % RANDOM_TAGS);
			fake_step(&test.pair.fake);
		} else if (model.receive_count < RANDOM_MAX) {
			pair_settle(&test.pair);
			buffers[receives] = malloc(10000);
			post(test.b, TORUS_MATCH_ANY, receive.tag, receive.ignore,
			     buffers[receives], 10000, &buffers[receives]);
			receives++;
			model_receive(&receive);
			random_check(buffers);
		}
	}
	pair_settle(&test.pair);
	random_check(buffers);
	for (i = 0; i < model.receive_count; i++)
		free(buffers[model.receives[i].id]);
	assert_true(receives > RANDOM_STEPS / 2 && sends > RANDOM_STEPS / 2);
	free(buffers);
}

static void test_random(void **state)
{
	static const struct torus_match_config small = { .eager = 1000, .window = 4000 };

	everywhere(random_one, &small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* Two ranks in one thread: open them, let all packets settle, close them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/tests/says.h"
#include "pair.h"

/**
 * pair_start() - open ranks 0 and 1
 * @pair: [out] the ranks
 * @config: behaviour of the fabric
 * @job: configuration of the job
 */
void pair_start(struct pair *pair, const struct fake_config *config,
		const struct torus_job_config *job)
{
	fake_start(&pair->fake, config);
	pair->a = ranks_open(&pair->fake, 0, job);
	pair->b = ranks_open(&pair->fake, 1, job);
}

/**
 * pair_settle() - move packets until none moves any more
 * @pair: from pair_start()
 */
void pair_settle(struct pair *pair)
{
	int a, b;

	do {
		a = torus_job_progress(pair->a);
		b = torus_job_progress(pair->b);
		assert_true(a >= 0 && b >= 0);
	} while (fake_step(&pair->fake) || a || b);
	torus_job_counts(pair->b, &pair->counts);
}

/**
 * pair_stop() - close both ranks
 * @pair: from pair_start()
 */
void pair_stop(struct pair *pair)
{
	torus_job_close(pair->a);
	torus_job_close(pair->b);
	fake_stop(&pair->fake);
}

/**
 * pair_send_text() - send a message from rank 0 to rank 1
 * @pair: from pair_start()
 * @tag: tag of the message
 * @text: the message
 */
void pair_send_text(struct pair *pair, uint32_t tag, const char *text)
{
	assert_int_equal(torus_message_start(pair->a, 1, tag, text, strlen(text), NULL), 0);
}

/**
 * pair_expect() - check that rank 1 receives a message
 * @pair: from pair_start()
 * @tag: tag to ask for, or TORUS_MESSAGE_ANY
 * @text: expected message
 */
void pair_expect(struct pair *pair, __s64 tag, const char *text)
{
	struct torus_message_info info;
	char data[4096];

	assert_int_equal(torus_message_receive(pair->b, 0, tag, data, sizeof(data), &info, 0), 0);
	if (tag != TORUS_MESSAGE_ANY)
		assert_int_equal(info.tag, tag);
	assert_int_equal(info.length, strlen(text));
	assert_memory_equal(data, text, info.length);
}

/**
 * pair_expect_bad() - check that rank 1 gets the error of a damaged or lost message
 * @pair: from pair_start()
 * @tag: tag to ask for, or TORUS_MESSAGE_ANY
 * @text: expected words of the error text
 */
void pair_expect_bad(struct pair *pair, __s64 tag, const char *text)
{
	struct torus_message_info info;
	char data[4096];

	assert_int_equal(torus_message_receive(pair->b, 0, tag, data, sizeof(data), &info, 0),
			 -EBADMSG);
	assert_int_equal(info.source, 0);
	assert_says(torus_error_text(), text);
}

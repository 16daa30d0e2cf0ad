// SPDX-License-Identifier: GPL-2.0
/* Test sets of strings, the encoding of events, and lines of traces with random damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/tests/draw.h"
#include "../intern.h"
#include "../json.h"
#include "../record.h"
#include "../text.h"

#define STRINGS		5000u
#define DAMAGED		20000u

static const char *const text_lines[] = {
	"             0 inject  0,0,0        0,0,0                 0 1,0,0        "
	"bytes 256 waited 0",
	"            87 route   1,0,0        2,0,0                 7 1,3,0        "
	"x-:D0 y+:BN invalid",
	"            99 hop     0,0,3        0,1,2            123456 0,3,3        "
	"y-:D1 hops 3 waits 4",
	"           120 resend  3,3,3        0,1,2                 0 0,3,3        z+",
	"# bgl 4x4x4, a tick is 5.714 ns",
	"lost 4 events from tick 7 on",
	"lost 5 events from tick 8 on",
};

static const char *const json_lines[] = {
	"{\"tick\":5,\"event\":\"hop\",\"node\":1,\"source\":0,\"number\":2,\"destination\":9,"
	"\"hops\":1,\"dir\":\"x+\",\"vc\":\"D0\",\"wait\":0}",
	"{\"tick\":6,\"event\":\"route\",\"node\":1,\"source\":0,\"number\":2,\"destination\":9,"
	"\"hops\":1,\"ways\":[{\"dir\":\"x+\",\"vc\":\"D0\"},{\"dir\":\"y-\",\"vc\":\"BN\"}]}",
	"{\"event\":\"lost\",\"tick\":7,\"events\":12}",
};

static void set_machine(struct player_record *record)
{
	struct parse_error why;

	*record = (struct player_record){ .events = 0 };
	assert_true(player_record_machine(record, "bgl", "4x4x4", &why));
}

static void test_intern(void **state)
{
	struct player_intern set = { .count = 0 };
	uint32_t number, i, round;
	char text[16];

	(void)state;
	for (round = 0; round < 2; round++)
		for (i = 0; i < STRINGS; i++) {
			int length = snprintf(text, sizeof(text), "%u", i);

			assert_true(player_intern(&set, text, (size_t)length, &number));
			assert_int_equal(number, i);
		}
	assert_int_equal(set.count, STRINGS);
	assert_string_equal(set.strings[4711].bytes, "4711");
	/* bytes that are equal up to a NUL are different strings */
	assert_true(player_intern(&set, "7\0a", 3, &number));
	assert_int_equal(number, STRINGS);
	assert_true(player_intern(&set, "", 0, &number));
	assert_int_equal(number, STRINGS + 1);
	player_intern_free(&set);
	assert_int_equal(set.count, 0);
}

/* Read the next number of an encoded record. */
static uint64_t next_number(const struct player_record *record, size_t *at)
{
	unsigned int shift = 0;
	uint64_t value = 0;

	do {
		assert_true(*at < record->nbytes);
		value |= (uint64_t)(record->bytes[*at] & 0x7f) << shift;
		shift += 7;
	} while (record->bytes[(*at)++] & 0x80);
	return value;
}

static void test_encoding(void **state)
{
	static const uint64_t ticks[] = { 0, 127, 128, 129, 1ull << 40, (1ull << 53) - 1 };
	struct player_event event = { .kind = 6, .node = 63, .more = "hops 3", .length = 6 };
	struct player_record record;
	struct parse_error why;
	uint64_t tick = 0;
	size_t at = 0, i;

	(void)state;
	set_machine(&record);
	for (i = 0; i < 6; i++) {
		event.tick = ticks[i];
		event.number = (u32)i / 2;
		assert_true(player_record_add(&record, &event, &why));
	}
	for (i = 0; i < 6; i++) {
		tick += next_number(&record, &at);
		assert_true(tick == ticks[i]);
		assert_int_equal(next_number(&record, &at), 6);
		assert_int_equal(next_number(&record, &at), 63);
		assert_int_equal(next_number(&record, &at), i / 2);
		assert_int_equal(next_number(&record, &at), 0);
	}
	assert_int_equal(at, record.nbytes);
	assert_int_equal(record.packets.count, 3);
	event.tick = 1ull << 53;
	assert_false(player_record_add(&record, &event, &why));
	event.tick = 5;
	assert_false(player_record_add(&record, &event, &why));
	assert_int_equal(record.events, 6);
	player_record_free(&record);
}

/* Damage a line: change or remove some bytes, or cut the line. */
static void damage(char *line, size_t size, const char *from)
{
	size_t length = strlen(from), at;
	u32 times = draw_below(4);

	assert_true(2 * length < size);
	memcpy(line, from, length + 1);
	while (times-- && length) {
		at = draw_below((u32)length);
		switch (draw_below(3)) {
		case 0:
			line[at] = (char)(1 + draw_below(255));
			break;
		case 1:
			memmove(line + at, line + at + 1, length - at);
			break;
		default:
			line[at] = '\0';
		}
		length = strlen(line);
	}
}

/* Read damaged lines; those that are accepted must leave a record that is valid. */
static void test_damage(void **state)
{
	u32 good = 0, bad = 0, i;
	struct player_record record;
	struct parse_error why;
	char line[1024];
	size_t at = 0;

	(void)state;
	set_machine(&record);
	for (i = 0; i < DAMAGED; i++) {
		bool json = draw_below(2), accepted;

		damage(line, sizeof(line), json ? json_lines[draw_below(3)] :
						  text_lines[draw_below(6)]);
		record.last = 0;	/* each line has a tick of its own */
		why.text[0] = '\0';
		accepted = json ? player_json_line(&record, line, &why) :
				  player_text_line(&record, line, &why);
		good += accepted;
		bad += !accepted;
		assert_true(accepted || why.text[0]);
	}
	assert_true(good > DAMAGED / 10 && bad > DAMAGED / 10);
	for (i = 0; i < record.events; i++) {
		next_number(&record, &at);
		assert_true(next_number(&record, &at) < 10);
		assert_true(next_number(&record, &at) < 64);
		assert_true(next_number(&record, &at) < record.packets.count);
		assert_true(next_number(&record, &at) < record.texts.count);
	}
	assert_int_equal(at, record.nbytes);
	player_record_free(&record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intern),
		cmocka_unit_test(test_encoding),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

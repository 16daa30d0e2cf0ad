// SPDX-License-Identifier: GPL-2.0
/* Test the lines that change nodes, registers and links of a fabric to those of another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../change.h"

#define LINES_MAX	8

static struct ctl ctl;

/* A side that a test fills in. */
struct made {
	struct config_side side;
	struct config_line lines[LINES_MAX];
	struct config_side_line texts[LINES_MAX];
};

static void made_begin(struct made *made)
{
	*made = (struct made){ .side.there = true };
	made->side.config.lines = made->lines;
	made->side.lines = made->texts;
	strcpy(made->side.fabric.name, "f");
	made->side.fabric.nodes = 64;
	made->side.fabric.nparams = 1;
	strcpy(made->side.fabric.params[0].key, "ber");
	strcpy(made->side.fabric.params[0].text, "0.5");
}

static void made_add(struct made *made, enum config_kind kind, uint32_t item, uint32_t node,
		     const char *head, const char *tail)
{
	size_t at = made->side.config.count++;
	char place[16];

	assert_true(at < LINES_MAX);
	snprintf(place, sizeof(place), "%u", node);
	made->lines[at] = (struct config_line){
		.kind = kind, .item = item, .node = node, .last = node, .boot = 0xb007,
		.head = strdup(head), .place = strdup(kind == CONFIG_JOB ? "" : place),
		.tail = strdup(tail),
	};
	made->texts[at] = (struct config_side_line){
		.line = &made->lines[at], .text = config_text(&made->lines[at]),
	};
}

static void made_end(struct made *made)
{
	size_t i;

	for (i = 0; i < made->side.config.count; i++) {
		free(made->texts[i].text);
		free(made->lines[i].head);
		free(made->lines[i].place);
		free(made->lines[i].tail);
	}
}

/* Check the lines that change one side to the other; @lines: each ended by a newline. */
static void is_change(struct made *now, struct made *wanted, const char *lines)
{
	char all[1024] = "", *text;
	struct config change;
	size_t i;

	config_sides_match(&now->side, &wanted->side);
	assert_int_equal(config_change_lines(&ctl, &now->side, &wanted->side, &change), CTL_OK);
	for (i = 0; i < change.count; i++) {
		text = config_text(&change.lines[i]);
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s\n", text);
		free(text);
	}
	assert_string_equal(all, lines);
	config_free(&change);
}

static void test_lines_of_links(void **unused)
{
	struct made now, wanted;

	made_begin(&now);
	made_begin(&wanted);
	made_add(&now, CONFIG_LINK, 0, 1, "link set f", "x+ state down corrupt 3 delay 4");
	made_add(&now, CONFIG_LINK, 0, 2, "link set f", "x+ ber 0.25 sender off");
	made_add(&now, CONFIG_LINK, 1, 3, "link set f", "x- delay 5");
	made_add(&wanted, CONFIG_LINK, 0, 1, "link set f", "x+ delay 9");
	made_add(&wanted, CONFIG_LINK, 1, 3, "link set f", "x- delay 5");
	made_add(&wanted, CONFIG_LINK, 1, 4, "link set f", "x- ber 0.125");
	is_change(&now, &wanted,
		  "link set f 2 x+ ber 0.5 sender on\n"
		  "link set f 1 x+ delay 9 state up corrupt 0\n"
		  "link set f 4 x- ber 0.125\n");
	is_change(&wanted, &now,
		  "link set f 2 x+ ber 0.25 sender off\n"
		  "link set f 1 x+ state down corrupt 3 delay 4\n"
		  "link set f 4 x- ber 0.5\n");
	is_change(&now, &now, "");
	made_end(&now);
	made_end(&wanted);
}

static void test_lines_of_nodes(void **unused)
{
	struct made now, wanted;

	made_begin(&now);
	made_begin(&wanted);
	made_add(&now, CONFIG_REG, 8, 7, "reg write f", "timeout 0x00000001");
	made_add(&now, CONFIG_NODE, 0, 5, "node set f", "uid 7 partition 2");
	made_add(&now, CONFIG_NODE, 0, 6, "node set f", "uid 7 partition 2");
	made_add(&now, CONFIG_DEAD, 0, 9, "node set f", "state dead");
	made_add(&wanted, CONFIG_REG, 8, 8, "reg write f", "timeout 0x00000002");
	made_add(&wanted, CONFIG_JOB, 0, 0, "job add f", "j nodes 3 4");
	made_add(&wanted, CONFIG_DEAD, 0, 4, "node set f", "state dead");
	is_change(&now, &wanted,
		  "reg write f 8 timeout 0x00000002\n"
		  "reg write f 7 timeout 0x0000b007\n"
		  "node set f 9 state alive\n"
		  "node set f 5-6 uid any partition 0\n"
		  "job add f j nodes 3 4\n"
		  "node set f 4 state dead\n");
	made_end(&now);
	made_end(&wanted);
}

/* Jobs and faults that only the file has are added; faults keep their order, unlike texts. */
static void test_lines_of_faults(void **unused)
{
	struct made now, wanted;

	made_begin(&now);
	made_begin(&wanted);
	made_add(&now, CONFIG_JOB, 0, 0, "job add f", "j nodes 3 4");
	made_add(&wanted, CONFIG_JOB, 0, 0, "job add f", "j nodes 3 4");
	made_add(&wanted, CONFIG_JOB, 1, 0, "job add f", "k nodes 5 6");
	made_add(&wanted, CONFIG_FAULT, 0, 9, "link set f", "x+ state down at 7");
	made_add(&wanted, CONFIG_FAULT, 0, 2, "link set f", "x+ state down at 5");
	made_add(&wanted, CONFIG_FAULT, 0, 4, "link set f", "x+ state down at 6");
	is_change(&now, &wanted,
		  "job add f k nodes 5 6\n"
		  "link set f 9 x+ state down at 7\n"
		  "link set f 2 x+ state down at 5\n"
		  "link set f 4 x+ state down at 6\n");
	made_end(&now);
	made_end(&wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_links),
		cmocka_unit_test(test_lines_of_nodes),
		cmocka_unit_test(test_lines_of_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

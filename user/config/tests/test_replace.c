// SPDX-License-Identifier: GPL-2.0
/*
 * Test the change of a fabric that exists: `fabric replace`, and the lines that change nodes,
 * registers and links. Fabrics of the core answer the requests in place of the module.
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

#include "../../netlink/node.h"
#include "../../rehearsal/rehearsal.h"
#include "../args.h"
#include "../change.h"
#include "../diag.h"
#include "../dry_run.h"
#include "../fabric_replace.h"
#include "../replace.h"
#include "core/tests/says.h"

#define WORDS_MAX	32

/* State of the module, and recorded requests and messages. */
static struct {
	struct rehearsal *fabrics;
	struct rehearsal *wanted;	/* fabrics of the dry run */
	bool used;		/* a program uses each fabric */
	uint32_t stubborn;	/* number of the node that rejects changes; 0: none */
	bool short_of_memory;	/* the module cannot answer FABRIC_GET */
	uint32_t full;		/* number of further fabrics that are created without memory */
	unsigned int added;
	unsigned int deleted;
	unsigned int set;
	char said[1024];
} sim;

static struct ctl ctl;

/* Requests whose answers the rehearsal lacks: the fabrics have no jobs, link faults and so on. */
static bool lists_nothing(const struct torus_nl_request *request)
{
	return request->dump && (request->cmd == TORUS_CMD_JOB_GET ||
				 request->cmd == TORUS_CMD_LINK_GET ||
				 request->cmd == TORUS_CMD_REG_GET ||
				 request->cmd == TORUS_CMD_FAULT_GET);
}

static int answer(void *arg, struct torus_nl_request *request)
{
	if (lists_nothing(request))
		return 0;
	if (arg == sim.wanted)
		return rehearsal_answer(arg, request);
	if (request->cmd == TORUS_CMD_FABRIC_GET && sim.short_of_memory)
		return rehearsal_refuse(request, -ENOMEM, "out of memory");
	if (request->cmd == TORUS_CMD_NODE_SET && sim.stubborn &&
	    rehearsal_u32(request, TORUS_A_NODE) == sim.stubborn)
		return rehearsal_refuse(request, -EBUSY, "stubborn");
	if (request->cmd == TORUS_CMD_FABRIC_DEL && sim.used &&
	    rehearsal_has(request, TORUS_A_UNUSED))
		return rehearsal_refuse(request, -EBUSY, "2 programs have FIFO groups");
	if (request->cmd == TORUS_CMD_FABRIC_ADD && sim.full && sim.full--)
		return rehearsal_refuse(request, -ENOSPC, "max_bytes is reached");
	sim.added += request->cmd == TORUS_CMD_FABRIC_ADD;
	sim.deleted += request->cmd == TORUS_CMD_FABRIC_DEL;
	sim.set += request->cmd == TORUS_CMD_FABRIC_SET;
	return rehearsal_answer(arg, request);
}

/* ------------------------------------------------------------- stubs of diag.c */

static void say(const char *format, va_list args)
{
	size_t used = strlen(sim.said);

	vsnprintf(sim.said + used, sizeof(sim.said) - used, format, args);
	used = strlen(sim.said);
	snprintf(sim.said + used, sizeof(sim.said) - used, "\n");
}

void ctl_error(const struct ctl *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!call->muted)
		say(format, args);
	va_end(args);
}

int ctl_reject(struct ctl *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!call->muted)
		say(format, args);
	va_end(args);
	return CTL_USAGE;
}

int ctl_usage(struct ctl *call, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return CTL_USAGE;
}

void ctl_note(const struct ctl *call, const char *text)
{
	ctl_error(call, "%s", text);
}

int ctl_connect(struct ctl *call)
{
	return CTL_OK;
}

int ctl_failed(struct ctl *call)
{
	ctl_error(call, "%s", torus_nl_error(call->nl));
	return CTL_FAILED;
}

int ctl_done(struct ctl *call)
{
	return CTL_OK;
}

/* -------------------------------------------------------------- fabric replace */

static int begin(void **unused)
{
	memset(&sim, 0, sizeof(sim));
	sim.fabrics = rehearsal_new();
	ctl = (struct ctl){ .nl = torus_nl_new(), .usage = "" };
	assert_non_null(sim.fabrics);
	assert_non_null(ctl.nl);
	torus_nl_connect_to(ctl.nl, answer, sim.fabrics);
	return 0;
}

static int end(void **unused)
{
	torus_nl_free(ctl.nl);
	rehearsal_free(sim.fabrics);
	return 0;
}

/* Run `fabric replace` with the arguments in @line, and forget what was recorded before. */
static int replace(const char *line)
{
	char text[256], *words[WORDS_MAX], *rest, *word;
	struct ctl_args args = { .words = words, .at = 2 };

	snprintf(text, sizeof(text), "fabric replace %s", line);
	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		words[args.count++] = word;
	sim.added = 0;
	sim.deleted = 0;
	sim.set = 0;
	sim.said[0] = '\0';
	return fabric_replace(&ctl, &args);
}

static void is_key(const char *key, const char *text)
{
	struct torus_nl_fabric fabric;

	assert_int_equal(torus_nl_fabric_get(ctl.nl, "f", &fabric), 0);
	assert_string_equal(torus_nl_fabric_param(&fabric, key), text);
}

static void is_done(unsigned int added, unsigned int deleted, unsigned int set)
{
	assert_int_equal(sim.added, added);
	assert_int_equal(sim.deleted, deleted);
	assert_int_equal(sim.set, set);
}

static void test_creates_and_changes_nothing(void **unused)
{
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	is_done(1, 0, 0);
	assert_string_equal(sim.said, "");
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	is_done(0, 0, 0);
	assert_says_line(sim.said, "nothing to change");
}

static void test_changes_live_keys(void **unused)
{
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	sim.used = true;
	assert_int_equal(replace("f arch kncube shape 4x4 nice 5"), CTL_OK);
	is_done(0, 0, 1);
	is_key("nice", "5");
	/* a key that is not given gets its default */
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	is_done(0, 0, 1);
	is_key("nice", "0");
	/* two texts of one value */
	assert_int_equal(replace("f arch kncube shape 4x4 nice 0x0"), CTL_OK);
	is_done(0, 0, 0);
}

static void test_used_fabric_stays(void **unused)
{
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	sim.used = true;
	assert_int_equal(replace("f arch kncube shape 4x8 seed 9 domains 2 nice 5"),
			 CTL_FAILED);
	is_done(0, 0, 0);
	assert_says_line(sim.said, "fabric f shape seed domains 2 programs");
	assert_null(strstr(sim.said, "nice"));
	is_key("nice", "0");
	assert_int_equal(replace("f arch bgl shape 4x4x4"), CTL_FAILED);
	is_done(0, 0, 0);
	assert_says_line(sim.said, "fabric f arch 2 programs");
}

static void test_unused_fabric_is_created_again(void **unused)
{
	struct torus_nl_fabric fabric;

	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	assert_int_equal(replace("f arch kncube shape 4x8 nice 5"), CTL_OK);
	is_done(1, 1, 0);
	is_key("nice", "5");
	assert_int_equal(torus_nl_fabric_get(ctl.nl, "f", &fabric), 0);
	assert_int_equal(fabric.nodes, 32);
}

static void test_old_fabric_comes_back(void **unused)
{
	struct torus_nl_fabric fabric;

	assert_int_equal(replace("f arch kncube shape 4x4 seed 5 nice 5"), CTL_OK);
	sim.full = 1;
	assert_int_equal(replace("f arch kncube shape 4x8"), CTL_FAILED);
	is_done(1, 1, 0);
	assert_says_line(sim.said, "max_bytes");
	assert_int_equal(torus_nl_fabric_get(ctl.nl, "f", &fabric), 0);
	assert_int_equal(fabric.nodes, 16);
	assert_int_equal(fabric.seed, 5);
	is_key("nice", "5");
	sim.full = 2;
	assert_int_equal(replace("f arch kncube shape 4x8"), CTL_FAILED);
	assert_says(sim.said, "fabric f deleted not restored");
}

/* Check a file with @text that creates fabrics; the names of existing fabrics are errors. */
static int check_unique(const char *text)
{
	char name[] = "/tmp/test_replace.XXXXXX";
	int fd = mkstemp(name), status;
	struct restore_file file;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	sim.said[0] = '\0';
	status = restore_check(&ctl, name, RESTORE_UNIQUE, &file);
	restore_free(&file);
	unlink(name);
	return status;
}

/* An invalid line determines the status of a file, whatever the lines before it are. */
static void test_status_of_a_file(void **unused)
{
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	assert_int_equal(check_unique("fabric add g arch kncube shape 4x4\n"), CTL_OK);
	assert_int_equal(check_unique("fabric add f arch kncube shape 4x4\n"), CTL_FAILED);
	assert_int_equal(check_unique("fabric add f arch kncube shape 4x4\n"
				      "fabric set f nice 99\n"
				      "fabric set f nice 5\n"), CTL_USAGE);
	assert_says(sim.said, "fabric f exists nice");
}

static void test_wrong_arguments_change_nothing(void **unused)
{
	assert_int_equal(replace("f arch kncube shape 4x4"), CTL_OK);
	assert_int_equal(replace("f arch kncube shape 4x8 nice 99"), CTL_USAGE);
	is_done(0, 0, 0);
	assert_int_equal(replace("f arch kncube"), CTL_USAGE);
	is_done(0, 0, 0);
}

/* ---------------------------------------------------------- apply --replace */

static char reported[256];

static void report(const char *fabric, const char *format, ...)
{
	size_t used = strlen(reported);

	snprintf(reported + used, sizeof(reported) - used, "%s %s\n", fabric, format);
}

static void add(struct torus_nl *nl, uint32_t seed)
{
	const struct torus_nl_fabric_spec spec = {
		.name = "f", .arch = "kncube", .dims = { 4, 4 }, .ndims = 2, .seed = seed,
		.has_seed = true,
	};

	assert_int_equal(torus_nl_fabric_add(nl, &spec), 0);
}

static void set_partition(struct torus_nl *nl, uint32_t number, uint32_t partition)
{
	struct torus_nl_node node = {
		.present = TORUS_NL_HAS(TORUS_A_PARTITION), .node = number,
		.partition = partition,
	};

	assert_int_equal(torus_nl_node_set(nl, "f", &node), 0);
}

static void is_partition(uint32_t number, uint32_t partition)
{
	struct torus_nl_node node;

	assert_int_equal(torus_nl_node_get(ctl.nl, "f", number, &node), 0);
	assert_int_equal(node.partition, partition);
}

/* Change fabric f to the one in the session @apart. */
static int apply(struct torus_nl *apart)
{
	char *words[] = { "fabric", "add", "f" };
	struct restore_line line = { .words = words, .count = 3, .makes = true,
				     .skip = true };
	const struct restore_file file = { .lines = &line, .count = 1, .apart = apart };
	struct replace all;
	int status;

	reported[0] = '\0';
	sim.said[0] = '\0';
	sim.added = 0;
	sim.deleted = 0;
	sim.set = 0;
	status = replace_read(&ctl, &file, &all);
	if (!status)
		status = replace_run(&ctl, &file, &all, report);
	replace_free(&all);
	return status;
}

static void test_apply(void **unused)
{
	struct torus_nl *apart = torus_nl_new();

	sim.wanted = rehearsal_new();
	torus_nl_connect_to(apart, answer, sim.wanted);
	add(ctl.nl, 1);
	add(apart, 1);
	set_partition(ctl.nl, 3, 2);
	set_partition(ctl.nl, 4, 2);
	set_partition(apart, 4, 7);
	set_partition(apart, 5, 7);
	set_partition(apart, 6, 7);
	sim.used = true;
	/* a node rejects its change: those before it are undone */
	sim.stubborn = 6;
	assert_int_equal(apply(apart), CTL_FAILED);
	assert_says_line(sim.said, "stubborn");
	assert_string_equal(reported, "");
	is_partition(3, 2);
	is_partition(4, 2);
	is_partition(5, 0);
	sim.stubborn = 0;
	assert_int_equal(apply(apart), CTL_OK);
	assert_string_equal(reported, "f changed\n");
	is_partition(3, 0);
	is_partition(4, 7);
	is_partition(6, 7);
	is_done(0, 0, 0);
	assert_int_equal(apply(apart), CTL_OK);
	assert_string_equal(reported, "");
	torus_nl_free(apart);
	rehearsal_free(sim.wanted);
}

static void test_apply_to_used_fabric(void **unused)
{
	struct torus_nl *apart = torus_nl_new();

	sim.wanted = rehearsal_new();
	torus_nl_connect_to(apart, answer, sim.wanted);
	add(ctl.nl, 1);
	add(apart, 2);
	set_partition(apart, 4, 7);
	sim.used = true;
	assert_int_equal(apply(apart), CTL_FAILED);
	assert_says_line(sim.said, "fabric f seed 2 programs");
	assert_string_equal(reported, "");
	is_partition(4, 0);
	is_done(0, 0, 0);
	torus_nl_free(apart);
	rehearsal_free(sim.wanted);
}

/* If the fabric cannot be read, it does not count as one that does not exist. */
static void test_apply_to_unreadable_fabric(void **unused)
{
	struct torus_nl *apart = torus_nl_new();

	sim.wanted = rehearsal_new();
	torus_nl_connect_to(apart, answer, sim.wanted);
	add(ctl.nl, 1);
	add(apart, 2);
	sim.short_of_memory = true;
	assert_int_equal(apply(apart), CTL_FAILED);
	assert_says_line(sim.said, "out of memory");
	is_done(0, 0, 0);
	torus_nl_free(apart);
	rehearsal_free(sim.wanted);
}

/* A fabric that was there, and that another program has deleted, is an error. */
static void test_apply_to_deleted_fabric(void **unused)
{
	struct torus_nl *apart = torus_nl_new();

	sim.wanted = rehearsal_new();
	torus_nl_connect_to(apart, answer, sim.wanted);
	add(apart, 1);
	assert_int_equal(apply(apart), CTL_FAILED);
	assert_says_line(sim.said, "fabric f deleted");
	is_done(0, 0, 0);
	torus_nl_free(apart);
	rehearsal_free(sim.wanted);
}

/* ----------------------------------------------------------------------- lines */

#define LINES_MAX	8

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
		cmocka_unit_test_setup_teardown(test_creates_and_changes_nothing, begin, end),
		cmocka_unit_test_setup_teardown(test_changes_live_keys, begin, end),
		cmocka_unit_test_setup_teardown(test_used_fabric_stays, begin, end),
		cmocka_unit_test_setup_teardown(test_unused_fabric_is_created_again, begin, end),
		cmocka_unit_test_setup_teardown(test_old_fabric_comes_back, begin, end),
		cmocka_unit_test_setup_teardown(test_status_of_a_file, begin, end),
		cmocka_unit_test_setup_teardown(test_wrong_arguments_change_nothing, begin, end),
		cmocka_unit_test_setup_teardown(test_apply, begin, end),
		cmocka_unit_test_setup_teardown(test_apply_to_used_fabric, begin, end),
		cmocka_unit_test_setup_teardown(test_apply_to_unreadable_fabric, begin, end),
		cmocka_unit_test_setup_teardown(test_apply_to_deleted_fabric, begin, end),
		cmocka_unit_test(test_lines_of_links),
		cmocka_unit_test(test_lines_of_nodes),
		cmocka_unit_test(test_lines_of_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Test the change of a fabric that exists: `fabric replace` and `torusd apply --replace`. Fabrics
 * of the core answer the requests in place of the module.
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

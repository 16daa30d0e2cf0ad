// SPDX-License-Identifier: GPL-2.0
/*
 * Test that a command changes all nodes of a range or none. The range contains a number that is not
 * a node, or the module rejects one node after others were changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../config/args.h"
#include "../../config/diag.h"
#include "core/tests/says.h"
#include "../../netlink/node.h"
#include "../../config/target.h"

#define NODES	64

/* State of the simulated module, and the last error message. */
static struct {
	uint32_t value[NODES];
	uint32_t rejected;	/* node whose change the simulated module rejects */
	uint32_t stuck;		/* node whose state cannot be restored */
	char said[256];
} sim;

int ctl_connect(struct ctl *ctl)
{
	return CTL_OK;
}

int ctl_failed(struct ctl *ctl)
{
	return CTL_FAILED;
}

int ctl_reject(struct ctl *ctl, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(sim.said, sizeof(sim.said), format, args);
	va_end(args);
	return CTL_USAGE;
}

int ctl_usage(struct ctl *ctl, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(sim.said, sizeof(sim.said), format, args);
	va_end(args);
	return CTL_USAGE;
}

void ctl_error(const struct ctl *ctl, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(sim.said, sizeof(sim.said), format, args);
	va_end(args);
}

const char *ctl_next(struct ctl_args *args)
{
	return args->at < args->count ? args->words[args->at++] : NULL;
}

int ctl_end(struct ctl *ctl, struct ctl_args *args)
{
	return CTL_OK;
}

/*
 * Stub: return a fabric whose node numbers have gaps, like the XT's. It has four rows of 16 nodes;
 * the rows' numbers start 32 apart.
 */
int torus_nl_fabric_get(struct torus_nl *nl, const char *name, struct torus_nl_fabric *fabric)
{
	*fabric = (struct torus_nl_fabric){
		.arch = "bgl", .ndims = 2, .dims = { 16, 4 }, .nodes = NODES, .numbered = true,
		.numbering = {
			.last = 111, .split = { 16, 4 }, .stride = { 1, 32 },
		},
	};
	strcpy(fabric->name, name);
	return 0;
}

int torus_nl_node_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_node **nodes,
		       size_t *count)
{
	fail_msg("the list of nodes is not needed");
	return 0;
}

static uint32_t *value_of(uint32_t number)
{
	return &sim.value[number / 32 * 16 + number % 32];
}

static int set_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	*(uint32_t *)kept = *value_of(target->node);
	if (target->node == sim.rejected)
		return CTL_FAILED;
	*value_of(target->node) = *(uint32_t *)arg;
	return CTL_OK;
}

static int set_back(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	if (target->node == sim.stuck)
		return CTL_FAILED;
	*value_of(target->node) = *(uint32_t *)kept;
	return CTL_OK;
}

/* Call the code under test to set the nodes that @word names to state 7. */
static int change(const char *word)
{
	const struct target_change how = {
		.one = set_one, .undo = set_back, .size = sizeof(uint32_t),
	};
	struct ctl_args args = { .words = (char *[]){ "f", (char *)word }, .count = 2 };
	struct target target;
	struct ctl ctl = { .json = false };
	uint32_t value = 7;
	int status;

	*sim.said = '\0';
	status = target_parse(&ctl, &args, TARGET_NODE | TARGET_RANGE, &target);
	if (!status)
		status = target_find(&ctl, &target);
	if (!status)
		status = target_change(&ctl, &target, &how, &value);
	target_free(&target);
	return status;
}

static uint32_t changed(void)
{
	uint32_t node, count = 0;

	for (node = 0; node < NODES; node++)
		count += sim.value[node] == 7;
	return count;
}

static int begin(void **state)
{
	memset(&sim, 0, sizeof(sim));
	sim.rejected = UINT32_MAX;
	sim.stuck = UINT32_MAX;
	return 0;
}

static void test_range_of_nodes(void **state)
{
	assert_int_equal(change("0-15"), CTL_OK);
	assert_int_equal(changed(), 16);
	assert_int_equal(change("all"), CTL_OK);
	assert_int_equal(changed(), NODES);
}

static void test_range_with_numbers_of_no_node(void **state)
{
	assert_int_equal(change("0-99"), CTL_FAILED);
	assert_says(sim.said, "node 0-99 16");
	assert_int_equal(change("100-112"), CTL_FAILED);
	assert_says(sim.said, "node 100-112 112 0 111");
	assert_int_equal(changed(), 0);
}

static void test_node_that_is_rejected(void **state)
{
	uint32_t node;

	for (node = 0; node < NODES; node++)
		sim.value[node] = 100 + node;
	sim.rejected = 40;
	assert_int_equal(change("32-47"), CTL_FAILED);
	for (node = 0; node < NODES; node++)
		assert_int_equal(sim.value[node], 100 + node);
	sim.rejected = 0;
	assert_int_equal(change("all"), CTL_FAILED);
	for (node = 0; node < NODES; node++)
		assert_int_equal(sim.value[node], 100 + node);
}

static void test_node_that_keeps_its_change(void **state)
{
	sim.rejected = 40;
	sim.stuck = 33;
	assert_int_equal(change("32-47"), CTL_FAILED);
	assert_says(sim.said, "node 1,1");
	assert_int_equal(changed(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_range_of_nodes, begin),
		cmocka_unit_test_setup(test_range_with_numbers_of_no_node, begin),
		cmocka_unit_test_setup(test_node_that_is_rejected, begin),
		cmocka_unit_test_setup(test_node_that_keeps_its_change, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

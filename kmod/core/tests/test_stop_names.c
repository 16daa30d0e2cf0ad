// SPDX-License-Identifier: GPL-2.0
/* The lists of events and causes at which a run can stop: each name is found, none is missing. */
#include <string.h>

#include "core/state/interrupt.h"
#include "core/state/stop.h"
#include "core/tests/rig.h"
#include <linux/torus_port.h>

static void test_names(void **state)
{
	char list[] = TORUS_STOP_LIST_ALL, *save = NULL, *name;
	u32 event, all = 0;

	for (name = strtok_r(list, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		assert_true(torus_stop_find(name, &event));
		assert_false(all & 1u << event);
		assert_string_equal(torus_stop_name(event), name);
		all |= 1u << event;
	}
	/* of captures alone */
	all |= 1u << TORUS_TRACE_ACCEPT | 1u << TORUS_TRACE_WIRE;
	assert_int_equal(all, (2u << TORUS_STOP_NOTICE) - 1);
	assert_false(torus_stop_find("", &event));
}

static void test_causes(void **state)
{
	char list[] = TORUS_STOP_CAUSE_LIST_ALL, *save = NULL, *name;
	u32 bit, all = 0;

	for (name = strtok_r(list, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		assert_true(torus_stop_cause_find(name, &bit));
		assert_false(all & 1u << bit);
		assert_string_equal(torus_stop_cause_name(bit), name);
		all |= 1u << bit;
	}
	assert_int_equal(all, ((1u << TORUS_INTERRUPT_MAX) - 1) |
			      ((1u << TORUS_PORT_CAUSES) - 1) << TORUS_STOP_LINE_SHIFT);
	assert_string_equal(torus_stop_cause_name(TORUS_INTERRUPT_MAX), "");
	assert_string_equal(torus_stop_cause_name(32), "");
	assert_false(torus_stop_cause_find("warp", &bit));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* The list of events at which a run can stop: each name is found, and no event is missing. */
#include <string.h>

#include "core/state/stop.h"
#include "core/tests/rig.h"

static void test_names(void **state)
{
	char list[] = TORUS_STOP_LIST, *save = NULL, *name;
	u32 event, all = 0;

	for (name = strtok_r(list, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		assert_true(torus_stop_find(name, &event));
		assert_false(all & 1u << event);
		assert_string_equal(torus_stop_name(event), name);
		all |= 1u << event;
	}
	/* of captures alone */
	all |= 1u << TORUS_TRACE_ACCEPT | 1u << TORUS_TRACE_WIRE;
	assert_int_equal(all, (2u << TORUS_STOP_INTERRUPT) - 1);
	assert_false(torus_stop_find("", &event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

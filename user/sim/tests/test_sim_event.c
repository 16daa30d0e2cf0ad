// SPDX-License-Identifier: GPL-2.0
/* The list of events of --stop-at: each name is found, and no event is missing. */
#include <string.h>

#include "core/state/stop.h"
#include "core/tests/rig.h"
#include "../trace/event.h"

static void test_names(void **state)
{
	char list[] = SIM_EVENT_LIST, *save = NULL, *name;
	u32 mask, all = 0;

	for (name = strtok_r(list, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		assert_true(sim_event_find(name, &mask));
		assert_false(all & mask);
		assert_string_equal(sim_event_name((u32)__builtin_ctz(mask)), name);
		all |= mask;
	}
	/* of captures alone */
	all |= 1u << TORUS_TRACE_ACCEPT | 1u << TORUS_TRACE_WIRE;
	assert_int_equal(all, (2u << TORUS_STOP_INTERRUPT) - 1);
	assert_false(sim_event_find("", &mask));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

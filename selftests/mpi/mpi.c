// SPDX-License-Identifier: GPL-2.0
/* Point-to-point messages, derived types, collective operations and communicators of MPI. */
#include "steps.h"

static const struct suite_step steps[] = {
	{ "all modes of sending, all lengths", step_modes },
	{ "combined sends and receives", step_sendrecv },
	{ "persistent requests", step_persistent },
	{ "messages to oneself", step_self },
	{ "messages between all pairs at once", step_all_pairs },
	{ "messages of one tag arrive in order", step_order },
	{ "any source and any tag", step_wildcards },
	{ "unexpected messages, the last tag first", step_tags_backwards },
	{ "probes", step_probe },
	{ "matched probes", step_matched_probe },
	{ "cancelled receives", step_cancel },
	{ "truncated messages", step_truncation },
	{ "completion of many requests", step_completion },
	{ "vectors", step_vector },
	{ "structs", step_struct },
	{ "subarrays", step_subarray },
	{ "indexed types", step_indexed },
	{ "packed messages", step_pack },
	{ "barrier and broadcast", step_broadcast },
	{ "reductions", step_reductions },
	{ "scans and scattered reductions", step_scans },
	{ "gather and scatter", step_gather_scatter },
	{ "gather and scatter of unequal blocks", step_unequal_blocks },
	{ "all to all", step_alltoall },
	{ "nonblocking collective operations", step_nonblocking },
	{ "split communicators", step_split },
	{ "communicators of groups", step_groups },
	{ "two communicators do not mix", step_contexts },
	{ "intercommunicators", step_intercommunicator },
	{ "grids", step_cartesian },
};

int main(int argc, char **argv)
{
	suite_begin(&argc, &argv, MPI_THREAD_SINGLE);
	suite_run(steps, SUITE_COUNT(steps));
	return suite_end();
}

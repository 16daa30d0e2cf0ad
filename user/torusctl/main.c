// SPDX-License-Identifier: GPL-2.0
/* torusctl: control fabrics, nodes, registers, links, workloads, counters and events. */
#include "../common/answer.h"
#include "cli.h"
#include "../config/ctl.h"
#include "../config/oneline.h"

int main(int argc, char **argv)
{
	struct ctl_args args = { .words = argv + 1, .count = argc > 0 ? argc - 1 : 0 };
	struct ctl ctl = { .json = false };
	int status;

	torus_answer_begin();
	status = ctl_run_words(&ctl, &args);
	torus_nl_free(ctl.nl);
	output_multiline();
	return torus_answer_end("torusctl", status, CTL_FAILED);
}

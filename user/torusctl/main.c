// SPDX-License-Identifier: GPL-2.0
/* torusctl: fabrics, nodes, registers, links, workloads, counters, events. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ctl.h"
#include "output.h"

int main(int argc, char **argv)
{
	struct ctl_args args = { .words = argv + 1, .count = argc > 0 ? argc - 1 : 0 };
	struct ctl ctl = { .json = false };
	int status;

	status = ctl_run_words(&ctl, &args);
	torus_nl_free(ctl.nl);
	if (output_flush() || ferror(stdout)) {
		fprintf(stderr, "torusctl: cannot write the answer: %s\n", strerror(errno));
		status = status ? status : CTL_FAILED;
	}
	return status;
}

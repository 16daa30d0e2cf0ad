/* SPDX-License-Identifier: GPL-2.0 */
/* Run one workload of a figure, from its options to its measurements. */
#ifndef TORUS_PAPER_RUN_H
#define TORUS_PAPER_RUN_H

#include "paper.h"

void paper_progress(bool on);
void paper_progress_begin(struct sim_progress *progress);
int paper_measure(struct torus_fabric *fabric, const struct sim_run_config *options,
		  struct sim_measure *found);
int paper_run(const struct sim_run_config *options, struct sim_measure *found);

#endif

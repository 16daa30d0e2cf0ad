/* SPDX-License-Identifier: GPL-2.0 */
/* Hot-region workload, shared by figures 3 and 5 and figures 7, 8 and 9. */
#ifndef TORUS_PAPER_BGL_HOT_H
#define TORUS_PAPER_BGL_HOT_H

#include "bgl_work.h"

/* load as a multiple of the capacity of the links into the region */
#define PAPER_HOT_LOAD	2.0
/* ticks of a part of the run; the paper: "as measured over 10K-cycle intervals" */
#define PAPER_HOT_PART	10000

int paper_hot(const struct paper_request *request, u64 cycles, const char *set, u32 seed,
	      struct paper_figure *figure, struct paper_bgl_run *found);
void paper_hot_shape(const struct paper_request *request, u32 *dims);
const char *paper_hot_text(const struct paper_request *request, char *text, size_t size);
bool paper_hot_is_papers(const struct paper_request *request);
void paper_hot_curve(struct paper_figure *figure, const char *name,
		     const struct paper_bgl_run *found, double (*value)(const struct paper_part *));

#endif /* TORUS_PAPER_BGL_HOT_H */

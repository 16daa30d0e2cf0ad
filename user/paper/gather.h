/* SPDX-License-Identifier: GPL-2.0 */
/* Distribute the points of a figure over several processes. */
#ifndef TORUS_PAPER_GATHER_H
#define TORUS_PAPER_GATHER_H

#include "paper.h"

bool paper_gather(void *found, size_t bytes, int *status);
int paper_gather_keep(const void *found, size_t bytes, int status);
int paper_gather_run(const struct paper_source *source, const struct paper_request *request,
		     struct paper_figure *figure);
bool paper_gather_blank(void);
double paper_cpu_s(void);
u64 paper_memory(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Print the results of torus-pingpong, as text and as JSON. */
#ifndef TORUS_PERF_PRINT_H
#define TORUS_PERF_PRINT_H

#include "pingpong.h"

void pingpong_begin(const struct pingpong *call, const struct pingpong_pair *pair);
void pingpong_row(const struct pingpong *call, const struct pingpong_pair *pair,
		  const struct pingpong_row *row);
void pingpong_end(const struct pingpong *call);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Parse times: ticks, or a decimal number with a unit. */
#ifndef TORUS_PARSE_TIME_H
#define TORUS_PARSE_TIME_H

#include "parse.h"

bool parse_time(const char *what, const char *word, struct parse_time *time,
		struct parse_error *why);
__u64 parse_time_ticks(const struct parse_time *time, __u64 tick_fs);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Parse times: ticks, or a decimal with a unit. */
#ifndef TORUS_WORDS_TIME_H
#define TORUS_WORDS_TIME_H

#include "words.h"

bool word_time(const char *what, const char *word, struct word_time *time,
	       struct word_why *why);
__u64 word_time_ticks(const struct word_time *time, __u64 tick_fs);

#endif

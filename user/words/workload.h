/* SPDX-License-Identifier: GPL-2.0 */
/* Options of a workload. */
#ifndef TORUS_WORDS_WORKLOAD_H
#define TORUS_WORDS_WORKLOAD_H

#include "words.h"

void word_workload_init(struct word_workload *load);
void word_workload_size(struct word_workload *load, const struct torus_machine *machine);
bool word_workload_pattern(struct word_workload *load, const char *word, struct word_why *why);
bool word_workload_set(struct word_workload *load, const char *key, const char *word,
		       bool *taken, struct word_why *why);
bool word_workload_loop(bool load, bool packets, bool cycles, bool warmup,
			struct word_why *why);
bool word_workload_finish(struct word_workload *load, const struct torus_machine *machine,
			  const struct torus_machine_shape *shape, struct word_why *why);
bool word_load(const char *what, const char *word, __u64 *load, struct word_why *why);

#endif

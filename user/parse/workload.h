/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the options of a workload. */
#ifndef TORUS_PARSE_WORKLOAD_H
#define TORUS_PARSE_WORKLOAD_H

#include "parse.h"

void parse_workload_init(struct parse_workload *load);
void parse_workload_size(struct parse_workload *load, const struct torus_machine *machine);
bool parse_workload_pattern(struct parse_workload *load, const char *word, struct parse_error *why);
bool parse_workload_set(struct parse_workload *load, const char *key, const char *word,
			bool *taken, struct parse_error *why);
bool parse_workload_loop(bool load, bool packets, bool cycles, bool warmup,
			 struct parse_error *why);
bool parse_workload_finish(struct parse_workload *load, const struct torus_machine *machine,
			   const struct torus_machine_shape *shape, struct parse_error *why);
bool parse_load(const char *what, const char *word, __u64 *load, struct parse_error *why);

#endif

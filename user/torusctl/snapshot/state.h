/* SPDX-License-Identifier: GPL-2.0 */
/* A fabric with its workload in a file: the options of its run, and the tables that it needs. */
#ifndef TORUSCTL_STATE_H
#define TORUSCTL_STATE_H

#include <json-c/json.h>

#include "../../route/target/target.h"
#include "../../config/ctl.h"
#include "traffic_args.h"
#include "../../config/fabric_args.h"
#include "../../parse/time.h"

#define STATE_PAIRS_MAX		128	/* keys of a fabric and its workload */
#define STATE_TABLES_MAX	64	/* files of tables, each for its tick */

/**
 * struct state_table - a file of routing tables
 * @file: its name
 * @at: tick from which on routers go by them
 */
struct state_table {
	const char *file;
	struct parse_time at;
};

/**
 * struct state_run - a run, as the options in a state's file tell it
 * @fabric: its fabric
 * @traffic: its workload
 * @words: what its routing tables are to say, where the machine has any
 * @tables: files with such
 * @ntables: how many
 * @pairs: KEY=VALUE as they would have been typed, of which @wanted has words
 * @npairs: how many
 */
struct state_run {
	struct fabric_args fabric;
	struct traffic_args traffic;
	const char *words[XT_KEYS];
	struct state_table tables[STATE_TABLES_MAX];
	unsigned int ntables;
	char *pairs[STATE_PAIRS_MAX];
	unsigned int npairs;
};

int fabric_save_state(struct ctl *ctl, struct ctl_args *args);
int fabric_load_state(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUSCTL_STATE_H */

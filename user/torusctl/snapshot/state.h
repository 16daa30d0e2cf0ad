/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Save and restore a fabric with its workload. The file contains the options of the run and its
 * state. The options may name files of routing tables.
 */
#ifndef TORUSCTL_STATE_H
#define TORUSCTL_STATE_H

#include <json-c/json.h>

#include "../../route/spec/spec.h"
#include "../../config/ctl.h"
#include "traffic_args.h"
#include "../../config/fabric_args.h"
#include "../../parse/time.h"

/* maximum number of parameters of the workload and the fabric in a state file */
#define STATE_PAIRS_MAX		128
#define STATE_TABLES_MAX	64	/* maximum number of routing table files */

/**
 * struct state_table - a file of routing tables
 * @file: name of the file
 * @at: time at which the run loads the tables
 */
struct state_table {
	const char *file;
	struct parse_time at;
};

/**
 * struct state_run - the run that the options in a state file describe
 * @fabric: arguments of its fabric
 * @traffic: arguments of its workload
 * @words: arguments for its routing tables; used only if the machine has tables
 * @tables: files of routing tables
 * @ntables: number of entries in @tables
 * @pairs: KEY=VALUE texts, to which members of @traffic point
 * @npairs: number of entries in @pairs
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

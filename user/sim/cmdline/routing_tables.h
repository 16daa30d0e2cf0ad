/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables of a run: --set policy=.. and --table. */
#ifndef TORUS_SIM_CMDLINE_ROUTING_TABLES_H
#define TORUS_SIM_CMDLINE_ROUTING_TABLES_H

#include <stdio.h>

#include "../../route/spec/spec.h"
#include "../../route/xt/check.h"
#include "../../parse/time.h"
#include "core/run/fabric.h"

struct json_object;

#define SIM_TABLES_MAX	64

/**
 * struct sim_table - a file of routing tables
 * @file: name of the file
 * @typed: time from which the routers use the tables, as typed
 * @at: the same time, parsed
 */
struct sim_table {
	const char *file;
	const char *typed;
	struct parse_time at;
};

/**
 * struct sim_tables - options of routing tables
 * @words: value of --set for each enum xt_key, or NULL
 * @files: files of tables; tables are computed unless a file takes effect at tick 0
 * @nfiles: number of files
 */
struct sim_tables {
	const char *words[XT_KEYS];
	struct sim_table files[SIM_TABLES_MAX];
	unsigned int nfiles;
};

bool sim_tables_set(struct sim_tables *tables, const char *key, const char *value);
bool sim_tables_fit(const struct sim_tables *tables, const struct torus_config *config);
bool sim_tables_check(const struct sim_tables *tables, const struct torus_config *config);
int sim_tables_load(const struct sim_tables *tables, struct torus_fabric *fabric);

/**
 * struct sim_balance - VC balance, computed from the counters of links (Abts et al. (2007), section
 * 4)
 * @dim: balance of each dimension
 * @table_bytes: bytes of the routing tables; 0: the machine has no tables, and @dim is not valid
 */
struct sim_balance {
	struct xt_balance dim[XT_DIMS];
	u64 table_bytes;
};

void sim_balance_take(struct sim_balance *balance, struct torus_fabric *fabric);
void sim_balance_json(struct json_object *doc, const struct sim_balance *balance);
void sim_balance_text(FILE *out, const struct sim_balance *balance);

#endif /* TORUS_SIM_CMDLINE_ROUTING_TABLES_H */

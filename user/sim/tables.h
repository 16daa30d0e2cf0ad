/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables of a run: --set policy=.. and --table. */
#ifndef TORUS_SIM_TABLES_H
#define TORUS_SIM_TABLES_H

#include <stdio.h>

#include "../route/target/target.h"
#include "../route/xt/check.h"
#include "core/run/fabric.h"

struct json_object;

/**
 * struct sim_tables - what was said of the routing tables
 * @words: by enum xt_key: the word, or NULL
 * @file: that they come from, or NULL: they are computed
 */
struct sim_tables {
	const char *words[XT_KEYS];
	const char *file;
};

bool sim_tables_set(struct sim_tables *tables, const char *key, const char *value);
bool sim_tables_fit(const struct sim_tables *tables, const struct torus_config *config);
int sim_tables_load(const struct sim_tables *tables, struct torus_fabric *fabric);

/**
 * struct sim_balance - VC balance by the counters of links (paper 001, section 4)
 * @dim: by dimension
 * @table_bytes: of the tables; 0: the machine has none, and no balance
 */
struct sim_balance {
	struct xt_balance dim[XT_DIMS];
	u64 table_bytes;
};

void sim_balance_take(struct sim_balance *balance, struct torus_fabric *fabric);
void sim_balance_json(struct json_object *doc, const struct sim_balance *balance);
void sim_balance_text(FILE *out, const struct sim_balance *balance);

#endif /* TORUS_SIM_TABLES_H */

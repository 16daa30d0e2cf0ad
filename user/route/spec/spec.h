/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A Cray XT and its routing tables. The parameters come from torusctl's `arch xt shape S ..`, from
 * torus-sim's --set or from a fabric; all are parsed here.
 */
#ifndef TORUS_ROUTE_SPEC_SPEC_H
#define TORUS_ROUTE_SPEC_SPEC_H

#include <stdint.h>

#include "../../parse/parse.h"
#include "../xt/table_store.h"

/* Keys of the parameters, in the order of xt_key_names[]. */
enum xt_key {
	XT_KEY_POLICY,
	XT_KEY_DATELINES,
	XT_KEY_TIES,
	XT_KEY_BROKEN,
	XT_KEY_ABSENT,
	XT_KEYS,
};

extern const char *const xt_key_names[XT_KEYS];

/**
 * struct xt_spec - a machine and its tables
 * @map: the machine
 * @route: rules by which tables are computed
 * @has_route: true if xt_spec_words() has set @route
 * @automatic: true if xt_spec_compute() selects the datelines
 * @tables: set by xt_spec_compute(), xt_spec_read() or xt_live_read()
 * @made: statistics of xt_spec_compute()
 */
struct xt_spec {
	struct xt_map *map;
	struct xt_route route;
	bool has_route;
	bool automatic;
	struct xt_tables *tables;
	struct xt_made made;
};

unsigned int xt_key_find(const char *word);
const char *xt_key_default(unsigned int key);
bool xt_spec_map(struct xt_spec *spec, const uint32_t *dims, uint32_t mesh, uint32_t planes,
		 struct parse_error *why);
bool xt_spec_words(struct xt_spec *spec, const char *const *words, struct parse_error *why);
bool xt_spec_node(const struct xt_spec *spec, const char *word, uint32_t *node,
		  struct parse_error *why);
bool xt_spec_compute(struct xt_spec *spec, struct parse_error *why);
void xt_spec_free(struct xt_spec *spec);

#endif /* TORUS_ROUTE_SPEC_SPEC_H */

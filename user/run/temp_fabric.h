/* SPDX-License-Identifier: GPL-2.0 */
/* A temporary fabric, which exists as long as one job. */
#ifndef TORUS_RUN_TEMP_FABRIC_H
#define TORUS_RUN_TEMP_FABRIC_H

#include "../netlink/fabric.h"
#include "fabric_info.h"

/**
 * struct run_recipe - options of a temporary fabric
 * @spec: configuration of the fabric; its member @arch is NULL if no temporary fabric is requested
 * @params: parameters of the fabric
 * @shape: shape as the user typed it
 */
struct run_recipe {
	struct torus_nl_fabric_spec spec;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	const char *shape;
};

bool run_recipe_shape(struct run_recipe *recipe, const char *word, struct parse_error *why);
bool run_recipe_set(struct run_recipe *recipe, const char *pair, struct parse_error *why);
bool run_recipe_param(struct run_recipe *recipe, const char *key, const char *word,
		      struct parse_error *why);
bool run_recipe_check(const struct run_recipe *recipe, struct parse_error *why);
bool run_recipe_make(struct run_fabric_info *machine, const struct run_recipe *recipe);

#endif /* TORUS_RUN_TEMP_FABRIC_H */

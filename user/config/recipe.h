/* SPDX-License-Identifier: GPL-2.0 */
/* The machine, shape, seed and parameters of a fabric to be made, as they are typed. */
#ifndef TORUSCTL_RECIPE_H
#define TORUSCTL_RECIPE_H

#include "../netlink/fabric.h"
#include "ctl.h"

/**
 * struct recipe - what a fabric is made of
 * @spec: as the module is told
 * @params: its parameters
 * @shape: the shape as it was typed
 * @mesh: likewise the dimensions that are a mesh, or NULL
 */
struct recipe {
	struct torus_nl_fabric_spec spec;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	const char *shape;
	const char *mesh;
};

int recipe_name(struct ctl *ctl, struct ctl_args *args, const char **name);
int recipe_param(struct ctl *ctl, const char *key, const char *word, struct torus_nl_param *params,
		 size_t *count);
int recipe_word(struct ctl *ctl, struct recipe *recipe, const char *key, const char *word);
int recipe_arch(struct ctl *ctl, const char *arch);
int recipe_make(struct ctl *ctl, struct recipe *recipe);

#endif /* TORUSCTL_RECIPE_H */

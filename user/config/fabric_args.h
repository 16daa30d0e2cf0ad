/* SPDX-License-Identifier: GPL-2.0 */
/* Parse the arguments that create a fabric: machine, shape, seed and parameters. */
#ifndef TORUS_CONFIG_FABRIC_ARGS_H
#define TORUS_CONFIG_FABRIC_ARGS_H

#include "../netlink/fabric.h"
#include "ctl.h"

/**
 * struct fabric_args - the arguments that create a fabric
 * @spec: the request to the module
 * @params: the parameters of @spec
 * @shape: the shape as text
 * @mesh: the open dimensions as text, or NULL
 */
struct fabric_args {
	struct torus_nl_fabric_spec spec;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	const char *shape;
	const char *mesh;
};

int fabric_args_name(struct ctl *ctl, struct ctl_args *args, const char **name);
int fabric_args_param(struct ctl *ctl, const char *key, const char *word,
		      struct torus_nl_param *params,
		      size_t *count);
int fabric_args_word(struct ctl *ctl, struct fabric_args *wanted, const char *key,
		     const char *word);
int fabric_args_arch(struct ctl *ctl, const char *arch);
int fabric_args_make(struct ctl *ctl, struct fabric_args *wanted);

#endif /* TORUS_CONFIG_FABRIC_ARGS_H */

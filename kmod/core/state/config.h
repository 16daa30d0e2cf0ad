/* SPDX-License-Identifier: GPL-2.0 */
/* What a fabric is made from. */
#ifndef TORUS_CORE_CONFIG_H
#define TORUS_CORE_CONFIG_H

#include "core/state/arch.h"

#define TORUS_DOMAINS_MAX	64

/**
 * struct torus_config - what a fabric is made from
 * @arch: the machine
 * @geo: its shape
 * @seed: of every random stream
 * @domains: parts that may be simulated side by side; results do not depend on it
 * @params: values of the parameters, by place, see core/state/param.h
 */
struct torus_config {
	const struct torus_arch *arch;
	struct torus_geometry geo;
	u64 seed;
	u32 domains;
	u64 params[TORUS_PARAMS_MAX];
};

#endif /* TORUS_CORE_CONFIG_H */

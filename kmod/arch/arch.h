/* SPDX-License-Identifier: GPL-2.0 */
/* The machines that are compiled in; no other file lists them. */
#ifndef TORUS_ARCH_H
#define TORUS_ARCH_H

#include "core/run/config.h"

/* All machines, NULL-terminated. */
extern const struct torus_arch *const torus_archs[];

/* Return the machine with a name such as "bgl", or NULL. */
const struct torus_arch *torus_arch_find(const char *name);

/* Set a configuration to the defaults of the named machine. Return -EINVAL for an unknown name. */
torus_inline int torus_arch_config(struct torus_config *cfg, const char *name,
				   struct torus_error *err)
{
	return torus_config_named(cfg, torus_archs, name, err);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The machines that are compiled in: the one list of them. */
#ifndef TORUS_ARCH_H
#define TORUS_ARCH_H

#include "core/run/config.h"

/* Every machine that is compiled in, NULL-terminated. */
extern const struct torus_arch *const torus_archs[];

/**
 * torus_arch_find() - a machine by name
 * @name: "bgl", ...
 *
 * Return: the machine, or NULL.
 */
const struct torus_arch *torus_arch_find(const char *name);

/* Defaults of a machine, by its name; -EINVAL for an unknown one. */
torus_inline int torus_arch_config(struct torus_config *cfg, const char *name,
				   struct torus_error *err)
{
	return torus_config_named(cfg, torus_archs, name, err);
}

#endif /* TORUS_ARCH_H */

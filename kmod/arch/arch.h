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

/**
 * torus_arch_config() - defaults of a machine, by its name
 * @cfg: to be filled in
 * @name: "bgl", ...
 * @err: why not
 *
 * Return: 0 or -EINVAL for an unknown machine.
 */
int torus_arch_config(struct torus_config *cfg, const char *name, struct torus_error *err);

#endif /* TORUS_ARCH_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The parameters of a fabric: every machine's and the machine's own. */
#ifndef TORUS_CORE_PARAMS_H
#define TORUS_CORE_PARAMS_H

#include "core/state/arch.h"

/**
 * torus_param_count() - places of a machine's parameters in torus_config.params
 * @arch: the machine
 *
 * Return: how many; torus_param_at() may be NULL for some.
 */
u32 torus_param_count(const struct torus_arch *arch);

/**
 * torus_param_at() - a parameter of a machine
 * @arch: the machine
 * @i: its place, below torus_param_count()
 *
 * Return: the parameter, NULL for a common one that the machine lacks.
 */
const struct torus_param *torus_param_at(const struct torus_arch *arch, u32 i);

/**
 * torus_param_find() - a parameter by name
 * @arch: the machine
 * @key: its name
 * @err: why there is none
 *
 * Return: its place; -ENOENT for an unknown key, -EOPNOTSUPP for a common one
 * that the machine lacks.
 */
int torus_param_find(const struct torus_arch *arch, const char *key, struct torus_error *err);

/* "ticks" and so on; NULL for a parameter without a unit. */
const char *torus_param_unit(const struct torus_param *param);

/* What the common parameters say, as the fabric keeps it; before torus_arch.configure. */
void torus_params_apply(struct torus_fabric *f);

/**
 * torus_param_changed() - a parameter was set on a living fabric
 * @f: the fabric, held; torus_params_apply() has seen the new value
 * @i: its place
 * @err: why not
 *
 * Return: 0, -ENOMEM.
 */
int torus_param_changed(struct torus_fabric *f, u32 i, struct torus_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The parameters of a fabric: common ones, and those of its machine. */
#ifndef TORUS_CORE_PARAMS_H
#define TORUS_CORE_PARAMS_H

#include "core/state/arch.h"

/**
 * torus_param_count() - return the number of entries in torus_config.params
 * @arch: the machine
 *
 * Return: the number; torus_param_at() may return NULL for some entries.
 */
u32 torus_param_count(const struct torus_arch *arch);

/**
 * torus_param_at() - find a parameter of a machine by index
 * @arch: the machine
 * @i: index, below torus_param_count()
 *
 * Return: the parameter; NULL for a common parameter that the machine lacks.
 */
const struct torus_param *torus_param_at(const struct torus_arch *arch, u32 i);

/**
 * torus_param_find() - find a parameter by name
 * @arch: the machine
 * @key: name of the parameter
 * @err: [out] error message
 *
 * Return: its index; -ENOENT for an unknown key, -EOPNOTSUPP for a common parameter
 * that the machine lacks.
 */
int torus_param_find(const struct torus_arch *arch, const char *key, struct torus_error *err);

/* Return the name of a parameter's unit, such as "ticks"; NULL for a parameter without a unit. */
const char *torus_param_unit(const struct torus_param *param);

/*
 * Copy the values of the common parameters into the fabric's fields, before torus_arch.configure.
 */
void torus_params_apply(struct torus_fabric *f);

/**
 * torus_param_changed() - apply a parameter that was changed on a running fabric
 * @f: the fabric, no run in progress; torus_params_apply() has copied the new value
 * @i: index of the parameter
 * @err: [out] error message
 *
 * Return: 0, -ENOMEM.
 */
int torus_param_changed(struct torus_fabric *f, u32 i, struct torus_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Configuring: defaults, shape, KEY=VALUE. */
#ifndef TORUS_CORE_RUN_CONFIG_H
#define TORUS_CORE_RUN_CONFIG_H

#include "core/state/config.h"

/**
 * torus_config_init() - defaults of a machine
 * @cfg: to be filled in
 * @arch: the machine
 */
void torus_config_init(struct torus_config *cfg, const struct torus_arch *arch);

/**
 * torus_config_named() - defaults of a machine, by its name
 * @cfg: to be filled in
 * @archs: the machines that there are, NULL-terminated
 * @name: "bgl", ...
 * @err: why not
 *
 * Return: 0 or -EINVAL for an unknown machine.
 */
int torus_config_named(struct torus_config *cfg, const struct torus_arch *const *archs,
		       const char *name, struct torus_error *err);

/**
 * torus_config_shape() - set the shape from numbers
 * @cfg: the configuration
 * @ndims: number of dimensions
 * @dims: their lengths
 * @mesh: bit i: dimension i is a mesh
 * @err: why not
 *
 * Return: 0, -EINVAL for a shape the machine cannot have.
 */
int torus_config_shape(struct torus_config *cfg, u32 ndims, const u32 *dims, u32 mesh,
		       struct torus_error *err);

/**
 * torus_config_set() - set one KEY=VALUE
 * @cfg: the configuration
 * @key: a parameter
 * @value: number, or name of an enumeration's value
 * @err: why not
 *
 * Return: 0, -ENOENT for an unknown key, -EOPNOTSUPP for one that the machine
 * lacks, -EINVAL or -ERANGE for a bad value.
 */
int torus_config_set(struct torus_config *cfg, const char *key, const char *value,
		     struct torus_error *err);

/* The same with a number. */
int torus_config_set_number(struct torus_config *cfg, const char *key, u64 value,
			    struct torus_error *err);

/* The number that parameter @key has; false if there is no such key. */
bool torus_config_number(const struct torus_config *cfg, const char *key, u64 *value);

/* Text of the value of the parameter at place @i into @buf; returns @buf. */
const char *torus_config_text(const struct torus_config *cfg, u32 i, char *buf, size_t size);

#endif /* TORUS_CORE_RUN_CONFIG_H */

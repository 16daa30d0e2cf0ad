/* SPDX-License-Identifier: GPL-2.0 */
/* Set up a configuration: a machine's defaults, its shape and its parameters. */
#ifndef TORUS_CORE_RUN_CONFIG_H
#define TORUS_CORE_RUN_CONFIG_H

#include "core/state/config.h"

/**
 * torus_config_init() - set a machine's default parameters
 * @cfg: [out] configuration
 * @arch: the machine
 */
void torus_config_init(struct torus_config *cfg, const struct torus_arch *arch);

/**
 * torus_config_named() - set the default parameters of a machine given by name
 * @cfg: [out] configuration
 * @archs: all known machines, NULL-terminated
 * @name: name of the machine, such as "bgl"
 * @err: [out] error message
 *
 * Return: 0 or -EINVAL for an unknown machine.
 */
int torus_config_named(struct torus_config *cfg, const struct torus_arch *const *archs,
		       const char *name, struct torus_error *err);

/**
 * torus_config_shape() - set the shape from numbers
 * @cfg: configuration to change
 * @ndims: number of dimensions
 * @dims: length of each dimension
 * @mesh: bit i set: dimension i is a mesh
 * @err: [out] error message
 *
 * Return: 0, or -EINVAL for a shape that the machine cannot have.
 */
int torus_config_shape(struct torus_config *cfg, u32 ndims, const u32 *dims, u32 mesh,
		       struct torus_error *err);

/**
 * torus_config_set() - set one parameter from its text
 * @cfg: configuration to change
 * @key: name of the parameter
 * @value: number, or name of an enumeration's value
 * @err: [out] error message
 *
 * Return: 0, -ENOENT for an unknown key, -EOPNOTSUPP for a parameter that the machine
 * lacks, -EINVAL or -ERANGE for a bad value.
 */
int torus_config_set(struct torus_config *cfg, const char *key, const char *value,
		     struct torus_error *err);

/* Set one parameter to the number @value; see config.c for units. */
int torus_config_set_number(struct torus_config *cfg, const char *key, u64 value,
			    struct torus_error *err);

/*
 * Read the number of parameter @key into @value. Return false if there is no such key, or if the
 * machine lacks it.
 */
bool torus_config_number(const struct torus_config *cfg, const char *key, u64 *value);

/* Write the value of the parameter at index @i into @buf as text; return @buf. */
const char *torus_config_text(const struct torus_config *cfg, u32 i, char *buf, size_t size);

#endif /* TORUS_CORE_RUN_CONFIG_H */

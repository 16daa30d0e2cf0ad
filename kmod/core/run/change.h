/* SPDX-License-Identifier: GPL-2.0 */
/* A change of a living fabric's parameters. */
#ifndef TORUS_CORE_RUN_CHANGE_H
#define TORUS_CORE_RUN_CHANGE_H

#include "core/state/config.h"

struct torus_fabric;

/**
 * struct torus_fabric_change - what the parameters of a living fabric shall become
 * @cfg: the configuration with the new values
 * @named: of the parameters that every machine has, those that were given, a bit each
 */
struct torus_fabric_change {
	struct torus_config cfg;
	u64 named;
};

/* Begin a change that changes nothing yet. */
void torus_change_init(struct torus_fabric_change *change, const struct torus_fabric *f);

/**
 * torus_change_set() - add one KEY=VALUE to a change
 * @change: the change
 * @f: the fabric that it is for
 * @key: a parameter
 * @value: its value as a word
 * @err: why not
 *
 * Return: 0, as torus_config_set(), or -EBUSY for a parameter that only a new fabric can take.
 */
int torus_change_set(struct torus_fabric_change *change, const struct torus_fabric *f,
		     const char *key, const char *value, struct torus_error *err);

/**
 * torus_change_make() - change a living fabric's parameters, all of them or none
 * @f: the fabric, held
 * @change: the change
 * @err: why not
 *
 * Return: 0, -EINVAL, -ERANGE (values that do not fit each other), -ENOMEM.
 */
int torus_change_make(struct torus_fabric *f, const struct torus_fabric_change *change,
		      struct torus_error *err);

#endif /* TORUS_CORE_RUN_CHANGE_H */

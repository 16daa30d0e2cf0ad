/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of parameters of an existing fabric. */
#ifndef TORUS_CORE_RUN_LIVE_PARAMS_H
#define TORUS_CORE_RUN_LIVE_PARAMS_H

#include "core/state/config.h"

struct torus_fabric;

/**
 * struct torus_fabric_change - a change of a fabric's parameters
 * @cfg: the configuration with the new values
 * @named: mask of the common parameters that the change sets
 */
struct torus_fabric_change {
	struct torus_config cfg;
	u64 named;
};

/* Initialize a change to the fabric's current parameters. */
void torus_change_init(struct torus_fabric_change *change, const struct torus_fabric *f);

/**
 * torus_change_set() - add one KEY=VALUE to a change
 * @change: change to extend
 * @f: fabric to be changed
 * @key: name of a parameter
 * @value: its value as text
 * @err: [out] error message
 *
 * Return: 0, an error of torus_config_set(), or -EBUSY for a new value of a parameter that only a
 * new fabric accepts.
 */
int torus_change_set(struct torus_fabric_change *change, const struct torus_fabric *f,
		     const char *key, const char *value, struct torus_error *err);

/**
 * torus_change_make() - apply a change completely, or not at all
 * @f: the fabric; no run may be in progress
 * @change: change to apply
 * @err: [out] error message
 *
 * Return: 0, -EINVAL, -ERANGE for values that contradict each other, or -ENOMEM.
 */
int torus_change_make(struct torus_fabric *f, const struct torus_fabric_change *change,
		      struct torus_error *err);

#endif /* TORUS_CORE_RUN_LIVE_PARAMS_H */

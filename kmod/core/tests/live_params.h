/* SPDX-License-Identifier: GPL-2.0 */
/* Change one parameter of an existing fabric, for tests. */
#ifndef TORUS_CORE_TESTS_CHANGE_H
#define TORUS_CORE_TESTS_CHANGE_H

#include "core/run/live_params.h"

static inline int torus_fabric_set(struct torus_fabric *f, const char *key, const char *value,
				   struct torus_error *err)
{
	struct torus_fabric_change change;
	int ret;

	torus_change_init(&change, f);
	ret = torus_change_set(&change, f, key, value, err);
	return ret ? ret : torus_change_make(f, &change, err);
}

#endif /* TORUS_CORE_TESTS_CHANGE_H */

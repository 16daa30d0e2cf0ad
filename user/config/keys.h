/* SPDX-License-Identifier: GPL-2.0 */
/* Compare the keys of two fabrics: those that a running fabric accepts, and the others. */
#ifndef TORUS_CONFIG_KEYS_H
#define TORUS_CONFIG_KEYS_H

#include "../netlink/fabric.h"

#define CONFIG_FIXED_MAX	512	/* maximum bytes of a list of keys, with NUL */

/**
 * struct config_keys - keys in which a wanted fabric differs from a fabric that exists
 * @fixed: names of the keys that require a new fabric, separated by ", "; "" if there are none
 * @live: the other keys, with the wanted values
 * @count: number of entries in @live
 */
struct config_keys {
	char fixed[CONFIG_FIXED_MAX];
	struct torus_nl_param live[TORUS_NL_PARAMS_MAX];
	size_t count;
};

void config_keys_fixed(struct config_keys *keys, const char *name);
void config_keys_compare(const struct torus_nl_fabric *now, const struct torus_nl_fabric *wanted,
			 struct config_keys *keys);

#endif /* TORUS_CONFIG_KEYS_H */

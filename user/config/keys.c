// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the keys of two fabrics: those that a running fabric accepts, and the others.
 *
 * The module reports with each parameter whether a running fabric accepts it.
 */
#include <stdio.h>
#include <string.h>

#include "keys.h"

/**
 * config_keys_fixed - add a name to the list of keys that require a new fabric
 * @keys: [in, out] the keys; a name that does not fit is truncated
 * @name: name of a key
 */
void config_keys_fixed(struct config_keys *keys, const char *name)
{
	size_t used = strlen(keys->fixed);

	snprintf(keys->fixed + used, sizeof(keys->fixed) - used, "%s%s", used ? ", " : "", name);
}

static bool same_shape(const struct torus_nl_fabric *a, const struct torus_nl_fabric *b)
{
	return a->nshape == b->nshape && a->ndims == b->ndims &&
	       !memcmp(a->shape, b->shape, a->nshape * sizeof(a->shape[0])) &&
	       !memcmp(a->dims, b->dims, a->ndims * sizeof(a->dims[0]));
}

/**
 * config_keys_compare - find the keys in which a wanted fabric differs from a fabric that exists
 * @now: the fabric that exists, as the module describes it
 * @wanted: the wanted fabric; if its machine is another one, no other key is compared
 * @keys: [out] the differences
 */
void config_keys_compare(const struct torus_nl_fabric *now, const struct torus_nl_fabric *wanted,
			 struct config_keys *keys)
{
	const struct torus_nl_param *param;
	const char *text;

	*keys = (struct config_keys){ .count = 0 };
	if (strcmp(now->arch, wanted->arch)) {
		config_keys_fixed(keys, "arch");
		return;
	}
	if (!same_shape(now, wanted))
		config_keys_fixed(keys, "shape");
	if (now->mesh != wanted->mesh)
		config_keys_fixed(keys, "mesh");
	if (now->seed != wanted->seed)
		config_keys_fixed(keys, "seed");
	if (now->domains != wanted->domains)
		config_keys_fixed(keys, "domains");
	for (param = now->params; param < now->params + now->nparams; param++) {
		text = torus_nl_fabric_param(wanted, param->key);
		if (!strcmp(text, param->text))
			continue;
		if (!param->live) {
			config_keys_fixed(keys, param->key);
			continue;
		}
		keys->live[keys->count] = *param;
		keys->live[keys->count].is_text = true;
		strcpy(keys->live[keys->count++].text, text);
	}
}

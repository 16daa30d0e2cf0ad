// SPDX-License-Identifier: GPL-2.0
/* What a fabric is made of, as it is typed. */
#include <string.h>

#include "../words/key.h"
#include "../words/number.h"
#include "../words/shape.h"
#include "../words/words.h"
#include "args.h"
#include "param.h"
#include "recipe.h"
#include "diag.h"

/**
 * recipe_name - the name of a fabric, which is the next word
 * @ctl: the call
 * @args: the words
 * @name: gets it
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int recipe_name(struct ctl *ctl, struct ctl_args *args, const char **name)
{
	struct word_why why;

	*name = ctl_next(args);
	if (!*name)
		return ctl_usage(ctl, "the name of a fabric is missing");
	return word_name(*name, &why) ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * recipe_param - a parameter as it was typed
 * @ctl: the call
 * @key: its key
 * @word: its value
 * @params: those before it; gets it
 * @count: their number
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int recipe_param(struct ctl *ctl, const char *key, const char *word, struct torus_nl_param *params,
		 size_t *count)
{
	struct word_why why;
	size_t i;

	for (i = 0; i < *count; i++)
		if (!strcmp(params[i].key, key))
			return ctl_reject(ctl, "%s: given twice", key);
	if (*count == TORUS_NL_PARAMS_MAX)
		return ctl_reject(ctl, "%s: more than %d parameters", key, TORUS_NL_PARAMS_MAX);
	if (!param_word(key, word, &params[*count], &why))
		return ctl_reject(ctl, "%s", why.text);
	++*count;
	return CTL_OK;
}

/**
 * recipe_word - a word of a fabric and its value
 * @ctl: the call
 * @recipe: gets it
 * @key: arch, shape, mesh, seed, domains or a parameter
 * @word: the value, which stays as long
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int recipe_word(struct ctl *ctl, struct recipe *recipe, const char *key, const char *word)
{
	struct torus_nl_fabric_spec *spec = &recipe->spec;
	struct word_list shape;
	struct word_why why;
	__u64 seed = 0;
	bool twice = false;
	bool good = true;

	if (!strcmp(key, "arch")) {
		twice = spec->arch;
		spec->arch = word;
	} else if (!strcmp(key, "shape")) {
		twice = recipe->shape;
		recipe->shape = word;
		good = word_shape("shape", word, &shape, &why) &&
		       word_shape_nodes("shape", word, &shape, &why);
		if (good) {
			memcpy(spec->dims, shape.numbers, sizeof(spec->dims));
			spec->ndims = shape.count;
		}
	} else if (!strcmp(key, "mesh")) {
		twice = recipe->mesh;
		recipe->mesh = word;
		good = word_mesh(word, &spec->mesh, &why);
	} else if (!strcmp(key, "seed")) {
		twice = spec->has_seed;
		spec->has_seed = true;
		good = word_number("seed", word, 0, UINT64_MAX, &seed, &why);
		spec->seed = seed;
	} else if (!strcmp(key, "domains")) {
		twice = spec->has_domains;
		spec->has_domains = true;
		good = word_u32("domains", word, 1, UINT32_MAX, &spec->domains, &why);
	} else {
		return recipe_param(ctl, key, word, recipe->params, &spec->nparams);
	}
	if (twice)
		return ctl_reject(ctl, "%s: given twice", key);
	return good ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * recipe_arch - could a machine be called so?
 * @ctl: the call
 * @arch: the name
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int recipe_arch(struct ctl *ctl, const char *arch)
{
	if (!*arch || strlen(arch) > 15)
		return ctl_reject(ctl, "arch %s: no machine has such a name", arch);
	return CTL_OK;
}

static int recipe_check(struct ctl *ctl, const struct recipe *recipe)
{
	const struct torus_nl_fabric_spec *spec = &recipe->spec;

	if (!spec->arch)
		return ctl_usage(ctl, "arch is missing");
	if (recipe_arch(ctl, spec->arch))
		return CTL_USAGE;
	if (!recipe->shape)
		return ctl_usage(ctl, "shape is missing");
	if (spec->mesh >> spec->ndims)
		return ctl_reject(ctl, "mesh %s: shape %s has only %u dimensions", recipe->mesh,
				  recipe->shape, spec->ndims);
	return CTL_OK;
}

/**
 * recipe_make - make the fabric
 * @ctl: the call, connected when it comes back
 * @recipe: with its name and all of its words
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after telling why not.
 */
int recipe_make(struct ctl *ctl, struct recipe *recipe)
{
	int status = recipe_check(ctl, recipe);

	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	recipe->spec.params = recipe->params;
	return torus_nl_fabric_add(ctl->nl, &recipe->spec) ? ctl_failed(ctl) : CTL_OK;
}

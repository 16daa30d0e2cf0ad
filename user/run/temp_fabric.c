// SPDX-License-Identifier: GPL-2.0
/* A temporary fabric, which exists as long as one job. */
#include <stdio.h>
#include <string.h>

#include "../route/spec/fabric_io.h"
#include "temp_fabric.h"
#include "run.h"
#include "log.h"
#include "../parse/name.h"
#include "../parse/shape.h"

/**
 * run_recipe_shape - parse the shape of a temporary fabric
 * @recipe: [in, out] the fabric
 * @word: the shape as the user typed it
 * @why: [out] error message
 *
 * Return: true if the shape is valid; the module checks whether the machine permits it.
 */
bool run_recipe_shape(struct run_recipe *recipe, const char *word, struct parse_error *why)
{
	struct parse_list shape;

	if (!parse_shape("shape", word, &shape, why) ||
	    !parse_shape_nodes("shape", word, &shape, why))
		return false;
	recipe->shape = word;
	recipe->spec.ndims = shape.count;
	memcpy(recipe->spec.dims, shape.numbers, sizeof(recipe->spec.dims));
	return true;
}

/**
 * run_recipe_param - add a parameter to a temporary fabric
 * @recipe: [in, out] the fabric
 * @key: name of the parameter
 * @word: value as the user typed it; the module parses the value
 * @why: [out] error message
 *
 * Return: true if the parameter was added.
 */
bool run_recipe_param(struct run_recipe *recipe, const char *key, const char *word,
		      struct parse_error *why)
{
	struct torus_nl_fabric_spec *spec = &recipe->spec;
	struct torus_nl_param *param = &recipe->params[spec->nparams];
	size_t i;

	for (i = 0; i < spec->nparams; i++)
		if (!strcmp(recipe->params[i].key, key))
			return parse_fail(why, "%s: must not be given twice", key);
	if (spec->nparams == TORUS_NL_PARAMS_MAX)
		return parse_fail(why, "%s: must be at most %d parameters",
				  key, TORUS_NL_PARAMS_MAX);
	if (!*word || strlen(word) >= sizeof(param->text))
		return parse_fail(why, "%s=%s: the value must have 1 to %zu bytes", key, word,
				  sizeof(param->text) - 1);
	*param = (struct torus_nl_param){ .is_text = true };
	snprintf(param->key, sizeof(param->key), "%s", key);
	snprintf(param->text, sizeof(param->text), "%s", word);
	spec->nparams++;
	spec->params = recipe->params;
	return true;
}

/**
 * run_recipe_set - add a parameter KEY=VALUE to a temporary fabric
 * @recipe: [in, out] the fabric
 * @pair: KEY=VALUE
 * @why: [out] error message
 *
 * Return: true if the parameter was added.
 */
bool run_recipe_set(struct run_recipe *recipe, const char *pair, struct parse_error *why)
{
	char key[TORUS_NL_KEY_MAX];
	const char *value;

	if (!parse_pair(pair, key, sizeof(key), &value))
		return parse_fail(why, "set %s: must be KEY=VALUE with a key of at most %zu bytes",
				  pair,
				  sizeof(key) - 1);
	return run_recipe_param(recipe, key, value, why);
}

/**
 * run_recipe_check - check the options of a temporary fabric
 * @recipe: the fabric
 * @why: [out] error message
 *
 * Return: true if no option of a temporary fabric was given, or if its options are complete.
 */
bool run_recipe_check(const struct run_recipe *recipe, struct parse_error *why)
{
	const struct torus_nl_fabric_spec *spec = &recipe->spec;

	if (!spec->arch) {
		if (recipe->shape || spec->mesh || spec->has_seed || spec->has_domains ||
		    spec->nparams)
			return parse_fail(why,
					  "arch is missing: --shape, --mesh, --seed, --domains, "
					  "--ber and --set require --arch, which creates a fabric");
		return true;
	}
	if (!*spec->arch || strlen(spec->arch) > 15)
		return parse_fail(why, "arch %s: unknown machine", spec->arch);
	if (!recipe->shape)
		return parse_fail(why, "shape is missing for --arch %s", spec->arch);
	if (spec->mesh >> spec->ndims)
		return parse_fail(why, "mesh: must be dimensions of shape %s, which has %u",
				  recipe->shape,
				  spec->ndims);
	return true;
}

/**
 * run_recipe_make - create a temporary fabric
 * @machine: contains the session; the fabric is deleted when the session ends
 * @recipe: options of the fabric, including its name
 *
 * Return: true, or false after an error message.
 */
bool run_recipe_make(struct run_fabric_info *machine, const struct run_recipe *recipe)
{
	struct torus_nl_fabric_spec spec = recipe->spec;
	struct parse_error why;

	spec.tied = true;
	if (!torus_nl_fabric_add(machine->nl, &spec)) {
		if (xt_live_begin(machine->nl, spec.name, &why))
			return true;
		run_log("%s", why.text);
		return false;
	}
	run_log("cannot create fabric %s: %s", recipe->spec.name, torus_nl_error(machine->nl));
	return false;
}

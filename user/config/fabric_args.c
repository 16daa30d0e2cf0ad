// SPDX-License-Identifier: GPL-2.0
/* Parse the arguments that create a fabric. */
#include <string.h>

#include "../parse/name.h"
#include "../parse/integer.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "args.h"
#include "param.h"
#include "fabric_args.h"
#include "diag.h"

/**
 * fabric_args_name - take the name of a fabric, which is the next argument
 * @name: [out] the name
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int fabric_args_name(struct ctl *ctl, struct ctl_args *args, const char **name)
{
	struct parse_error why;

	*name = ctl_next(args);
	if (!*name)
		return ctl_usage(ctl, "the name of a fabric is missing");
	return parse_name(*name, &why) ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * fabric_args_param - parse a parameter and append it to a list
 * @key: key of the parameter; rejected if @params already contains it
 * @word: value of the parameter
 * @params: [in, out] parameters
 * @count: [in, out] number of entries in @params
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int fabric_args_param(struct ctl *ctl, const char *key, const char *word,
		      struct torus_nl_param *params,
		      size_t *count)
{
	struct parse_error why;
	size_t i;

	for (i = 0; i < *count; i++)
		if (!strcmp(params[i].key, key))
			return ctl_reject(ctl, "%s: must not be given twice", key);
	if (*count == TORUS_NL_PARAMS_MAX)
		return ctl_reject(ctl, "%s: must be at most %d parameters",
				  key, TORUS_NL_PARAMS_MAX);
	if (!param_word(key, word, &params[*count], &why))
		return ctl_reject(ctl, "%s", why.text);
	++*count;
	return CTL_OK;
}

/**
 * fabric_args_word - parse KEY VALUE of a new fabric
 * @wanted: [in, out] the arguments so far
 * @key: arch, shape, mesh, seed, domains or a parameter
 * @word: the value; must stay valid as long as @wanted
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int fabric_args_word(struct ctl *ctl, struct fabric_args *wanted, const char *key, const char *word)
{
	struct torus_nl_fabric_spec *spec = &wanted->spec;
	struct parse_list shape;
	struct parse_error why;
	__u64 seed = 0;
	bool twice = false;
	bool good = true;

	if (!strcmp(key, "arch")) {
		twice = spec->arch;
		spec->arch = word;
	} else if (!strcmp(key, "shape")) {
		twice = wanted->shape;
		wanted->shape = word;
		good = parse_shape("shape", word, &shape, &why) &&
		       parse_shape_nodes("shape", word, &shape, &why);
		if (good) {
			memcpy(spec->dims, shape.numbers, sizeof(spec->dims));
			spec->ndims = shape.count;
		}
	} else if (!strcmp(key, "mesh")) {
		twice = wanted->mesh;
		wanted->mesh = word;
		good = parse_mesh(word, &spec->mesh, &why);
	} else if (!strcmp(key, "seed")) {
		twice = spec->has_seed;
		spec->has_seed = true;
		good = parse_number("seed", word, 0, UINT64_MAX, &seed, &why);
		spec->seed = seed;
	} else if (!strcmp(key, "domains")) {
		twice = spec->has_domains;
		spec->has_domains = true;
		good = parse_u32("domains", word, 1, UINT32_MAX, &spec->domains, &why);
	} else {
		return fabric_args_param(ctl, key, word, wanted->params, &spec->nparams);
	}
	if (twice)
		return ctl_reject(ctl, "%s: must not be given twice", key);
	return good ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * fabric_args_arch - check the length of a machine's name
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int fabric_args_arch(struct ctl *ctl, const char *arch)
{
	if (!*arch || strlen(arch) > 15)
		return ctl_reject(ctl, "arch %s: must be the name of a machine", arch);
	return CTL_OK;
}

static int fabric_args_complete(struct ctl *ctl, const struct fabric_args *wanted)
{
	const struct torus_nl_fabric_spec *spec = &wanted->spec;

	if (!spec->arch)
		return ctl_usage(ctl, "arch is missing");
	if (fabric_args_arch(ctl, spec->arch))
		return CTL_USAGE;
	if (!wanted->shape)
		return ctl_usage(ctl, "shape is missing");
	if (spec->mesh >> spec->ndims)
		return ctl_reject(ctl, "mesh %s: must be dimensions of shape %s, which has %u",
				  wanted->mesh,
				  wanted->shape, spec->ndims);
	return CTL_OK;
}

/**
 * fabric_args_make - create the fabric that the arguments describe
 * @ctl: the call; connected after CTL_OK
 * @wanted: the name and all arguments
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int fabric_args_make(struct ctl *ctl, struct fabric_args *wanted)
{
	int status = fabric_args_complete(ctl, wanted);

	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	wanted->spec.params = wanted->params;
	return torus_nl_fabric_add(ctl->nl, &wanted->spec) ? ctl_failed(ctl) : CTL_OK;
}

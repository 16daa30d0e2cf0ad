// SPDX-License-Identifier: GPL-2.0
/* torusctl fabric: machines made, shown, changed, removed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/fabric.h"
#include "../report/report.h"
#include "../words/words.h"
#include "core/base/parse.h"
#include "ctl.h"
#include "output.h"
#include "param.h"

#define FRACTION_UNIT		"2^-64"	/* of a parameter that is a fraction of 1 */
#define LINE_MAX_COLUMNS	96

static const char *const states[] = {
	[TORUS_FABRIC_IDLE] = "idle",
	[TORUS_FABRIC_RUNNING] = "running",
	[TORUS_FABRIC_WAITING] = "waiting",
	[TORUS_FABRIC_DEADLOCKED] = "deadlocked",
	[TORUS_FABRIC_FAILED] = "failed",
};

/* The words of `fabric add`. */
struct recipe {
	struct torus_nl_fabric_spec spec;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	const char *shape;
	const char *mesh;
};

static int add_param(struct ctl *ctl, const char *key, const char *word,
		     struct torus_nl_param *params, size_t *count)
{
	struct word_why why;
	size_t i;

	for (i = 0; i < *count; i++)
		if (!strcmp(params[i].key, key))
			return ctl_bad(ctl, "%s: given twice", key);
	if (*count == TORUS_NL_PARAMS_MAX)
		return ctl_bad(ctl, "%s: more than %d parameters", key, TORUS_NL_PARAMS_MAX);
	if (!param_word(key, word, &params[*count], &why))
		return ctl_bad(ctl, "%s", why.text);
	++*count;
	return CTL_OK;
}

static int add_word(struct ctl *ctl, struct recipe *recipe, const char *key, const char *word)
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
		return add_param(ctl, key, word, recipe->params, &spec->nparams);
	}
	if (twice)
		return ctl_bad(ctl, "%s: given twice", key);
	return good ? CTL_OK : ctl_bad(ctl, "%s", why.text);
}

static int add_check(struct ctl *ctl, const struct recipe *recipe)
{
	const struct torus_nl_fabric_spec *spec = &recipe->spec;

	if (!spec->arch)
		return ctl_usage(ctl, "arch is missing");
	if (!*spec->arch || strlen(spec->arch) > 15)
		return ctl_bad(ctl, "arch %s: no machine has such a name", spec->arch);
	if (!recipe->shape)
		return ctl_usage(ctl, "shape is missing");
	if (spec->mesh >> spec->ndims)
		return ctl_bad(ctl, "mesh %s: shape %s has only %u dimensions", recipe->mesh,
			       recipe->shape, spec->ndims);
	return CTL_OK;
}

static int fabric_name(struct ctl *ctl, struct ctl_args *args, const char **name)
{
	struct word_why why;

	*name = ctl_next(args);
	if (!*name)
		return ctl_usage(ctl, "the name of a fabric is missing");
	return word_name(*name, &why) ? CTL_OK : ctl_bad(ctl, "%s", why.text);
}

static int fabric_add(struct ctl *ctl, struct ctl_args *args)
{
	struct recipe recipe = { .mesh = NULL };
	const char *word;
	const char *key;
	int status;

	status = fabric_name(ctl, args, &recipe.spec.name);
	if (status)
		return status;
	recipe.spec.params = recipe.params;
	while ((key = ctl_next(args))) {
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		status = add_word(ctl, &recipe, key, word);
		if (status)
			return status;
	}
	status = add_check(ctl, &recipe);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	return torus_nl_fabric_add(ctl->nl, &recipe.spec) ? ctl_failed(ctl) : ctl_done(ctl);
}

static const char *state_name(uint32_t state)
{
	return state < ARRAY_SIZE(states) ? states[state] : "unknown";
}

/* A parameter in words; those of the module, if it sent some. */
static const char *param_text(const struct torus_nl_param *param, char *text, size_t size)
{
	if (*param->text)
		return param->text;
	snprintf(text, size, "%" PRIu64, param->value);
	return text;
}

/* Numbers as numbers: the words and the unit tell what the value stands for. */
static struct json_object *param_json(const struct torus_nl_param *param)
{
	bool fraction = !strcmp(param->unit, FRACTION_UNIT);
	char text[OUTPUT_TEXT_MAX];
	__u64 value;

	snprintf(text, sizeof(text), "%" PRIu64, param->value);
	if (*param->text && strcmp(param->text, text))
		fraction = !torus_parse_fraction(param->text, WORD_BER_BITS, &value) &&
			   value == param->value;
	else if (!fraction)
		return json_object_new_uint64(param->value);
	if (fraction)
		return report_double(word_double(param->value, WORD_BER_BITS));
	return json_object_new_string(param->text);
}

static struct json_object *fabric_json(const struct torus_nl_fabric *fabric)
{
	struct json_object *object = json_object_new_object();
	struct json_object *params = json_object_new_object();
	struct json_object *dims = json_object_new_array();
	char shape[WORD_SHAPE_MAX];
	unsigned int d;
	size_t i;

	for (d = 0; d < fabric->ndims; d++)
		json_object_array_add(dims, json_object_new_uint64(fabric->dims[d]));
	for (i = 0; i < fabric->nparams; i++)
		json_object_object_add(params, fabric->params[i].key,
				       param_json(&fabric->params[i]));
	output_string(object, "name", fabric->name);
	output_string(object, "arch", fabric->arch);
	output_string(object, "shape",
		      word_shape_text(fabric->ndims, fabric->dims, shape, sizeof(shape)));
	json_object_object_add(object, "dims", dims);
	output_mesh(object, "mesh", fabric->mesh);
	output_u64(object, "nodes", fabric->nodes);
	output_u64(object, "seed", fabric->seed);
	output_u64(object, "domains", fabric->domains);
	output_string(object, "state", state_name(fabric->state));
	output_u64(object, "clock", fabric->clock);
	output_double(object, "clock_ns", output_ns(fabric->tick_fs, fabric->clock));
	output_u64(object, "tick_fs", fabric->tick_fs);
	output_u64(object, "in_flight", fabric->in_flight);
	output_u64(object, "contexts", fabric->contexts);
	output_u64(object, "memory_bytes", fabric->memory);
	json_object_object_add(object, "params", params);
	return object;
}

/* KEY VALUE pairs, in lines of a readable length. */
static void params_text(const struct torus_nl_fabric *fabric)
{
	char number[OUTPUT_TEXT_MAX];
	int column = 0;
	size_t i;

	for (i = 0; i < fabric->nparams; i++) {
		const struct torus_nl_param *param = &fabric->params[i];
		const char *word = param_text(param, number, sizeof(number));
		int width = strlen(param->key) + strlen(word) + 2;

		if (column && column + width > LINE_MAX_COLUMNS) {
			putchar('\n');
			column = 0;
		}
		if (!column)
			column = printf("   ");
		column += printf(" %s %s", param->key, word);
	}
	if (column)
		putchar('\n');
}

static void fabric_text(const struct torus_nl_fabric *fabric)
{
	char shape[WORD_SHAPE_MAX];
	char text[OUTPUT_TEXT_MAX];
	unsigned int d;

	printf("%s: arch %s shape %s", fabric->name, fabric->arch,
	       word_shape_text(fabric->ndims, fabric->dims, shape, sizeof(shape)));
	if (fabric->mesh)
		fputs(" mesh ", stdout);
	for (d = 0; d < fabric->ndims; d++)
		if (fabric->mesh & (1u << d))
			fputs(word_dim_name(d, text, sizeof(text)), stdout);
	printf(" nodes %" PRIu32 " state %s\n", fabric->nodes, state_name(fabric->state));
	printf("    clock %" PRIu64 " ticks (%s) tick %.6g ns in flight %" PRIu64 "\n",
	       fabric->clock,
	       output_time(output_ns(fabric->tick_fs, fabric->clock), text, sizeof(text)),
	       output_ns(fabric->tick_fs, 1), fabric->in_flight);
	printf("    seed %" PRIu64 " domains %" PRIu32 " contexts %" PRIu32 " memory %s\n",
	       fabric->seed, fabric->domains, fabric->contexts,
	       output_bytes(fabric->memory, text, sizeof(text)));
	params_text(fabric);
}

static void fabrics_print(struct ctl *ctl, const struct torus_nl_fabric *fabrics, size_t count)
{
	struct json_object *list = NULL;
	size_t i;

	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++) {
		if (list)
			json_object_array_add(list, fabric_json(&fabrics[i]));
		else
			fabric_text(&fabrics[i]);
	}
	if (list)
		output_json(ctl, list);
}

static int fabric_show(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_fabric *fabrics;
	struct torus_nl_fabric one;
	const char *name = NULL;
	size_t count;
	int status;

	if (args->at < args->count) {
		status = fabric_name(ctl, args, &name);
		if (status)
			return status;
	}
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	if (name) {
		if (torus_nl_fabric_get(ctl->nl, name, &one))
			return ctl_failed(ctl);
		fabrics_print(ctl, &one, 1);
		return ctl_done(ctl);
	}
	if (torus_nl_fabric_dump(ctl->nl, &fabrics, &count))
		return ctl_failed(ctl);
	fabrics_print(ctl, fabrics, count);
	free(fabrics);
	return ctl_done(ctl);
}

static int fabric_set(struct ctl *ctl, struct ctl_args *args)
{
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t count = 0;
	const char *name;
	const char *word;
	const char *key;
	int status;

	status = fabric_name(ctl, args, &name);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "%s: its value is missing", key);
		status = add_param(ctl, key, word, params, &count);
		if (status)
			return status;
	}
	if (!count)
		return ctl_usage(ctl, "a parameter is missing");
	status = ctl_connect(ctl);
	if (status)
		return status;
	return torus_nl_fabric_set(ctl->nl, name, params, count) ? ctl_failed(ctl) : ctl_done(ctl);
}

static int fabric_act(struct ctl *ctl, struct ctl_args *args,
		      int (*act)(struct torus_nl *nl, const char *name))
{
	const char *name;
	int status;

	status = fabric_name(ctl, args, &name);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	return act(ctl->nl, name) ? ctl_failed(ctl) : ctl_done(ctl);
}

static int fabric_reset(struct ctl *ctl, struct ctl_args *args)
{
	return fabric_act(ctl, args, torus_nl_fabric_reset);
}

static int fabric_del(struct ctl *ctl, struct ctl_args *args)
{
	return fabric_act(ctl, args, torus_nl_fabric_del);
}

static const struct ctl_command commands[] = {
	{ "add",
	  "NAME arch ARCH shape 4x4x4 [mesh DIMS] [seed N] [domains N] [KEY VALUE]...",
	  fabric_add },
	{ "show", "[NAME]", fabric_show },
	{ "set", "NAME KEY VALUE [KEY VALUE]...", fabric_set },
	{ "reset", "NAME", fabric_reset },
	{ "del", "NAME", fabric_del },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_fabric = {
	.name = "fabric",
	.help = "simulated torus machines",
	.details = "DIMS = dimensions that do not close to a ring, like x,z; KEY VALUE = a "
		   "parameter\n"
		   "of the machine, like routing deterministic or ber 1e-5\n",
	.commands = commands,
	.fallback = "show",
};

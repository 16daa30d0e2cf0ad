// SPDX-License-Identifier: GPL-2.0
/* Fabrics, as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report/report.h"
#include "../words/words.h"
#include "config.h"
#include "core/base/parse.h"
#include "fabricprint.h"
#include "holder.h"
#include "output.h"
#include "place.h"

#define FRACTION_UNIT		"2^-64"	/* of a parameter that is a fraction of 1 */
#define LINE_MAX_COLUMNS	96

static const char *const states[] = {
	[TORUS_FABRIC_IDLE] = "idle",
	[TORUS_FABRIC_RUNNING] = "running",
	[TORUS_FABRIC_WAITING] = "waiting",
	[TORUS_FABRIC_DEADLOCKED] = "deadlocked",
	[TORUS_FABRIC_FAILED] = "failed",
};

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

/* With details, who is attached. */
static void fabric_holders(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
			   struct json_object *object)
{
	struct torus_nl_context *contexts;
	size_t count;

	/* A fabric that has just been deleted has none. */
	if (!ctl->details || torus_nl_context_dump(ctl->nl, fabric->name, NULL, &contexts, &count))
		return;
	if (object)
		json_object_object_add(object, "holders",
				       holders_json(fabric, contexts, count, NULL));
	else
		holders_text(fabric, contexts, count, NULL);
	free(contexts);
}

static const char *fabric_shape(const struct torus_nl_fabric *fabric, char *text, size_t size)
{
	return fabric->nshape ? word_shape_text(fabric->nshape, fabric->shape, text, size) :
				word_shape_text(fabric->ndims, fabric->dims, text, size);
}

/* Who holds virtual time up */
static struct json_object *time_held_json(const struct torus_nl_fabric *fabric)
{
	struct json_object *object = holder_json(fabric, &fabric->time_holder);

	report_add_u64(object, "clock", fabric->time_held_at);
	report_add_u64(object, "since_ms", fabric->time_held_ms);
	return object;
}

static void time_held_text(const struct torus_nl_fabric *fabric)
{
	char where[PLACE_TEXT_MAX], holder[HOLDER_TEXT_MAX];

	if (fabric->state == TORUS_FABRIC_DEADLOCKED &&
	    !strcmp(torus_nl_fabric_param(fabric, "time"), "virtual"))
		puts("    time stands: all programs wait, without a time-out");
	if (!fabric->time_held)
		return;
	printf("    time waits for node %s group %" PRIu32 ": %s uid %" PRIu32
	       ", at tick %" PRIu64 " since %" PRIu64 " ms\n",
	       place_text(fabric, fabric->time_holder.node, where, sizeof(where)),
	       fabric->time_holder.group, holder_text(&fabric->time_holder, holder),
	       fabric->time_holder.uid, fabric->time_held_at, fabric->time_held_ms);
}

/* What goes on in it */
static void course_json(const struct torus_nl_fabric *fabric, struct json_object *object)
{
	report_add_u64(object, "clock", fabric->clock);
	report_add_double(object, "clock_ns", output_ns(fabric->tick_fs, fabric->clock));
	report_add_u64(object, "in_flight", fabric->in_flight);
	if (fabric->routes_wait)
		report_add_u64(object, "routes_at", fabric->routes_at);
	if (fabric->time_held)
		json_object_object_add(object, "time_held", time_held_json(fabric));
	report_add_u64(object, "contexts", fabric->contexts);
	report_add_u64(object, "memory_bytes", fabric->memory);
}

static void course_text(const struct torus_nl_fabric *fabric)
{
	char text[OUTPUT_TEXT_MAX];

	printf("    clock %" PRIu64 " ticks (%s) tick %.6g ns in flight %" PRIu64 "\n",
	       fabric->clock,
	       report_time_text(output_ns(fabric->tick_fs, fabric->clock), text, sizeof(text)),
	       output_ns(fabric->tick_fs, 1), fabric->in_flight);
	printf("    seed %" PRIu64 " domains %" PRIu32 " contexts %" PRIu32 " memory %s\n",
	       fabric->seed, fabric->domains, fabric->contexts,
	       report_bytes_text(fabric->memory, text, sizeof(text)));
	if (fabric->routes_wait)
		printf("    routing tables wait for tick %" PRIu64 "\n", fabric->routes_at);
	time_held_text(fabric);
}

static struct json_object *fabric_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric)
{
	struct json_object *object = json_object_new_object();
	struct json_object *params = json_object_new_object();
	struct json_object *changed = json_object_new_array();
	struct json_object *dims = json_object_new_array();
	char shape[WORD_SHAPE_MAX];
	unsigned int d;
	size_t i;

	for (d = 0; d < fabric->ndims; d++)
		json_object_array_add(dims, json_object_new_uint64(fabric->dims[d]));
	for (i = 0; i < fabric->nparams; i++) {
		json_object_object_add(params, fabric->params[i].key,
				       param_json(&fabric->params[i]));
		if (config_changed(&fabric->params[i]))
			json_object_array_add(changed,
					      json_object_new_string(fabric->params[i].key));
	}
	report_add_text(object, "name", fabric->name);
	report_add_text(object, "arch", fabric->arch);
	report_add_text(object, "shape",
			fabric_shape(fabric, shape, sizeof(shape)));
	json_object_object_add(object, "dims", dims);
	output_mesh(object, "mesh", fabric->mesh);
	report_add_u64(object, "nodes", fabric->nodes);
	report_add_u64(object, "seed", fabric->seed);
	report_add_u64(object, "domains", fabric->domains);
	report_add_text(object, "state", state_name(fabric->state));
	report_add_u64(object, "tick_fs", fabric->tick_fs);
	if (fabric->watched)
		course_json(fabric, object);
	json_object_object_add(object, "params", params);
	json_object_object_add(object, "changed", changed);
	fabric_holders(ctl, fabric, object);
	return object;
}

/* KEY VALUE pairs, in lines of a readable length: with details all, else what was told. */
static void params_text(const struct ctl *ctl, const struct torus_nl_fabric *fabric)
{
	char number[OUTPUT_TEXT_MAX];
	int column = 0;
	size_t i;

	for (i = 0; i < fabric->nparams; i++) {
		const struct torus_nl_param *param = &fabric->params[i];
		const char *word = param_text(param, number, sizeof(number));
		int width = strlen(param->key) + strlen(word) + 2;

		if (!ctl->details && !config_changed(param))
			continue;
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

static void fabric_brief(const struct torus_nl_fabric *fabric)
{
	char shape[WORD_SHAPE_MAX];

	printf("%s %s %s %s\n", fabric->name, fabric->arch,
	       fabric_shape(fabric, shape, sizeof(shape)),
	       state_name(fabric->state));
}

static void fabric_text(const struct ctl *ctl, const struct torus_nl_fabric *fabric)
{
	char shape[WORD_SHAPE_MAX];
	char text[OUTPUT_TEXT_MAX];
	unsigned int d;

	printf("%s: arch %s shape %s", fabric->name, fabric->arch,
	       fabric_shape(fabric, shape, sizeof(shape)));
	if (fabric->mesh)
		fputs(" mesh ", stdout);
	for (d = 0; d < fabric->ndims; d++)
		if (fabric->mesh & (1u << d))
			fputs(word_dim_name(d, text, sizeof(text)), stdout);
	printf(" nodes %" PRIu32 " state %s\n", fabric->nodes, state_name(fabric->state));
	if (fabric->watched)
		course_text(fabric);
	else
		printf("    seed %" PRIu64 " domains %" PRIu32 " tick %.6g ns\n", fabric->seed,
		       fabric->domains, output_ns(fabric->tick_fs, 1));
	params_text(ctl, fabric);
	fabric_holders(ctl, fabric, NULL);
}

/**
 * fabrics_print - print fabrics
 * @ctl: the call
 * @fabrics: the fabrics
 * @count: number of fabrics
 */
void fabrics_print(const struct ctl *ctl, const struct torus_nl_fabric *fabrics, size_t count)
{
	struct json_object *list = NULL;
	size_t i;

	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++) {
		if (list)
			json_object_array_add(list, fabric_json(ctl, &fabrics[i]));
		else if (ctl->brief)
			fabric_brief(&fabrics[i]);
		else
			fabric_text(ctl, &fabrics[i]);
	}
	if (list)
		output_json(ctl, list);
}

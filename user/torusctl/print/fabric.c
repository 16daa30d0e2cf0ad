// SPDX-License-Identifier: GPL-2.0
/* Print fabrics as text or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../report/json.h"
#include "../../report/report.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "../../config/config.h"
#include "core/base/parse_number.h"
#include "fabric.h"
#include "group_owner.h"
#include "output.h"
#include "../../config/node_addr.h"

#define FRACTION_UNIT	"2^-64"	/* unit of parameters that are fractions of 1 */

static const char *const states[] = {
	[TORUS_FABRIC_IDLE] = "idle",
	[TORUS_FABRIC_RUNNING] = "running",
	[TORUS_FABRIC_WAITING] = "waiting",
	[TORUS_FABRIC_DEADLOCKED] = "deadlocked",
	[TORUS_FABRIC_FAILED] = "failed",
};

static const char *state_name(u32 state)
{
	return state < ARRAY_SIZE(states) ? states[state] : "unknown";
}

/*
 * Return the value of a parameter as text: the module's text, or the number if the module sent no
 * text.
 */
static const char *param_text(const struct torus_nl_param *param, char *text, size_t size)
{
	if (*param->text)
		return param->text;
	snprintf(text, size, "%" PRIu64, param->value);
	return text;
}

/*
 * Return the value of a parameter as JSON: an integer, a fraction, or otherwise its text, such as a
 * name. The parameter's text and unit show which of these it is.
 */
static struct json_object *param_json(const struct torus_nl_param *param)
{
	bool fraction = !strcmp(param->unit, FRACTION_UNIT);
	char text[OUTPUT_TEXT_MAX];
	__u64 value;

	snprintf(text, sizeof(text), "%" PRIu64, param->value);
	if (*param->text && strcmp(param->text, text))
		fraction = !torus_parse_fraction(param->text, PARSE_BER_BITS, &value) &&
			   value == param->value;
	else if (!fraction)
		return json_object_new_uint64(param->value);
	if (fraction)
		return report_double(parse_double(param->value, PARSE_BER_BITS));
	return json_object_new_string(param->text);
}

/* If option --details is given, add the programs that are attached to the fabric. */
static void add_holders(const struct ctl *ctl, const struct torus_nl_fabric *fabric,
			struct json_object *object)
{
	struct torus_nl_context *contexts;
	size_t count;

	/* skip a fabric that was deleted meanwhile */
	if (!ctl->details || torus_nl_context_dump(ctl->nl, fabric->name, NULL, &contexts, &count))
		return;
	json_object_object_add(object, "holders", holders_json(fabric, contexts, count, NULL));
	free(contexts);
}

static const char *fabric_shape(const struct torus_nl_fabric *fabric, char *text, size_t size)
{
	return fabric->nshape ? parse_shape_text(fabric->nshape, fabric->shape, text, size) :
				parse_shape_text(fabric->ndims, fabric->dims, text, size);
}

/* Return the program whose clock stops virtual time. */
static struct json_object *time_held_json(const struct torus_nl_fabric *fabric)
{
	struct json_object *object = holder_json(fabric, &fabric->time_holder);

	report_add_u64(object, "clock", fabric->time_held_at);
	report_add_u64(object, "since_ms", fabric->time_held_ms);
	return object;
}

/* Return the process that paused a fabric, and why the fabric has stopped. */
static struct json_object *pause_json(const struct torus_nl_pause *pause)
{
	struct json_object *object = json_object_new_object();

	report_add_text(object, "why", pause->why);
	report_add_text(object, "command", pause->command);
	/* null: a process of another PID namespace without a number in ours */
	json_object_object_add(object, "pid", pause->pid ?
			       json_object_new_uint64(pause->pid) : NULL);
	report_add_u64(object, "uid", pause->uid);
	return object;
}

/* Add the current state of a fabric to its record: clock, packets in flight, attached programs. */
static void course_json(const struct torus_nl_fabric *fabric, struct json_object *object)
{
	report_add_u64(object, "clock", fabric->clock);
	report_add_double(object, "clock_ns", output_ns(fabric->tick_fs, fabric->clock));
	report_add_u64(object, "in_flight", fabric->in_flight);
	if (fabric->routes_wait)
		report_add_u64(object, "routes_at", fabric->routes_at);
	if (fabric->time_held)
		json_object_object_add(object, "time_held", time_held_json(fabric));
	if (fabric->paused)
		json_object_object_add(object, "paused", pause_json(&fabric->pause));
	report_add_u64(object, "contexts", fabric->contexts);
	report_add_u64(object, "memory_bytes", fabric->memory);
}

/*
 * Return the parameters as text: with --details all parameters, otherwise those that differ from
 * their default values.
 */
static struct json_object *params_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric)
{
	struct json_object *params = json_object_new_object();
	char number[OUTPUT_TEXT_MAX];
	size_t i;

	for (i = 0; i < fabric->nparams; i++)
		if (ctl->details || config_changed(&fabric->params[i]))
			report_add_text(params, fabric->params[i].key,
					param_text(&fabric->params[i], number, sizeof(number)));
	return params;
}

static struct json_object *fabric_json(const struct ctl *ctl, const struct torus_nl_fabric *fabric)
{
	struct json_object *object = json_object_new_object();
	struct json_object *params = json_object_new_object();
	struct json_object *changed = json_object_new_array();
	struct json_object *dims = json_object_new_array();
	char shape[PARSE_SHAPE_MAX];
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
	if (!ctl->json)
		json_object_object_add(object, "shown", params_json(ctl, fabric));
	add_holders(ctl, fabric, object);
	return object;
}

static const char brief_form[] = "{name} {arch} {shape} {state}\n";

static const char fabric_form[] =
	"{name}: arch {arch} shape {shape}{?mesh} mesh {#mesh}{.}{/}{/} nodes {nodes} "
	"state {state}\n"
	"{+clock}    clock {clock} ticks ({clock_ns%T}) tick {tick_fs/1e6%.6g} ns "
	"in flight {in_flight}\n{/}"
	"    seed {seed} domains {domains}{+clock} contexts {contexts} memory {memory_bytes%B}{:}"
	" tick {tick_fs/1e6%.6g} ns{/}\n"
	"{+routes_at}    routing tables wait for tick {routes_at}\n{/}"
	"{+clock}{?state=deadlocked}{?params.time=virtual}"
	"    the clock has stopped: all programs wait without a time-out\n{/}{/}{/}"
	"{>time_held}    time waits for node " OUTPUT_PLACE " group {group}: " HOLDER_COMMAND
	" uid {uid}, at tick {clock} since {since_ms} ms\n{/}"
	"{>paused}    paused by " HOLDER_COMMAND " uid {uid}: {why}\n{/}"
	"{|3 shown} {@} {.}{/}"
	"{#holders}    node " OUTPUT_PLACE " " HOLDER_FORM "{/}";

/**
 * fabrics_print - print fabrics as text or as JSON
 */
void fabrics_print(const struct ctl *ctl, const struct torus_nl_fabric *fabrics, size_t count)
{
	struct json_object *list = NULL;
	size_t i;

	if (ctl->json)
		list = json_object_new_array();
	for (i = 0; i < count; i++)
		report_item(list, fabric_json(ctl, &fabrics[i]),
			    ctl->brief ? brief_form : fabric_form);
	if (list)
		output_json(ctl, list);
}

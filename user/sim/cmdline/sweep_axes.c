// SPDX-License-Identifier: GPL-2.0
/* Parse the settings of a sweep: keys (axes), and the values of each key. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../parse/name.h"
#include "../../parse/parse.h"
#include "config.h"
#include "sweep_axes.h"
#include "../base/message.h"
#include "../../parse/workload.h"

#define VALUES_MAX	1000
#define SETTINGS_MAX	100000
#define PARSE_MAX	32
#define HAIR		0.000001
#define WHOLE_MAX	1e15	/* below this bound, a double represents every integer exactly */

/* Name the configuration file in messages if @word is from the file. */
static void axis_from(struct sim_axis *axis, const struct sim_cmdline *typed, const char *word)
{
	if (sim_config_has(typed->words, word))
		axis->file = typed->words;
	sim_config_from(typed, word, NULL);
}

/* Add a value to an axis. */
static int axis_add(struct sim_axis *axis, const char *value, size_t length)
{
	char **values = realloc(axis->values, (axis->count + 1) * sizeof(*values));
	char *text = NULL;

	if (values) {
		axis->values = values;
		if (asprintf(&text, "%s%s%.*s", axis->set ? axis->key : "", axis->set ? "=" : "",
			     (int)length, value) < 0)
			text = NULL;
	}
	if (!text)
		return sim_error("out of memory for the values of %s", axis->key);
	axis->values[axis->count++] = text;
	if (axis->file && !sim_config_keep(axis->file, text, false))
		return sim_error("out of memory for the values of %s", axis->key);
	return SIM_OK;
}

/*
 * Expand FIRST:LAST:STEP. Round each value to a short decimal number. So the third value of
 * 0.1:1:0.1 has the same bits as 0.3, and gives the same hash as `run --load 0.3`.
 */
static int axis_count(struct sim_axis *axis, double first, double last, double step)
{
	/*
	 * Decimal steps such as 0.1 have rounding errors: accept a last value that exceeds LAST by
	 * a tiny amount.
	 */
	u32 values = (u32)floor((last - first) / step + HAIR) + 1, i;
	int status = SIM_OK;
	char word[PARSE_MAX];

	for (i = 0; i < values && !status; i++) {
		double value = first + i * step;
		/* print integers such as seeds and ticks without an exponent */
		bool whole = value == floor(value) && fabs(value) < WHOLE_MAX;

		snprintf(word, sizeof(word), whole ? "%.0f" : "%.9g", value);
		status = axis_add(axis, word, strlen(word));
	}
	return status;
}

/* --------------------------------------------------------------------- --loads */

static bool loads_part(const char *what, const char *start, const char *end, double *value)
{
	char word[PARSE_MAX];
	struct parse_error why;
	u64 load;

	snprintf(word, sizeof(word), "%.*s", (int)(end - start), start);
	if (!parse_load(what, word, &load, &why)) {
		sim_reject("%s", why.text);
		return false;
	}
	*value = strtod(word, NULL);
	return true;
}

/* Parse --loads FIRST:LAST:STEP. */
static int loads_take(struct sim_axis *axis, const char *word)
{
	const char *last_at = strchr(word, ':');
	const char *step_at = last_at ? strchr(last_at + 1, ':') : NULL;
	double first, last, step;

	strcpy(axis->key, "load");
	if (!step_at || strchr(step_at + 1, ':'))
		return sim_reject("loads %s: must be FIRST:LAST:STEP", word);
	if (!loads_part("loads: first", word, last_at, &first) ||
	    !loads_part("loads: last", last_at + 1, step_at, &last) ||
	    !loads_part("loads: step", step_at + 1, word + strlen(word), &step))
		return SIM_USAGE;
	if (last < first)
		return sim_reject("loads %s: the last load must not be less than the first", word);
	if (floor((last - first) / step + HAIR) + 1 > VALUES_MAX)
		return sim_reject("loads %s: must be at most %d loads", word, VALUES_MAX);
	return axis_count(axis, first, last, step);
}

/* ---------------------------------------------------------------------- --over */

/* Parse FIRST:LAST:STEP; false if the text has another form. */
static bool is_range(const char *text, double range[3])
{
	char *end;
	int i;

	for (i = 0; i < 3; i++) {
		range[i] = strtod(text, &end);
		if (end == text || *end != (i < 2 ? ':' : '\0') || !isfinite(range[i]))
			return false;
		text = end + 1;
	}
	return true;
}

static int over_range(struct sim_axis *axis, const char *text, const double range[3])
{
	if (!(range[2] > 0))
		return sim_reject("--over %s=%s: the step must be more than 0", axis->key, text);
	if (range[1] < range[0])
		return sim_reject("--over %s=%s: the last value must not be less than the first",
				  axis->key, text);
	if (floor((range[1] - range[0]) / range[2] + HAIR) + 1 > VALUES_MAX)
		return sim_reject("--over %s=%s: must be at most %d values",
				  axis->key, text, VALUES_MAX);
	return axis_count(axis, range[0], range[1], range[2]);
}

/* Compare two values, as numbers if both are numbers. */
static bool same_value(const char *a, const char *b)
{
	char *end_a, *end_b;
	double x = strtod(a, &end_a), y = strtod(b, &end_b);

	if (*a && *b && !*end_a && !*end_b)
		return x == y;
	return !strcmp(a, b);
}

/* Reject the value that was added last to an axis if it equals an earlier one. */
static int over_differs(const struct sim_axis *axis, const char *word)
{
	const char *last = axis->values[axis->count - 1] + axis->set;
	u32 i;

	for (i = 0; i + 1 < axis->count; i++)
		if (same_value(axis->values[i] + axis->set, last))
			return sim_reject("--over %s: %s must not occur twice", word, last);
	return SIM_OK;
}

/* Parse --over KEY=A,B,C or KEY=FIRST:LAST:STEP. */
static int over_take(struct sim_axis *axis, const char *word, struct sim_cmdline *typed)
{
	int status = SIM_OK;
	const char *value;
	double range[3];
	char between[2];
	size_t length;

	if (!parse_pair(word, axis->key, sizeof(axis->key), &value) || !*value)
		return sim_reject("--over %s: must be KEY=A,B,C or KEY=FIRST:LAST:STEP", word);
	if (!sim_cmdline_place(typed, axis->key))
		axis->set = strlen(axis->key) + 1;
	if (is_range(value, range))
		return over_range(axis, value, range);
	snprintf(between, sizeof(between), "%c", sim_config_separator(axis->key));
	if (between[0] == ';' && strchr(value, ',') && !strchr(value, ';'))
		return sim_reject("--over %s: ambiguous, must be \"%s;\" for one place, or have a "
				  "; between several values", word, word);
	for (; !status; value += length + 1) {
		length = strcspn(value, between);
		/* a semicolon may follow the last value: ignore the empty value after it */
		if (!*value && between[0] == ';' && axis->count)
			break;
		if (!length)
			return sim_reject("--over %s: a value must not be empty", word);
		if (axis->count == VALUES_MAX)
			return sim_reject("--over %s: must be at most %d values",
					  axis->key, VALUES_MAX);
		status = axis_add(axis, value, length);
		if (!status)
			status = over_differs(axis, word);
		if (!value[length])
			break;
	}
	return status;
}

/**
 * sim_axes_take - parse --over and --loads
 * @axes: [out] the axes; the caller calls sim_axes_free(), also after a failure
 * @typed: the options
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_axes_take(struct sim_axes *axes, const struct sim_cmdline *typed)
{
	struct sim_cmdline copy = *typed;
	int status = SIM_OK;
	u64 settings = 1;
	u32 i, j;

	memset(axes, 0, sizeof(*axes));
	for (i = 0; i < typed->novers && !status; i++) {
		axis_from(&axes->axis[axes->count], typed, typed->overs[i]);
		status = over_take(&axes->axis[axes->count++], typed->overs[i], &copy);
	}
	if (typed->loads && !status) {
		axis_from(&axes->axis[axes->count], typed, typed->loads);
		status = loads_take(&axes->axis[axes->count++], typed->loads);
	}
	sim_source_set(NULL);
	for (i = 0; i < axes->count && !status; i++) {
		settings *= axes->axis[i].count;
		if (settings > SETTINGS_MAX)
			return sim_reject("--over: must be at most %d settings", SETTINGS_MAX);
		for (j = 0; j < i; j++)
			if (!strcmp(axes->axis[i].key, axes->axis[j].key))
				return sim_reject("--over %s: must not be given twice",
						  axes->axis[i].key);
	}
	axes->settings = (u32)settings;
	return status;
}

/**
 * sim_axes_free - free the values of all axes
 * @axes: the axes
 */
void sim_axes_free(struct sim_axes *axes)
{
	u32 i, j;

	for (i = 0; i < axes->count; i++) {
		for (j = 0; j < axes->axis[i].count; j++)
			free(axes->axis[i].values[j]);
		free(axes->axis[i].values);
	}
	axes->count = 0;
}

/* The value of an axis in a setting, as VALUE, or KEY=VALUE for a key of --set. */
static const char *axes_text(const struct sim_axes *axes, u32 setting, u32 axis)
{
	u32 i;

	for (i = axes->count - 1; i > axis; i--)
		setting /= axes->axis[i].count;
	return axes->axis[axis].values[setting % axes->axis[axis].count];
}

/**
 * sim_axes_word - the value of a key in a setting, without its key
 * @axes: the axes
 * @setting: index of the setting
 * @axis: index of the key
 *
 * Return: the value.
 */
const char *sim_axes_word(const struct sim_axes *axes, u32 setting, u32 axis)
{
	return axes_text(axes, setting, axis) + axes->axis[axis].set;
}

/**
 * sim_axes_apply - set the options to the values of a setting
 * @axes: the axes
 * @setting: index of the setting
 * @typed: [in, out] the options
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_axes_apply(const struct sim_axes *axes, u32 setting, struct sim_cmdline *typed)
{
	u32 i;

	for (i = 0; i < axes->count; i++) {
		const char *text = axes_text(axes, setting, i);

		if (!axes->axis[i].set) {
			*sim_cmdline_place(typed, axes->axis[i].key) = text;
			continue;
		}
		if (typed->nsets == SIM_SETS_MAX)
			return sim_reject("--over %s: must be at most %d keys of --set",
					  text, SIM_SETS_MAX);
		typed->sets[typed->nsets++] = text;
	}
	return SIM_OK;
}

/**
 * sim_axes_name - describe a setting in words: "vc_bytes 512, load 0.3"
 * @axes: the axes
 * @setting: index of the setting
 * @text: [out] the description
 * @size: bytes of @text
 */
void sim_axes_name(const struct sim_axes *axes, u32 setting, char *text, size_t size)
{
	size_t used = 0;
	u32 i;

	text[0] = '\0';
	for (i = 0; i < axes->count && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s %s", i ? ", " : "",
				 axes->axis[i].key, sim_axes_word(axes, setting, i));
}

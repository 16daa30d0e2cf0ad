// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the command-line parsers of user/parse. The first letter of each input line selects the
 * functions. A rejected word must have an error message. A valid shape or direction is printed and
 * parsed again, with the same result.
 */
#include <unistd.h>

#include "../machine/machine.h"
#include "../parse/fault.h"
#include "../parse/hotspot.h"
#include "../parse/name.h"
#include "../parse/integer.h"
#include "../parse/node.h"
#include "../parse/node_set.h"
#include "../parse/shape.h"
#include "../parse/time.h"
#include "../parse/parse.h"
#include "take.h"
#include "../parse/workload.h"

#define LINE_MAX_	512

static struct parse_error why;

#define NODES	(4 * 3 * 5)

static const uint32_t dims[] = { 4, 3, 5 };
static const struct torus_machine_shape shape = { .ndims = 3, .dims = dims };

/*
 * Check that a failed function has set an error message. @sense: the function has succeeded.
 * Return: @sense.
 */
static bool explained(bool sense)
{
	fuzz_demand(sense || why.text[0]);
	return sense;
}

static void a_number(const char *word)
{
	uint32_t low, high;
	__u64 value;

	explained(parse_number("number", word, 3, ~0ull, &value, &why));
	if (explained(parse_u32("number", word, 0, 1000, &low, &why)))
		fuzz_demand(low <= 1000);
	explained(parse_fraction("load", word, PARSE_LOAD_BITS, 2, &value, &why));
	explained(parse_ber(word, &value, &why));
	if (explained(parse_sizes(word, &low, &high, &why)))
		fuzz_demand(low <= high);
	explained(parse_load("load", word, &value, &why));
}

static void when(const char *word)
{
	struct parse_time time;

	if (explained(parse_time("at", word, &time, &why)))
		parse_time_ticks(&time, 5714285);
}

static void a_shape(const char *word)
{
	struct parse_list list, again;
	char text[PARSE_SHAPE_MAX];
	uint32_t mesh;

	if (explained(parse_shape("shape", word, &list, &why))) {
		fuzz_demand(list.count <= TORUS_DIMS_MAX);
		parse_shape_text(list.count, list.numbers, text, sizeof(text));
		fuzz_demand(parse_shape("shape", text, &again, &why));
		fuzz_demand(again.count == list.count &&
			    !memcmp(again.numbers, list.numbers,
				    list.count * sizeof(list.numbers[0])));
		explained(parse_shape_nodes("shape", word, &list, &why));
	}
	explained(parse_coords("node", word, &list, &why));
	explained(parse_mesh(word, &mesh, &why));
}

static void a_direction(const char *word)
{
	char text[PARSE_DIR_MAX];
	uint32_t dir, again;

	if (!explained(parse_dir(word, &dir, &why)))
		return;
	parse_dir_name(dir, text, sizeof(text));
	fuzz_demand(parse_dir(text, &again, &why) && again == dir);
}

static void a_place(const char *word)
{
	struct parse_places places;
	struct parse_place place;
	uint32_t at[TORUS_DIMS_MAX], steps = 0;

	if (explained(parse_place(word, true, &place, &why)) && !place.all)
		explained(parse_place_inside(&place, &shape, "shape", &why));
	/*
	 * Check only places given by coordinates: numbers of nodes are checked by code that knows
	 * the fabric.
	 */
	if (!explained(parse_places(word, &places, &why)) || !places.by_coords ||
	    !explained(parse_places_inside(&places, &shape, "shape", &why)))
		return;
	memcpy(at, places.first, sizeof(at));
	do
		steps++;
	while (steps <= NODES && parse_places_next(&places, at));
	fuzz_demand(steps <= NODES);
}

/* Parse words of a workload: KEY=VALUE, or a pattern. */
static void a_workload(char *word)
{
	const struct torus_machine *machine = torus_machines[0];
	struct parse_workload load;
	char *pair, *save = NULL;
	const char *value;
	char key[32];
	bool taken;

	parse_workload_init(&load);
	parse_workload_size(&load, machine);
	for (pair = strtok_r(word, " ", &save); pair; pair = strtok_r(NULL, " ", &save)) {
		if (!parse_pair(pair, key, sizeof(key), &value))
			explained(parse_workload_pattern(&load, pair, &why));
		else
			explained(parse_workload_set(&load, key, value, &taken, &why));
	}
	explained(parse_workload_finish(&load, machine, &shape, &why));
}

static void a_fault(char *word)
{
	struct parse_fault fault = { 0 };
	char *key, *save = NULL, *value;
	uint32_t state;

	explained(parse_node_state(word, &state, &why));
	for (key = strtok_r(word, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		value = strtok_r(NULL, " ", &save);
		if (value)
			explained(parse_fault(&fault, key, value, &why));
	}
	parse_fault_any(&fault);
}

static void hot_nodes(const char *word)
{
	struct torus_traffic traffic = { 0 };

	explained(parse_name(word, &why));
	explained(parse_hot(word, torus_machines[0], &shape, &traffic, &why));
}

static void a_line(char *line)
{
	why.text[0] = '\0';
	switch (line[0]) {
	case 'n':
		return a_number(line + 1);
	case 't':
		return when(line + 1);
	case 's':
		return a_shape(line + 1);
	case 'd':
		return a_direction(line + 1);
	case 'p':
		return a_place(line + 1);
	case 'w':
		return a_workload(line + 1);
	case 'f':
		return a_fault(line + 1);
	case 'h':
		return hot_nodes(line + 1);
	default:
		return;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	char line[LINE_MAX_];

	while (data < end) {
		const uint8_t *next = memchr(data, '\n', end - data);
		size_t length = (next ? next : end) - data;

		if (length >= sizeof(line))
			length = sizeof(line) - 1;
		memcpy(line, data, length);
		line[length] = '\0';
		/* If a line has only the letter, the parsers get an empty word. */
		if (length)
			a_line(line);
		if (!next)
			break;
		data = next + 1;
	}
	return 0;
}

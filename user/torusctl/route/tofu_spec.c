// SPDX-License-Identifier: GPL-2.0
/* Parse the description of a Tofu machine: groups, nodes, faulty nodes. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../machine/machine.h"
#include "../../report/json.h"
#include "../../route/tofu/plane_cycle.h"
#include "../../parse/node.h"
#include "../../parse/shape.h"
#include "core/base/node_number.h"
#include "../../config/args.h"
#include "../print/output.h"
#include "../../config/diag.h"
#include "tofu_spec.h"

static const char *const key_names[TOFU_KEYS] = {
	"shape", "mesh", "in", "path", "order", "faulty", "units", "vcs", "policy", "at", "ranks",
	"svg",
};

/**
 * tofu_spec_meant - check whether the arguments begin with `arch tofu`
 */
bool tofu_spec_meant(const struct ctl_args *args)
{
	return args->at + 1 < args->count && !strcmp(args->words[args->at], "arch") &&
	       !strcmp(args->words[args->at + 1], TOFU_ARCH);
}

static int take_words(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		      unsigned int places, struct tofu_spec *target)
{
	const char *word;
	unsigned int key;

	while ((word = ctl_next(args))) {
		if (isdigit((unsigned char)*word)) {
			if (target->nplaces == places)
				return ctl_usage(ctl, "unexpected argument: %s", word);
			target->places[target->nplaces++] = word;
			continue;
		}
		for (key = 0; key < TOFU_KEYS && strcmp(word, key_names[key]); key++)
			;
		if (key == TOFU_KEYS)
			return ctl_usage(ctl, "%s: unknown key", word);
		if (!(takes & TOFU_TAKES(key)))
			return ctl_usage(ctl, "%s: this key is not accepted by %s of Tofu", word,
					 ctl->command);
		if (target->values[key])
			return ctl_usage(ctl, "%s: must not be given twice", word);
		target->values[key] = ctl_next(args);
		if (!target->values[key])
			return ctl_usage(ctl, "%s: its value is missing", word);
	}
	return CTL_OK;
}

static int make_machine(struct ctl *ctl, struct tofu_spec *target, const char *text)
{
	const char *mesh_text = target->values[TOFU_KEY_MESH];
	struct parse_list shape;
	struct parse_error why;
	u32 mesh = 0, i;

	if (!parse_shape("shape", text, &shape, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (shape.count != TOFU_GROUP_AXES)
		return ctl_reject(ctl, "shape %s: must be three lengths, in groups", text);
	for (i = 0; i < TOFU_GROUP_AXES; i++)
		if (shape.numbers[i] > TOFU_RING_LENGTH_MAX)
			return ctl_reject(ctl,
					  "shape %s: must have at most %u groups along an axis",
					  text,
					  TOFU_RING_LENGTH_MAX);
	if (mesh_text && !parse_mesh(mesh_text, &mesh, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (mesh >> TOFU_GROUP_AXES)
		return ctl_reject(ctl, "mesh %s: only x, y and z can be meshes",
				  mesh_text);
	if (!tofu_geometry_init(&target->g, shape.numbers, mesh, TOFU_NODES_MAX))
		return ctl_reject(ctl, "shape %s: must have at most %u nodes, twelve per group",
				  text,
				  TOFU_NODES_MAX);
	return CTL_OK;
}

/**
 * tofu_spec_node - parse a node of the machine
 * @target: the machine
 * @word: six coordinates, or a number
 * @node: [out] index of the node
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int tofu_spec_node(struct ctl *ctl, const struct tofu_spec *target, const char *word,
		   u32 *node)
{
	const struct torus_geometry *g = &target->g;
	const struct torus_machine_shape shape = { .ndims = g->ndims, .dims = g->dims };
	char text[TORUS_NUMBER_TEXT];
	struct parse_place place;
	struct parse_error why;

	if (!parse_place(word, false, &place, &why) ||
	    !parse_place_inside(&place, &shape, "the machine", &why))
		return ctl_reject(ctl, "%s", why.text);
	*node = place.by_coords ? torus_geometry_node(g, place.coords.numbers) :
				  torus_node_index(g, place.number);
	return *node != TORUS_NONE ? CTL_OK :
	       ctl_reject(ctl, "%s", torus_number_text(g, place.number, text, sizeof(text)));
}

/*
 * Parse a list of nodes: numbers or six coordinates. Nodes are separated by blanks or semicolons,
 * and after six coordinates also by a comma.
 */
static int take_nodes(struct ctl *ctl, const struct tofu_spec *target, enum tofu_key key,
		      u32 *nodes, unsigned int *count)
{
	const char *list = target->values[key];
	char word[TOFU_TEXT_MAX];
	int status = CTL_OK;

	while (list && *list && !status) {
		size_t commas = 0, length;

		list += strspn(list, " ;");
		for (length = 0; list[length] && !strchr(" ;", list[length]); length++) {
			commas += list[length] == ',';
			if (commas == TOFU_AXES)
				break;
		}
		if (!length)
			break;
		if (length >= sizeof(word))
			return ctl_reject(ctl, "%s %s: must be a number or six coordinates",
					  key_names[key], list);
		if (*count == TOFU_FAULTS_MAX)
			return ctl_reject(ctl, "%s: must name at most %u",
					  key_names[key], TOFU_FAULTS_MAX);
		snprintf(word, sizeof(word), "%.*s", (int)length, list);
		status = tofu_spec_node(ctl, target, word, &nodes[*count]);
		++*count;
		list += length + (list[length] == ',');
	}
	return status;
}

/**
 * tofu_spec_parse - parse [arch tofu] shape XxYxZ [KEY VALUE].. [NODE]..
 * @takes: mask of TOFU_TAKES(): keys that are accepted. With TOFU_KEY_IN, the value of that key is
 *    the shape of the machine
 * @places: maximum number of nodes without a key
 * @target: [out] the machine
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int tofu_spec_parse(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct tofu_spec *target)
{
	const char *shape;
	int status;

	memset(target, 0, sizeof(*target));
	if (tofu_spec_meant(args))
		args->at += 2;
	status = take_words(ctl, args, takes, places, target);
	if (status)
		return status;
	shape = target->values[takes & TOFU_TAKES(TOFU_KEY_IN) ? TOFU_KEY_IN : TOFU_KEY_SHAPE];
	if (!shape)
		return ctl_usage(ctl, "the shape is missing");
	status = make_machine(ctl, target, shape);
	if (!status)
		status = take_nodes(ctl, target, TOFU_KEY_FAULTY, target->faulty,
				    &target->nfaulty);
	if (!status)
		status = take_nodes(ctl, target, TOFU_KEY_UNITS, target->units, &target->nunits);
	return status;
}

/**
 * tofu_spec_pairs - check that the machine is so small that all pairs of nodes can be followed
 * @target: the machine
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int tofu_spec_pairs(struct ctl *ctl, const struct tofu_spec *target)
{
	if (target->g.nodes <= TOFU_PAIRS_NODES_MAX)
		return CTL_OK;
	return ctl_reject(ctl, "shape %s: has %u nodes, must have at most %u to follow each pair",
			  target->values[TOFU_KEY_SHAPE], target->g.nodes, TOFU_PAIRS_NODES_MAX);
}

/**
 * tofu_node_text - format the coordinates of a node
 * @g: geometry of the machine
 * @node: index of the node
 * @text: [out] coordinates
 * @size: size of @text in bytes; TOFU_TEXT_MAX is enough
 *
 * Return: @text.
 */
const char *tofu_node_text(const struct torus_geometry *g, u32 node, char *text, size_t size)
{
	return torus_geometry_text(g, node, text, size);
}

/**
 * tofu_list_json - convert an array of numbers to a list
 * @numbers: the numbers
 * @count: number of entries in @numbers
 *
 * Return: the list.
 */
struct json_object *tofu_list_json(const u32 *numbers, unsigned int count)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < count; i++)
		json_object_array_add(list, json_object_new_uint64(numbers[i]));
	return list;
}

/**
 * tofu_node_json - convert a node to a record with its number and coordinates
 * @g: geometry of the machine
 * @node: index of the node
 *
 * Return: the record.
 */
struct json_object *tofu_node_json(const struct torus_geometry *g, u32 node)
{
	struct json_object *object = json_object_new_object();
	u32 coords[TOFU_AXES];

	torus_geometry_coords(g, node, coords);
	report_add_u64(object, "node", torus_node_number(g, node));
	json_object_object_add(object, "coords", tofu_list_json(coords, TOFU_AXES));
	return object;
}

/**
 * tofu_machine_json - add the description of the machine to a record
 * @doc: [in, out] the record
 * @g: geometry of the machine
 */
void tofu_machine_json(struct json_object *doc, const struct torus_geometry *g)
{
	char shape[PARSE_SHAPE_MAX];

	report_add_text(doc, "arch", TOFU_ARCH);
	report_add_text(doc, "shape", torus_geometry_shape(g, shape, sizeof(shape)));
	output_mesh(doc, "mesh", g->mesh & ((1u << TOFU_GROUP_AXES) - 1));
	report_add_u64(doc, "nodes", g->nodes);
}

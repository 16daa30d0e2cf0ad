// SPDX-License-Identifier: GPL-2.0
/* Print results as text or as JSON, and add the members that many results share. */
#include <stdio.h>

#include "../../common/version.h"
#include "../../report/json.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "output.h"
#include "../../config/node_addr.h"

/**
 * output_row - print one JSON document of a sequence, such as an event
 * @doc: the document, freed by this function
 */
void output_row(const struct ctl *ctl, struct json_object *doc)
{
	report_print_json(doc, ctl->pretty);
}

/**
 * output_json - print the result of a call as JSON
 * @doc: the document, consumed
 *
 * The name and version of the program are added to an object, unless it has a key "version". That
 * key belongs to results that are saved as files for another call. A list is printed unchanged.
 */
void output_json(const struct ctl *ctl, struct json_object *doc)
{
	if (json_object_is_type(doc, json_type_object) &&
	    !json_object_object_get_ex(doc, "version", NULL)) {
		report_add_text(doc, "program", "torusctl");
		report_add_text(doc, "version", torus_version());
	}
	output_row(ctl, doc);
}

/**
 * output_answer - print the result of a call as JSON or as text
 * @doc: the result, freed by this function
 * @form: format of the text, see report_print()
 */
void output_answer(const struct ctl *ctl, struct json_object *doc, const char *form)
{
	if (ctl->json) {
		output_json(ctl, doc);
		return;
	}
	report_print(stdout, doc, form);
	json_object_put(doc);
}

/**
 * output_node - add a node to an object: its number, and its coordinates if they are known
 * @object: [in, out] the object
 * @fabric: the fabric
 * @node: number of the node
 */
void output_node(struct json_object *object, const struct torus_nl_fabric *fabric, uint32_t node)
{
	struct json_object *list;
	uint32_t coords[TORUS_DIMS_MAX];
	unsigned int d;

	report_add_u64(object, "node", node);
	if (!place_coords(fabric, node, coords))
		return;
	list = json_object_new_array();
	for (d = 0; d < fabric->ndims; d++)
		json_object_array_add(list, json_object_new_uint64(coords[d]));
	json_object_object_add(object, "coords", list);
}

/**
 * output_mesh - add a list of the open dimensions to an object
 * @object: [in, out] the object
 * @key: key of the list
 * @mesh: mask of the open dimensions (meshes)
 */
void output_mesh(struct json_object *object, const char *key, uint32_t mesh)
{
	struct json_object *list = json_object_new_array();
	char name[PARSE_DIM_MAX];
	unsigned int d;

	for (d = 0; d < TORUS_DIMS_MAX; d++) {
		if (!(mesh & (1u << d)))
			continue;
		parse_dim_name(d, name, sizeof(name));
		json_object_array_add(list, json_object_new_string(name));
	}
	json_object_object_add(object, key, list);
}

/**
 * output_ns - convert ticks to nanoseconds
 * @tick_fs: length of a tick in femtoseconds
 * @ticks: time in ticks
 *
 * Return: time in nanoseconds.
 */
double output_ns(uint64_t tick_fs, double ticks)
{
	return ticks * tick_fs / 1e6;
}

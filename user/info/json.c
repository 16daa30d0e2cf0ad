// SPDX-License-Identifier: GPL-2.0
/* Describe a fabric as a record, for JSON and for text. */
#include <json-c/json.h>

#include "../report/json.h"
#include "../report/report.h"
#include "group_count.h"
#include "json.h"
#include "../parse/shape.h"

static void add_item(struct json_object *list, const char *text)
{
	json_object_array_add(list, json_object_new_string(text));
}

static struct json_object *numbers(const uint32_t *values, unsigned int count)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < count; i++)
		json_object_array_add(list, json_object_new_uint64(values[i]));
	return list;
}

static struct json_object *meshes(const struct torus_ioc_fabric *fabric)
{
	struct json_object *list = json_object_new_array();
	char dim[PARSE_DIM_MAX];
	unsigned int d;

	for (d = 0; d < fabric->ndims; d++)
		if (fabric->mesh >> d & 1)
			add_item(list, parse_dim_name(d, dim, sizeof(dim)));
	return list;
}

static struct json_object *counts(const struct info_census *census)
{
	struct json_object *object = json_object_new_object();
	int kind;

	for (kind = 0; kind < INFO_GROUP_MAX; kind++)
		report_add_u64(object, info_group_name(kind), census->of[kind]);
	return object;
}

static void add_limits(struct json_object *object, const struct torus_ioc_fabric *fabric)
{
	report_add_u64(object, "chunk_bytes", fabric->chunk_bytes);
	report_add_u64(object, "packet_chunks_max", fabric->packet_chunks_max);
	report_add_u64(object, "inject_fifos", fabric->inject_fifos);
	report_add_u64(object, "inject_priority", fabric->inject_priority);
	report_add_u64(object, "receive_fifos", fabric->receive_fifos);
	report_add_u64(object, "receive_priority", fabric->receive_priority);
	report_add_u64(object, "fifo_chunks", fabric->fifo_chunks);
	report_add_u64(object, "inject_chunks", fabric->inject_chunks);
	report_add_u64(object, "receive_chunks", fabric->receive_chunks);
	report_add_u64(object, "ring_chunks_max", fabric->ring_chunks_max);
	report_add_text(object, "no_listener", fabric->hold ? "hold" : "drop");
}

static struct json_object *node_list(const struct info_census *census)
{
	const struct torus_ioc_fabric *fabric = &census->fabric;
	struct json_object *list = json_object_new_array();
	struct json_object *node = NULL, *groups = NULL;
	uint32_t coords[TORUS_DIMS_MAX];
	size_t place;

	for (place = 0; place < census->count; place++) {
		const struct torus_group *group = &census->groups[place];

		if (!group->group) {
			node = json_object_new_object();
			groups = json_object_new_array();
			report_add_u64(node, "node", group->node);
			if (query_coords(fabric, group->node, coords))
				json_object_object_add(node, "coords",
						       numbers(coords, fabric->ndims));
			report_add_u64(node, "partition", group->partition);
			json_object_object_add(node, "groups", groups);
			json_object_array_add(list, node);
		}
		add_item(groups, info_group_name(info_group(group)));
	}
	return list;
}

/* Add the members that only the text has. */
static void add_text(struct json_object *object, const struct info_census *census)
{
	const struct torus_ioc_fabric *fabric = &census->fabric;
	const struct torus_machine *machine = torus_machine_find(fabric->arch);

	report_add_text(object, "title", machine ? machine->title : NULL);
	report_add_double(object, "clock_us", fabric->clock * (fabric->tick_fs / 1e6) / 1e3);
	report_add_u64(object, "groups_total", census->count);
	report_add_u64(object, "packet_bytes_max", fabric->packet_chunks_max * fabric->chunk_bytes);
	report_add_u64(object, "inject_priorities", __builtin_popcount(fabric->inject_priority));
	report_add_u64(object, "receive_priorities", __builtin_popcount(fabric->receive_priority));
}

/**
 * info_document - describe a fabric as a record
 * @census: the fabric and its groups
 * @nodes: include each node and the state of its groups
 * @json: the record is for JSON; false: for text in the form INFO_FORM
 *
 * Return: the object, freed by the caller.
 */
struct json_object *info_document(const struct info_census *census, bool nodes, bool json)
{
	const struct torus_ioc_fabric *fabric = &census->fabric;
	struct json_object *object = json_object_new_object();
	char shape[PARSE_SHAPE_MAX];

	report_add_text(object, "name", fabric->name);
	report_add_text(object, "arch", fabric->arch);
	report_add_text(object, "shape",
			parse_shape_text(fabric->nshape, fabric->shape, shape, sizeof(shape)));
	json_object_object_add(object, "dims", numbers(fabric->dims, fabric->ndims));
	json_object_object_add(object, "mesh", meshes(fabric));
	report_add_u64(object, "nodes", fabric->nodes);
	report_add_text(object, "state", info_state_name(fabric->state));
	json_object_object_add(object, "traffic", json_object_new_boolean(fabric->traffic));
	report_add_u64(object, "clock", fabric->clock);
	json_object_object_add(object, "clock_ns",
			       report_double((double)fabric->clock * fabric->tick_fs / 1e6));
	report_add_u64(object, "tick_fs", fabric->tick_fs);
	report_add_u64(object, "groups_of_node", fabric->groups);
	json_object_object_add(object, "groups", counts(census));
	report_add_u64(object, "nodes_free", census->nodes_free);
	report_add_u64(object, "nodes_whole", census->nodes_whole);
	add_limits(object, fabric);
	if (nodes)
		json_object_object_add(object, "node", node_list(census));
	if (!json)
		add_text(object, census);
	return object;
}

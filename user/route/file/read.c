// SPDX-License-Identifier: GPL-2.0
/*
 * Read routing tables from a JSON file. Validate each value.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "file.h"
#include "../../parse/shape.h"
#include "read.h"

#define BLOCK	65536	/* bytes per read */

static const char *const keys[] = {
	"version", "arch", "shape", "mesh", "datelines", "regions", "inputs", "pages", NULL,
};

/* State of the reader of one file. */
struct table_reader {
	const char *name;
	struct json_object *doc;
	struct parse_error *why;
	struct xt_map *map;
	struct xt_tables *tables;
	uint32_t dateline[XT_DIMS];
	uint32_t npages;
	uint32_t *kept;		/* number of a page in the tables, by its number in the file */
};

static bool whole(struct json_object *value, uint64_t max, uint32_t *number)
{
	int64_t found;

	if (!json_object_is_type(value, json_type_int))
		return false;
	found = json_object_get_int64(value);
	if (found < 0 || (uint64_t)found > max)
		return false;
	*number = (uint32_t)found;
	return true;
}

static struct json_object *member(const struct table_reader *reader, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(reader->doc, key, &value);
	return value;
}

/*
 * Get a list from the document. Return: the list's length, or -1 if it is missing or not a
 * list.
 */
static long list(const struct table_reader *reader, const char *key, struct json_object **found)
{
	*found = member(reader, key);
	if (json_object_is_type(*found, json_type_array))
		return (long)json_object_array_length(*found);
	parse_fail(reader->why, "%s: %s: %s", reader->name, key,
		   *found ? "must be a list" : "missing");
	return -1;
}

static bool read_keys(const struct table_reader *reader)
{
	uint32_t version;
	const char *arch;
	size_t i;

	json_object_object_foreach(reader->doc, key, value) {
		(void)value;
		for (i = 0; keys[i] && strcmp(key, keys[i]); i++)
			;
		if (!keys[i])
			return parse_fail(reader->why, "%s: key %s is unknown", reader->name,
					  key);
	}
	if (!whole(member(reader, "version"), UINT32_MAX, &version))
		return parse_fail(reader->why, "%s: version: must be a number",
				  reader->name);
	if (version != XT_FILE_VERSION)
		return parse_fail(reader->why, "%s: version %u: must be version %d", reader->name,
				  version, XT_FILE_VERSION);
	arch = json_object_get_string(member(reader, "arch"));
	if (!arch || strcmp(arch, XT_ARCH))
		return parse_fail(reader->why, "%s: arch %s: must be %s",
				  reader->name, arch ? arch : "missing", XT_ARCH);
	return true;
}

static bool read_mesh(const struct table_reader *reader, uint32_t *mesh)
{
	struct json_object *dims;
	long count = list(reader, "mesh", &dims), i;

	if (count < 0)
		return false;
	for (i = 0; i < count; i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(dims, i));
		uint32_t one;

		if (!word || !parse_mesh(word, &one, reader->why) || one >> XT_DIMS)
			return parse_fail(reader->why, "%s: mesh: %s must be x, y or z",
					  reader->name, word ? word : "null");
		*mesh |= one;
	}
	return true;
}

/*
 * Read the regions. All regions but the last have the same number of planes; the last region has
 * the rest.
 */
static bool read_regions(const struct table_reader *reader, uint32_t length, uint32_t *planes)
{
	struct json_object *regions;
	long count = list(reader, "regions", &regions), i;
	uint32_t sum = 0, one, first = 0;

	if (count < 0)
		return false;
	for (i = 0; i < count; i++) {
		if (!whole(json_object_array_get_idx(regions, i), length, &one) || !one)
			return parse_fail(reader->why,
					  "%s: regions: region %ld must have 1 to %u planes",
					  reader->name, i, length);
		first = i ? first : one;
		sum += one;
		if (one > first || (one < first && i + 1 < count))
			return parse_fail(reader->why,
					  "%s: regions: region %ld has %u planes, must have %u "
					  "like the first region", reader->name, i, one, first);
	}
	if (sum != length)
		return parse_fail(reader->why,
				  "%s: regions: %u planes must equal the %u planes of the shape",
				  reader->name, sum, length);
	*planes = first;
	return true;
}

static bool read_shape(struct table_reader *reader)
{
	const char *text = json_object_get_string(member(reader, "shape")), *reason;
	struct parse_error why;
	struct parse_list shape;
	uint32_t mesh = 0, planes = 0;

	if (!text || !parse_shape("shape", text, &shape, &why))
		return parse_fail(reader->why, "%s: %s", reader->name,
				  text ? why.text : "shape: missing");
	if (shape.count != XT_DIMS)
		return parse_fail(reader->why, "%s: shape %s: must have three dimensions",
				  reader->name, text);
	if (!read_mesh(reader, &mesh) || !read_regions(reader, shape.numbers[0], &planes))
		return false;
	reason = xt_map_refusal(shape.numbers, planes);
	if (reason)
		return parse_fail(reader->why, "%s: shape %s with regions of %u planes: %s",
				  reader->name, text, planes, reason);
	if (xt_map_new(&reader->map, shape.numbers, mesh, planes))
		return parse_fail(reader->why, "%s: out of memory", reader->name);
	return true;
}

static bool read_datelines(struct table_reader *reader)
{
	struct json_object *lines;
	long count = list(reader, "datelines", &lines);
	unsigned int dim;

	if (count >= 0 && count != XT_DIMS)
		return parse_fail(reader->why,
				  "%s: datelines: has %ld entries, must have one for each "
				  "dimension", reader->name, count);
	for (dim = 0; count >= 0 && dim < XT_DIMS; dim++) {
		struct json_object *line = json_object_array_get_idx(lines, dim);
		char name[PARSE_DIM_MAX];

		parse_dim_name(dim, name, sizeof(name));
		reader->dateline[dim] = XT_NONE;
		if (json_object_is_type(line, json_type_null))
			continue;
		if (reader->map->mesh >> dim & 1)
			return parse_fail(reader->why,
					  "%s: datelines: %s is a mesh and must not have one",
					  reader->name, name);
		if (!whole(line, reader->map->dims[dim] - 1u, &reader->dateline[dim]))
			return parse_fail(reader->why,
					  "%s: datelines: %s: %s must be a coordinate below %u",
					  reader->name, name, json_object_get_string(line),
					  reader->map->dims[dim]);
	}
	return count >= 0;
}

static bool read_page(struct table_reader *reader, struct json_object *page, long number)
{
	uint8_t entries[XT_PAGE];
	uint32_t i, entry;

	if (!json_object_is_type(page, json_type_array) ||
	    json_object_array_length(page) != XT_PAGE)
		return parse_fail(reader->why, "%s: page %ld: must be a list of %u entries",
				  reader->name, number, XT_PAGE);
	for (i = 0; i < XT_PAGE; i++) {
		struct json_object *value = json_object_array_get_idx(page, i);

		entries[i] = XT_MISSING;
		if (json_object_is_type(value, json_type_null))
			continue;
		if (!whole(value, XT_ENTRY(XT_PROCESSOR, 1), &entry) ||
		    XT_ENTRY_PORT(entry) > XT_PROCESSOR)
			return parse_fail(reader->why,
					  "%s: page %ld: entry %u: %s: must be port + 8 * VC",
					  reader->name, number, i,
					  json_object_get_string(value));
		entries[i] = (uint8_t)entry;
	}
	reader->kept[number] = xt_tables_page(reader->tables, entries);
	if (reader->kept[number] == XT_NONE)
		return parse_fail(reader->why, "%s: out of memory", reader->name);
	return true;
}

static bool read_pages(struct table_reader *reader)
{
	struct json_object *pages;
	long count = list(reader, "pages", &pages), i;

	if (count < 0)
		return false;
	reader->npages = (uint32_t)count;
	reader->kept = calloc((size_t)count + 1, sizeof(*reader->kept));
	if (!reader->kept)
		return parse_fail(reader->why, "%s: out of memory", reader->name);
	for (i = 0; i < count; i++)
		if (!read_page(reader, json_object_array_get_idx(pages, i), i))
			return false;
	return true;
}

/*
 * Read a row: the page numbers of one input of a node. Return: the row's number in the tables, or
 * XT_NONE after an error.
 */
static uint32_t read_row(struct table_reader *reader, struct json_object *row, uint32_t node,
			 uint32_t *pages)
{
	uint32_t width = reader->tables->width, i, kept;

	if (!json_object_is_type(row, json_type_array) ||
	    json_object_array_length(row) != width) {
		parse_fail(reader->why,
			   "%s: inputs: NID %u: must be a list of %u pages, or seven such lists",
			   reader->name, xt_nid(reader->map, node), width);
		return XT_NONE;
	}
	for (i = 0; i < width; i++) {
		struct json_object *page = json_object_array_get_idx(row, i);

		if (!reader->npages || !whole(page, reader->npages - 1u, &pages[i])) {
			parse_fail(reader->why,
				   "%s: inputs: NID %u: page %s: must be one of the %u pages",
				   reader->name, xt_nid(reader->map, node),
				   json_object_get_string(page), reader->npages);
			return XT_NONE;
		}
		pages[i] = reader->kept[pages[i]];
	}
	kept = xt_tables_row(reader->tables, pages);
	if (kept == XT_NONE)
		parse_fail(reader->why, "%s: out of memory", reader->name);
	return kept;
}

static bool read_node(struct table_reader *reader, struct json_object *item, uint32_t node,
		      uint32_t *pages)
{
	uint32_t *inputs = reader->tables->inputs + (size_t)node * XT_PORTS, in;
	struct json_object *first = NULL;
	bool seven;

	if (json_object_is_type(item, json_type_array))
		first = json_object_array_get_idx(item, 0);
	seven = json_object_is_type(first, json_type_array) &&
		json_object_array_length(item) == XT_PORTS;
	for (in = 0; in < XT_PORTS; in++) {
		if (seven || !in)
			inputs[in] = read_row(reader, seven ?
					      json_object_array_get_idx(item, in) : item, node,
					      pages);
		else
			inputs[in] = inputs[0];
		if (inputs[in] == XT_NONE)
			return false;
	}
	return true;
}

static bool read_inputs(struct table_reader *reader)
{
	struct json_object *inputs;
	long count = list(reader, "inputs", &inputs);
	uint32_t *pages, node;
	bool good = true;

	if (count < 0)
		return false;
	if ((uint64_t)count != reader->map->nodes)
		return parse_fail(reader->why,
				  "%s: inputs: has %ld nodes, must have the %u nodes of the shape",
				  reader->name, count, reader->map->nodes);
	pages = malloc(reader->tables->width * sizeof(*pages));
	if (!pages)
		return parse_fail(reader->why, "%s: out of memory", reader->name);
	for (node = 0; good && node < reader->map->nodes; node++)
		good = read_node(reader, json_object_array_get_idx(inputs, node), node, pages);
	free(pages);
	return good;
}

static bool read_all(struct table_reader *reader)
{
	if (!json_object_is_type(reader->doc, json_type_object))
		return parse_fail(reader->why, "%s: must be an object", reader->name);
	if (!read_keys(reader) || !read_shape(reader) || !read_datelines(reader))
		return false;
	if (xt_tables_new(&reader->tables, reader->map, reader->dateline))
		return parse_fail(reader->why, "%s: out of memory", reader->name);
	return read_pages(reader) && read_inputs(reader);
}

static bool parse_failed(struct table_reader *reader, struct json_tokener *tokener)
{
	return parse_fail(reader->why, "%s: is not valid JSON: %s", reader->name,
			  json_tokener_error_desc(json_tokener_get_error(tokener)));
}

/*
 * Parse the next part of the file's text. Return: false on a syntax error, if the document is null,
 * or if anything but white space follows the document.
 */
static bool parse_piece(struct table_reader *reader, struct json_tokener *tokener, const char *text,
			size_t length)
{
	size_t at = 0;

	if (!reader->doc) {
		reader->doc = json_tokener_parse_ex(tokener, text, (int)length);
		if (json_tokener_get_error(tokener) == json_tokener_continue)
			return true;
		if (json_tokener_get_error(tokener) != json_tokener_success)
			return parse_failed(reader, tokener);
		if (!reader->doc)
			return parse_fail(reader->why, "%s: must be an object", reader->name);
		at = json_tokener_get_parse_end(tokener);
	}
	for (; at < length; at++)
		if (!text[at] || !strchr(" \t\r\n", text[at]))
			return parse_fail(reader->why,
					  "%s: must contain only one JSON document", reader->name);
	return true;
}

/* Parse the file, which must contain exactly one JSON document. */
static bool parse(struct table_reader *reader)
{
	bool standard = !strcmp(reader->name, "-");
	FILE *in = standard ? stdin : fopen(reader->name, "re");
	struct json_tokener *tokener = in ? json_tokener_new() : NULL;
	bool good = tokener;
	char text[BLOCK];
	size_t got;

	if (!in)
		return parse_fail(reader->why, "%s: %s", reader->name, strerror(errno));
	if (!tokener)
		parse_fail(reader->why, "%s: out of memory", reader->name);
	while (good && (got = fread(text, 1, sizeof(text), in)) > 0)
		good = parse_piece(reader, tokener, text, got);
	if (good && ferror(in))
		good = parse_fail(reader->why, "%s: is not valid JSON: %s", reader->name,
				  strerror(errno));
	else if (good && !reader->doc)
		good = parse_fail(reader->why, "%s: is not valid JSON: unexpected end of data",
				  reader->name);
	if (tokener)
		json_tokener_free(tokener);
	if (!standard)
		fclose(in);
	return good;
}

/**
 * xt_file_read() - read routing tables from a file
 * @name: name of the file; "-" is standard input
 * @map: [out] the machine of the tables; the caller frees the tables, then the map with
 *    xt_map_free()
 * @tables: [out] the tables; freed with xt_tables_free()
 * @why: [out] the reason of a failure
 *
 * Validates the format only. Call xt_check_run() to find out where the tables lead packets.
 *
 * Return: true on success.
 */
bool xt_file_read(const char *name, struct xt_map **map, struct xt_tables **tables,
		  struct parse_error *why)
{
	struct table_reader reader = { .name = name, .why = why };
	bool good;

	*map = NULL;
	*tables = NULL;
	good = parse(&reader) && read_all(&reader);
	json_object_put(reader.doc);
	free(reader.kept);
	if (!good) {
		xt_tables_free(reader.tables);
		xt_map_free(reader.map);
		return false;
	}
	*map = reader.map;
	*tables = reader.tables;
	return true;
}

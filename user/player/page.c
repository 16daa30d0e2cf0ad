// SPDX-License-Identifier: GPL-2.0
/*
 * The page: page.html, in which MARK is replaced by the record as an object of JavaScript.
 *
 * No byte of the record is HTML: texts are strings of JSON in which "<" is escaped, and events and
 * packets are base64.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "core/base/geometry.h"
#include "core/run/fabric.h"
#include "../common/array.h"
#include "../common/output_file.h"
#include "../report/json.h"
#include "page.h"

#define MARK	"/*RECORD*/null"

__asm__(".section .rodata\n"
	".globl page_begin\n"
	".hidden page_begin\n"
	"page_begin:\n"
	".incbin \"user/player/page.html\"\n"
	".byte 0\n"
	".previous\n");
extern const char page_begin[] __attribute__((visibility("hidden")));

static const char *const kinds[] = { PLAYER_KINDS };

static void put_base64(FILE *out, const unsigned char *bytes, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i;

	for (i = 0; i < count; i += 3) {
		u32 word = (u32)bytes[i] << 16;
		u32 have = count - i < 3 ? (u32)(count - i) : 3;

		word |= have > 1 ? (u32)bytes[i + 1] << 8 : 0;
		word |= have > 2 ? bytes[i + 2] : 0;
		putc(digits[word >> 18], out);
		putc(digits[word >> 12 & 63], out);
		putc(have > 1 ? digits[word >> 6 & 63] : '=', out);
		putc(have > 2 ? digits[word & 63] : '=', out);
	}
}

/* Print JSON inside a script: without "<", which would end the script in "</script>". */
static void put_json(FILE *out, const char *key, struct json_object *value)
{
	const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);

	fprintf(out, "%s:", key);
	for (; *text; text++)
		if (*text == '<')
			fputs("\\u003c", out);
		else
			putc(*text, out);
	fputs(",\n", out);
	json_object_put(value);
}

static int coordinate_order(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* By dimension: the coordinates that the page shows. */
static struct json_object *shown(const struct player_record *record)
{
	const struct torus_geometry *geo = &record->config.geo;
	struct json_object *all = json_object_new_array();
	bool whole = geo->nodes <= PLAYER_NODES_MAX;
	u32 dim, i, count, *values;

	for (dim = 0; dim < geo->ndims; dim++) {
		struct json_object *list = json_object_new_array();

		count = whole ? geo->dims[dim] : (u32)record->used[dim].count;
		values = calloc(count, sizeof(*values));
		for (i = 0; values && i < count; i++)
			if (whole)
				values[i] = i;
			else
				memcpy(&values[i], record->used[dim].strings[i].bytes,
				       sizeof(*values));
		if (values)
			qsort(values, count, sizeof(*values), coordinate_order);
		for (i = 0; values && i < count; i++)
			json_object_array_add(list, json_object_new_int64(values[i]));
		free(values);
		json_object_array_add(all, list);
	}
	return all;
}

static struct json_object *lengths(const struct torus_geometry *geo)
{
	struct json_object *list = json_object_new_array();
	u32 dim;

	for (dim = 0; dim < geo->ndims; dim++)
		json_object_array_add(list, json_object_new_int64(geo->dims[dim]));
	return list;
}

static struct json_object *list_of_texts(const struct player_intern *set)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < set->count; i++)
		json_object_array_add(list,
				      json_object_new_string_len(set->strings[i].bytes,
								 (int)set->strings[i].length));
	return list;
}

static struct json_object *list_of_kinds(void)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		json_object_array_add(list, json_object_new_string(kinds[i]));
	return list;
}

/* Print the packets as three 32-bit numbers each, lowest byte first. */
static bool put_packets(FILE *out, const struct player_intern *packets)
{
	size_t count = 12 * packets->count, i, k;
	unsigned char *bytes = malloc(count + 1);
	u32 words[3];

	if (!bytes)
		return false;
	for (i = 0; i < packets->count; i++) {
		memcpy(words, packets->strings[i].bytes, sizeof(words));
		for (k = 0; k < 12; k++)
			bytes[12 * i + k] = (unsigned char)(words[k / 4] >> (8 * (k % 4)));
	}
	put_base64(out, bytes, count);
	free(bytes);
	return true;
}

static bool put_record(FILE *out, const struct player_record *record, const char *title)
{
	const struct torus_config *config = &record->config;
	char shape[128];
	bool good;

	fputs("{\n", out);
	put_json(out, "title", json_object_new_string(title));
	put_json(out, "arch", json_object_new_string(config->arch->name));
	put_json(out, "shape", json_object_new_string(torus_geometry_shape(&config->geo, shape,
									   sizeof(shape))));
	put_json(out, "dims", lengths(&config->geo));
	put_json(out, "shown", shown(record));
	put_json(out, "kinds", list_of_kinds());
	put_json(out, "texts", list_of_texts(&record->texts));
	fprintf(out, "count:%u,\nlost:%llu,\nlostAt:%llu,\npackets:\"", record->events,
		(unsigned long long)record->lost, (unsigned long long)record->lost_at);
	good = put_packets(out, &record->packets);
	fputs("\",\nevents:\"", out);
	put_base64(out, record->bytes, record->nbytes);
	fputs("\"}", out);
	return good;
}

/* Build the page in memory. Returns NULL without memory. */
static char *build_page(const struct player_record *record, const char *title, size_t *length)
{
	const char *mark = strstr(page_begin, MARK);
	char *page = NULL;
	FILE *out = open_memstream(&page, length);
	bool good;

	if (!out)
		return NULL;
	fwrite(page_begin, 1, (size_t)(mark - page_begin), out);
	good = put_record(out, record, title);
	fputs(mark + strlen(MARK), out);
	good = !ferror(out) && good;
	if (fclose(out) || !good) {
		free(page);
		return NULL;
	}
	return page;
}

/**
 * player_page_write - write a page
 * @record: a record that player_record_check() accepts
 * @title: heading of the page
 * @path: name of the file; "-" is standard output
 * @why: [out] the error
 *
 * Return: false if the page is too large or cannot be written, or without memory; the old file is
 * kept.
 */
bool player_page_write(const struct player_record *record, const char *title, const char *path,
		       struct parse_error *why)
{
	size_t length = 0;
	char *page = build_page(record, title, &length);
	bool good = false;
	FILE *out;

	if (!page)
		return parse_fail(why, "out of memory");
	out = length > PLAYER_BYTES_MAX ? NULL : torus_output_open(path);
	if (length > PLAYER_BYTES_MAX) {
		parse_fail(why, "the page has %zu bytes, at most %u are allowed: record fewer "
			   "events with --trace-window FROM:TO, --trace-packets or --trace-links",
			   length, PLAYER_BYTES_MAX);
	} else if (!out) {
		parse_fail(why, "%s: %s", path, strerror(errno));
	} else if (fwrite(page, 1, length, out) != length) {
		parse_fail(why, "%s: %s", path, strerror(errno));
		torus_output_discard(out, path);
	} else if (!torus_output_close(out, path)) {
		parse_fail(why, "%s: %s", path, strerror(errno));
	} else {
		good = true;
	}
	free(page);
	return good;
}

// SPDX-License-Identifier: GPL-2.0
/* Test each tag of the forms by which records are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "../print.h"

static const char record[] =
	"{ \"name\": \"a\\nb\\\\\", \"zero\": 0, \"no\": false, \"none\": null,"
	"  \"big\": \"18446744073709551615\", \"n\": 12, \"part\": 0.125, \"ns\": 7050.0,"
	"  \"bytes\": 12897485, \"empty\": [], \"at\": [ 1, 2, 3 ],"
	"  \"in\": { \"deep\": { \"x\": 5 } }, \"counts\": { \"lost\": 1, \"late\": 2 },"
	"  \"list\": [ { \"k\": \"u\", \"v\": 1 }, { \"k\": \"w\", \"n\": 13 } ],"
	"  \"paths\": [ [ { \"x\": 1 }, { \"x\": 2 } ], [ { \"x\": 3 } ] ] }";

static const struct {
	const char *form;
	const char *text;
} cases[] = {
	{ "plain\n", "plain\n" },
	/* values */
	{ "{name}|{n}|{part}|{at}|{in.deep.x}|{none}|{big}", "a\\nb\\\\|12|0.125|1,2,3|5|-|"
	  "18446744073709551615" },
	{ "{n%4u}|{n%04x}|{n%-4u}|{part%.2f}|{part*100%.1f}|{n/8%.3f}|{none%3u}|{part%5.1f}|"
	  "{part%g}",
	  "  12|000c|12  |0.12|12.5|1.500|  -|  0.1|0.125" },
	{ "{big%x}|{ns%T}|{ns%-9T}|{bytes%B}|{zero%B}|{at%n}|{name%m}|{at%-7s}|",
	  "ffffffffffffffff|7.05 us|7.05 us  |12.3 MiB|0 B|3|a\\nb\\|1,2,3  |" },
	/* parts */
	{ "{?n}n{/}{?zero}zero{/}{?no}no{/}{?none}none{/}{?gone}gone{/}{?empty}empty{/}{?at}at{/}",
	  "nat" },
	{ "{+zero}zero{/}{+none}none{/}{+gone}gone{:}no{/}", "zerono" },
	{ "{!zero}a{:}b{/}{!n}a{:}b{/}{?n=12}c{/}{!n=12}d{/}{?gone=12}e{/}", "abc" },
	{ "{?zero}{?n}a{:}b{/}c{:}{?n}d{:}e{/}f{/}g", "dfg" },
	{ "{>in}{deep.x}{n}{>deep}{x}{n}{/}{/}{>none}a{:}b{/}", "512512b" },
	/* in a list, a key that an element lacks is looked up in the record around the list */
	{ "{#list}{,}, {/}{@}{k}{n}{+v}={v}{/}{/}.", "0u12=1, 1w13." },
	{ "{#at}{.%2u}{/}{#empty}x{:}none{/}{#gone}x{:}none{/}", " 1 2 3nonenone" },
	{ "{#counts} {@} {.}{/}", " lost 1 late 2" },
	{ "{#paths}{.%n}:{#.} {x}{/};{/}", "2: 1 2;1: 3;" },
	{ "{_-8}{n} {?name}n{:}o{/}{/}|{_5}{n} b{/}|{_2}{n} b{/}|{?zero}{_4}{n}{/}{/}.",
	  "12 n    | 12 b|12 b|." },
	{ "{|2 at} {.}{/}{|2 empty}x{/}", "   1 2 3\n" },
};

static void test_cases(void **state)
{
	struct json_object *doc = json_tokener_parse(record);
	char *text;
	size_t size, i;
	FILE *out;

	(void)state;
	assert_non_null(doc);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		out = open_memstream(&text, &size);
		report_print(out, doc, cases[i].form);
		fclose(out);
		assert_string_equal(text, cases[i].text);
		free(text);
	}
	json_object_put(doc);
}

/*
 * A line has at most 96 columns. The indent takes some of these columns, and each element takes
 * four.
 */
static void test_lines(void **state)
{
	static const struct {
		const char *form;
		long columns;
		const char *next;
	} lines[] = {
		{ "{|3 list} {.}{/}", 3 + 23 * 4, "    123 " },
		{ "{|4 list} {.}{/}", 4 + 23 * 4, "     123 " },
		{ "{|5 list} {.}{/}", 5 + 22 * 4, "      122 " },
	};
	struct json_object *doc = json_object_new_object(), *list = json_object_new_array();
	char *text, *line;
	size_t size, i;
	FILE *out;

	(void)state;
	for (i = 0; i < 40; i++)
		json_object_array_add(list, json_object_new_int(100 + (int)i));
	json_object_object_add(doc, "list", list);
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		out = open_memstream(&text, &size);
		report_print(out, doc, lines[i].form);
		fclose(out);
		line = strchr(text, '\n');
		assert_int_equal(line - text, lines[i].columns);
		assert_memory_equal(line + 1, lines[i].next, strlen(lines[i].next));
		assert_string_equal(strrchr(text, ' '), " 139\n");
		free(text);
	}
	json_object_put(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

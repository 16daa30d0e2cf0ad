// SPDX-License-Identifier: GPL-2.0
/* torus-info: fabrics as an ordinary user may know them. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../common/answer.h"
#include "../common/escape.h"
#include "../common/version.h"
#include "census.h"

#define VERSION	"torus-info " TORUS_VERSION ", ABI %d\n"
#define FAILED	1
#define USAGE	2

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'p' },
	{ "nodes", no_argument, NULL, 'n' },
	{ "list", no_argument, NULL, 'l' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"torus-info [OPTION]... [FABRIC]\n"
	"\n"
	"Prints what everybody may know of the simulated torus machines here, or of one.\n"
	"\n"
	"  -n, --nodes     also each node, and what its FIFO groups are to you\n"
	"  -l, --list      nothing but the names\n"
	"  -j, --json      as one JSON document, a list\n"
	"  -p, --pretty    with line breaks\n"
	"  -h, --help      print this\n"
	"  -V, --version   print the version\n";

/**
 * struct call - what was typed
 * @json: as JSON
 * @pretty: with line breaks
 * @nodes: with each node
 * @list: names alone
 * @fabric: its name; NULL: all
 */
struct call {
	bool json;
	bool pretty;
	bool nodes;
	bool list;
	const char *fabric;
};

static int tell(int status, const char *text)
{
	torus_answer_flush();
	torus_escape_message(stderr, "torus-info: %s\n", text);
	return status;
}

static bool print_one(const struct call *call, int device, const struct torus_ioc_fabric *fabric,
		      struct json_object *list, struct word_why *why)
{
	struct info_census census;

	if (call->list) {
		if (list)
			json_object_array_add(list, json_object_new_string(fabric->name));
		else
			puts(fabric->name);
		return true;
	}
	if (!info_census_take(&census, device, fabric, why))
		return false;
	if (list)
		json_object_array_add(list, info_document(&census, call->nodes));
	else
		info_text(&census, call->nodes);
	info_census_free(&census);
	return true;
}

static bool print_all(const struct call *call, int device, struct json_object *list,
		      struct word_why *why)
{
	struct torus_ioc_fabric *fabrics, one;
	size_t count = 1, i;
	bool good = true;

	if (call->fabric)
		return query_fabric(device, call->fabric, &one, why) &&
		       print_one(call, device, &one, list, why);
	if (!query_fabrics(device, &fabrics, &count, why))
		return false;
	for (i = 0; good && i < count; i++)
		good = print_one(call, device, &fabrics[i], list, why);
	if (!count && !list && !call->list)
		puts("There is no fabric in this network namespace.");
	free(fabrics);
	return good;
}

static int answer(const struct call *call)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;
	struct json_object *list = NULL;
	struct word_why why;
	int device, status = 0;

	device = query_open(&why);
	if (device < 0)
		return tell(FAILED, why.text);
	if (call->json)
		list = json_object_new_array();
	if (!print_all(call, device, list, &why))
		status = tell(FAILED, why.text);
	else if (list)
		torus_escape_json(stdout, json_object_to_json_string_ext(list, flags |
			(call->pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED :
					JSON_C_TO_STRING_PLAIN)));
	json_object_put(list);
	close(device);
	return status;
}

static int run(int argc, char **argv)
{
	struct call call = { .fabric = NULL };
	char text[256];
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "jpnlhV", long_options, NULL)) >= 0) {
		switch (option) {
		case 'j':
			call.json = true;
			break;
		case 'p':
			call.pretty = true;
			break;
		case 'n':
			call.nodes = true;
			break;
		case 'l':
			call.list = true;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			printf(VERSION, TORUS_ABI_VERSION);
			return 0;
		default:
			snprintf(text, sizeof(text), "unknown option %s (there are: -n -l -j -p -h "
				 "-V)", argv[optind - 1]);
			return tell(USAGE, text);
		}
	}
	if (argc > optind + 1) {
		snprintf(text, sizeof(text), "%s: one word too many", argv[optind + 1]);
		return tell(USAGE, text);
	}
	call.fabric = argv[optind];
	return answer(&call);
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-info", run(argc, argv), FAILED);
}

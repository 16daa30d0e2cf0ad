// SPDX-License-Identifier: GPL-2.0
/* torus-info: print the fabrics that an ordinary user may see. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <json-c/json.h>

#include "../common/answer.h"
#include "../common/escape.h"
#include "../common/option.h"
#include "../report/print.h"
#include "group_count.h"
#include "json.h"

#define FAILED	1
#define USAGE	2

/**
 * struct info_args - the command line
 * @json: print JSON
 * @pretty: print JSON with line breaks
 * @nodes: print each node
 * @list: print names only
 * @fabric: name of the fabric, or NULL for all fabrics
 */
struct info_args {
	bool json;
	bool pretty;
	bool nodes;
	bool list;
	const char *fabric;
};

#define AT(member)	.offset = offsetof(struct info_args, member)

static const struct option_table table = {
	.name = "torus-info",
	.status = USAGE,
	.usage = "torus-info [OPTION]... [FABRIC]\n"
		 "\n"
		 "Prints the simulated torus machines, or one of them, with their free nodes.\n",
	.words = "@fabric",
	.rows = (const struct option_row[]){
		{ "nodes", 'n', NULL,
		  "also print each node, and which of its FIFO groups you can attach to",
		  AT(nodes) },
		{ "list", 'l', NULL, "print names only", AT(list) },
		{ "json", 'j', NULL, "print one JSON document, a list", AT(json) },
		{ "pretty", 'p', NULL, "print JSON with line breaks", AT(pretty) },
		OPTION_HELP,
		OPTION_VERSION,
		{ },
	},
};

static int info_error(const char *text)
{
	torus_answer_flush();
	torus_escape_message(stderr, "torus-info: %s\n", text);
	return FAILED;
}

static bool print_one(const struct info_args *call, int device,
		      const struct torus_ioc_fabric *fabric, struct json_object *list,
		      struct parse_error *why)
{
	struct json_object *record;
	struct info_census census;

	if (call->list) {
		report_item(list, json_object_new_string(fabric->name), "{.}\n");
		return true;
	}
	if (!info_census_take(&census, device, fabric, why))
		return false;
	record = info_document(&census, call->nodes, list);
	report_item(list, record, INFO_FORM);
	info_census_free(&census);
	return true;
}

static bool print_all(const struct info_args *call, int device, struct json_object *list,
		      struct parse_error *why)
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

static int answer(const struct info_args *call)
{
	struct json_object *list = NULL;
	struct parse_error why;
	int device, status = 0;

	device = query_open(&why);
	if (device < 0)
		return info_error(why.text);
	if (call->json)
		list = json_object_new_array();
	if (!print_all(call, device, list, &why)) {
		status = info_error(why.text);
		json_object_put(list);
	} else if (list) {
		report_print_json(list, call->pretty);
	}
	close(device);
	return status;
}

static int info_run(int argc, char **argv)
{
	struct info_args call = { .fabric = NULL };
	int status = option_read(&table, argc, argv, &call);

	if (!status)
		status = option_word(&table, argc, argv, NULL, &call.fabric);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	return answer(&call);
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-info", info_run(argc, argv), FAILED);
}

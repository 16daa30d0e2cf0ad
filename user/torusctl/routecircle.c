// SPDX-License-Identifier: GPL-2.0
/* The circles of channels that a check of routes has found, or that there is none. */
#include <stdio.h>

#include <json-c/json.h>

#include "../report/report.h"
#include "../words/words.h"
#include "routecircle.h"

#define NODE_TEXT	128	/* bytes that hold a node's coordinates */

/**
 * route_circle_json - add "cycles" and "cycle_paths"
 * @doc: the object
 * @proof: what was found
 * @g: the machine
 * @node_json: how it names its nodes
 */
void route_circle_json(struct json_object *doc, const struct proof *proof,
		       const struct torus_geometry *g, route_node_json *node_json)
{
	struct json_object *paths = json_object_new_array(), *path, *one;
	const struct proof_channel *channel;
	char dir[WORD_DIR_MAX];
	u32 i, count;

	report_add_u64(doc, "cycles", proof->circles);
	for (i = 0; i < proof->circles; i++) {
		path = json_object_new_array();
		channel = proof_circle(proof, i, &count);
		for (; count--; channel++) {
			one = node_json(g, channel->node);
			report_add_text(one, "dir", word_dir_name(channel->dir, dir, sizeof(dir)));
			report_add_u64(one, "vc", channel->vc);
			json_object_array_add(path, one);
		}
		json_object_array_add(paths, path);
	}
	json_object_object_add(doc, "cycle_paths", paths);
}

/**
 * route_circle_text - print the same, a line for each channel; of the first circles
 * @proof: what was found
 * @g: the machine
 * @node_text: how it names its nodes
 */
void route_circle_text(const struct proof *proof, const struct torus_geometry *g,
		       route_node_text *node_text)
{
	char text[NODE_TEXT], dir[WORD_DIR_MAX];
	const struct proof_channel *channel;
	u32 i, count;

	if (!proof->circles)
		puts("no channels can wait for each other in a circle");
	for (i = 0; i < proof->circles && i < ROUTE_CIRCLES_SHOWN; i++) {
		channel = proof_circle(proof, i, &count);
		printf("a circle of %u channels that can wait for each other:\n", count);
		for (; count--; channel++)
			printf("    %s %s vc %u\n",
			       node_text(g, channel->node, text, sizeof(text)),
			       word_dir_name(channel->dir, dir, sizeof(dir)), channel->vc);
	}
	route_circle_more(i, proof->circles, PROOF_CIRCLES);
}

/**
 * route_circle_more - print how many circles were not shown
 * @shown: that were
 * @found: circles that were found
 * @most: as many as are looked for
 */
void route_circle_more(u32 shown, u32 found, u32 most)
{
	if (found > shown)
		printf("and %s%u more\n", found == most ? "at least " : "", found - shown);
}

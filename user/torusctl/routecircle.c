// SPDX-License-Identifier: GPL-2.0
/* The circle of channels that a check of routes has found, or that there is none. */
#include <stdio.h>

#include <json-c/json.h>

#include "../report/report.h"
#include "../words/words.h"
#include "routecircle.h"

#define NODE_TEXT	128	/* bytes that hold a node's coordinates */

/**
 * route_circle_json - add "cycles" and "cycle_path"
 * @doc: where
 * @proof: what was found
 * @g: the machine
 * @node_json: how it names its nodes
 */
void route_circle_json(struct json_object *doc, const struct proof *proof,
		       const struct torus_geometry *g, route_node_json *node_json)
{
	struct json_object *cycle = json_object_new_array();
	char dir[WORD_DIR_MAX];
	u32 i;

	report_add_u64(doc, "cycles", proof->ncycle > 0);
	for (i = 0; i < proof->ncycle; i++) {
		const struct proof_channel *channel = &proof->cycle[i];
		struct json_object *one = node_json(g, channel->node);

		report_add_text(one, "dir", word_dir_name(channel->dir, dir, sizeof(dir)));
		report_add_u64(one, "vc", channel->vc);
		json_object_array_add(cycle, one);
	}
	json_object_object_add(doc, "cycle_path", cycle);
}

/**
 * route_circle_text - print the same, a line for each channel
 * @proof: what was found
 * @g: the machine
 * @node_text: how it names its nodes
 */
void route_circle_text(const struct proof *proof, const struct torus_geometry *g,
		       route_node_text *node_text)
{
	char text[NODE_TEXT], dir[WORD_DIR_MAX];
	u32 i;

	if (!proof->ncycle) {
		puts("no channels can wait for each other in a circle");
		return;
	}
	printf("a circle of %u channels that can wait for each other:\n", proof->ncycle);
	for (i = 0; i < proof->ncycle; i++) {
		const struct proof_channel *channel = &proof->cycle[i];

		printf("    %s %s vc %u\n", node_text(g, channel->node, text, sizeof(text)),
		       word_dir_name(channel->dir, dir, sizeof(dir)), channel->vc);
	}
}

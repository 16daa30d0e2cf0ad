/* SPDX-License-Identifier: GPL-2.0 */
/* One side of a comparison: a fabric with its configuration lines, and their texts. */
#ifndef TORUS_CONFIG_SIDE_H
#define TORUS_CONFIG_SIDE_H

#include "../netlink/fabric.h"
#include "config.h"
#include "ctl.h"

/**
 * struct config_side_line - a line of a side
 * @text: the line as written to a file
 * @line: entry in the configuration
 * @same: true if the other side has the same line
 */
struct config_side_line {
	char *text;
	struct config_line *line;
	bool same;
};

/**
 * struct config_side - a fabric and its configuration lines
 * @fabric: the fabric
 * @there: true if the fabric exists
 * @config: lines of the fabric
 * @lines: array with an entry for each line of @config, in another order
 */
struct config_side {
	struct torus_nl_fabric fabric;
	bool there;
	struct config config;
	struct config_side_line *lines;
};

int config_side_read(struct ctl *ctl, struct torus_nl *nl, const char *name,
		     struct config_side *side);
void config_side_free(struct config_side *side);
bool config_sides_match(struct config_side *a, struct config_side *b);

#endif /* TORUS_CONFIG_SIDE_H */

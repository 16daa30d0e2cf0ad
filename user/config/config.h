/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration of a fabric as lines of torusctl: each line makes or changes one thing. */
#ifndef TORUSCTL_CONFIG_H
#define TORUSCTL_CONFIG_H

#include "../netlink/fabric.h"
#include "ctl.h"

/**
 * enum config_kind - what a line of a configuration is about, in the order of the lines
 */
enum config_kind {
	CONFIG_FABRIC, CONFIG_ROUTE, CONFIG_REG, CONFIG_NODE, CONFIG_JOB, CONFIG_DEAD,
	CONFIG_LINK, CONFIG_FAULT
};

/**
 * struct config_line - a line of a configuration
 * @kind: what it is about
 * @item: a register's offset, a direction
 * @node: index of the node within the fabric; PARSE_ALL: none is named
 * @last: of the same line for several nodes, the last
 * @head: what stands before the node
 * @place: the node as words; "" where none is named
 * @tail: what stands behind it
 */
struct config_line {
	enum config_kind kind;
	uint32_t item;
	uint32_t node;
	uint32_t last;
	char *head;
	char *place;
	char *tail;
};

/**
 * struct config - the configuration of a fabric
 * @lines: its lines, in order
 * @count: number of lines
 * @failed: there was no memory for all
 */
struct config {
	struct config_line *lines;
	size_t count;
	bool failed;
};

int config_read(struct ctl *ctl, const char *name, struct config *config);
void config_join(const struct torus_nl_fabric *fabric, struct config *config);
void config_free(struct config *config);
char *config_text(const struct config_line *line);
bool config_changed(const struct torus_nl_param *param);

#endif /* TORUSCTL_CONFIG_H */

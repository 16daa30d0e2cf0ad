/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration of a fabric as torusctl commands: each line creates or changes one object. */
#ifndef TORUSCTL_CONFIG_H
#define TORUSCTL_CONFIG_H

#include "../netlink/fabric.h"
#include "ctl.h"

/**
 * enum config_kind - the kind of object that a configuration line creates or changes
 *
 * Lines are sorted in the order of these values.
 */
enum config_kind {
	CONFIG_FABRIC, CONFIG_ROUTE, CONFIG_REG, CONFIG_NODE, CONFIG_JOB, CONFIG_DEAD,
	CONFIG_LINK, CONFIG_FAULT
};

/**
 * struct config_line - a line of a configuration
 * @kind: the kind of object
 * @item: CONFIG_REG: offset of the register; CONFIG_JOB: index of the job; CONFIG_LINK: direction;
 *    else 0
 * @node: number of the node; PARSE_ALL if the line names no node or `all`
 * @last: number of the last node if the line is valid for a range of nodes
 * @boot: CONFIG_REG: value of the register at boot
 * @head: text before the node
 * @place: text of the node or nodes; "" if the line names none
 * @tail: text after the node
 */
struct config_line {
	enum config_kind kind;
	uint32_t item;
	uint32_t node;
	uint32_t last;
	uint32_t boot;
	char *head;
	char *place;
	char *tail;
};

/**
 * struct config - the configuration of a fabric
 * @lines: array of lines, sorted
 * @count: number of entries in @lines
 * @failed: true if there was no memory for a line
 */
struct config {
	struct config_line *lines;
	size_t count;
	bool failed;
};

int config_read(struct ctl *ctl, const char *name, struct config *config);
void config_sort(struct config *config);
void config_join(const struct torus_nl_fabric *fabric, struct config *config);
void config_free(struct config *config);
char *config_text(const struct config_line *line);
bool config_changed(const struct torus_nl_param *param);

#endif /* TORUSCTL_CONFIG_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The first arguments of most calls: FABRIC [NODE [DIR]], or a range of nodes. */
#ifndef TORUSCTL_TARGET_H
#define TORUSCTL_TARGET_H

#include "../netlink/fabric.h"
#include "../parse/node.h"
#include "../parse/node_set.h"
#include "../parse/time.h"
#include "../parse/parse.h"
#include "ctl.h"
#include "node_addr.h"

#define TARGET_FABRIC	0		/* FABRIC */
#define TARGET_MAY_NODE	(1u << 0)	/* FABRIC [NODE] */
#define TARGET_NODE	(1u << 1)	/* FABRIC NODE */
#define TARGET_ALL	(1u << 2)	/* NODE and DIR may be the word `all` */
#define TARGET_MAY_DIR	(1u << 3)	/* the direction DIR may follow a node */
#define TARGET_DIR	(1u << 4)	/* the direction DIR must follow a node */
#define TARGET_RANGE	(1u << 5)	/* NODE may be a range, and NODE and DIR the word `all` */

/**
 * struct target - the fabric, node and direction that a call names
 * @name: name of the fabric
 * @fabric: the module's description of the fabric, after target_find()
 * @has_node: true if the call names nodes. The word `all` counts only in a form that has
 *    TARGET_RANGE, but neither TARGET_ALL nor TARGET_MAY_NODE
 * @has_dir: true if the call names one direction
 * @node: number of the node, after target_find(). If there are several nodes, number of the current
 *    node
 * @dir: the direction
 * @place: the node as parsed from its argument
 * @ranged: true if NODE may be a range; then @places is used, and only @all of @place
 * @places: the range of nodes as parsed from its argument
 * @nodes: numbers of the nodes in @places, after target_find()
 */
struct target {
	const char *name;
	struct torus_nl_fabric fabric;
	bool has_node;
	bool has_dir;
	uint32_t node;
	uint32_t dir;
	struct parse_place place;
	bool ranged;
	struct parse_places places;
	struct place_list nodes;
};

/**
 * struct target_change - a change of a node that can be undone
 * @one: function that saves the state of the node in @kept and changes the node
 * @undo: function that restores the node's state from @kept
 * @drop: function that frees memory to which @kept refers; may be NULL
 * @size: size of @kept in bytes; @kept is zeroed before each call of @one
 */
struct target_change {
	int (*one)(struct ctl *ctl, struct target *target, void *arg, void *kept);
	int (*undo)(struct ctl *ctl, struct target *target, void *arg, void *kept);
	void (*drop)(void *kept);
	size_t size;
};

int target_parse(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		 struct target *target);
int target_each(struct ctl *ctl, struct target *target,
		int (*one)(struct ctl *ctl, struct target *target, void *arg), void *arg);
int target_change(struct ctl *ctl, struct target *target, const struct target_change *change,
		  void *arg);
void target_free(struct target *target);
int target_find(struct ctl *ctl, struct target *target);
int target_whole(struct ctl *ctl, struct ctl_args *args, unsigned int form, struct target *target);
uint64_t target_ticks(const struct target *target, const struct parse_time *time);

#endif /* TORUSCTL_TARGET_H */

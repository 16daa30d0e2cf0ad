/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse the description of a Tofu machine, which need not exist: arch tofu shape XxYxZ [KEY
 * VALUE]..
 */
#ifndef TORUS_TORUSCTL_ROUTE_TOFU_SPEC_H
#define TORUS_TORUSCTL_ROUTE_TOFU_SPEC_H

#include <json-c/json.h>

#include "../../route/tofu/walk.h"
#include "../../parse/parse.h"
#include "../../config/ctl.h"

#define TOFU_SPEC_USAGE	"arch tofu shape XxYxZ [mesh DIMS]"
#define TOFU_NODES_MAX		(1u << 20)
/* maximum number of nodes for commands that follow the paths of all pairs */
#define TOFU_PAIRS_NODES_MAX	3072u
#define TOFU_FAULTS_MAX		64u	/* maximum number of faulty nodes or units */

/* Keys of the arguments. A key is an index in tofu_spec.values. */
enum tofu_key {
	TOFU_KEY_SHAPE,
	TOFU_KEY_MESH,
	TOFU_KEY_IN,
	TOFU_KEY_PATH,
	TOFU_KEY_ORDER,
	TOFU_KEY_FAULTY,
	TOFU_KEY_UNITS,
	TOFU_KEY_VCS,
	TOFU_KEY_POLICY,
	TOFU_KEY_AT,
	TOFU_KEY_RANKS,
	TOFU_KEY_SVG,
	TOFU_KEYS,
};

#define TOFU_TAKES(key)		(1u << (key))
#define TOFU_TAKES_MACHINE	(TOFU_TAKES(TOFU_KEY_SHAPE) | TOFU_TAKES(TOFU_KEY_MESH))

/**
 * struct tofu_spec - a machine that the arguments of a command describe
 * @values: by key: the value in the arguments, or NULL
 * @places: arguments without a key, which begin with a digit
 * @nplaces: number of entries in @places
 * @g: geometry of the machine
 * @faulty: indices of the faulty nodes
 * @nfaulty: number of faulty nodes
 * @units: index of one node in each faulty unit
 * @nunits: number of faulty units
 */
struct tofu_spec {
	const char *values[TOFU_KEYS];
	const char *places[2];
	unsigned int nplaces;
	struct torus_geometry g;
	u32 faulty[TOFU_FAULTS_MAX];
	unsigned int nfaulty;
	u32 units[TOFU_FAULTS_MAX];
	unsigned int nunits;
};

#define TOFU_TEXT_MAX	72	/* buffer size for the coordinates of a node as text */

bool tofu_spec_meant(const struct ctl_args *args);
int tofu_spec_parse(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct tofu_spec *target);
int tofu_spec_node(struct ctl *ctl, const struct tofu_spec *target, const char *word,
		   u32 *node);
int tofu_spec_pairs(struct ctl *ctl, const struct tofu_spec *target);

const char *tofu_node_text(const struct torus_geometry *g, u32 node, char *text, size_t size);
struct json_object *tofu_node_json(const struct torus_geometry *g, u32 node);
struct json_object *tofu_list_json(const u32 *numbers, unsigned int count);
void tofu_machine_json(struct json_object *doc, const struct torus_geometry *g);

#endif /* TORUS_TORUSCTL_ROUTE_TOFU_SPEC_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* arch A shape S [KEY VALUE]..: a machine with routing tables that need not exist. */
#ifndef TORUS_TORUSCTL_ROUTE_XT_SPEC_H
#define TORUS_TORUSCTL_ROUTE_XT_SPEC_H

#include "../../route/file/file.h"
#include "../../route/target/target.h"
#include "../../route/xt/survey.h"
#include "../../config/ctl.h"
#include "../../config/node_addr.h"

#define ROUTE_SPEC_USAGE \
	"arch xt shape S [mesh DIMS] [policy P] [datelines X,Y,Z|auto|none]\n" \
	"    [planes N] [ties split|plus] [broken LIST] [absent LIST]"

/* The keys, in the order of their values in struct route_spec. */
enum route_key {
	ROUTE_KEY_SHAPE,
	ROUTE_KEY_MESH,
	ROUTE_KEY_POLICY,
	ROUTE_KEY_DATELINES,
	ROUTE_KEY_PLANES,
	ROUTE_KEY_TIES,
	ROUTE_KEY_BROKEN,
	ROUTE_KEY_ABSENT,
	ROUTE_KEY_TABLE,
	ROUTE_KEY_CABLES,
	ROUTE_KEY_SAMPLES,
	ROUTE_KEY_SEED,
	ROUTE_KEY_SVG,
	ROUTE_KEY_LINKS,
	ROUTE_KEY_FROM,
	ROUTE_KEYS,
};

#define ROUTE_TAKES(key)	(1u << (key))
/* What says what the machine is, and how it is routed. */
#define ROUTE_TAKES_MACHINE	(ROUTE_TAKES(ROUTE_KEY_TABLE) - 1)
#define ROUTE_TAKES_TABLE	(ROUTE_TAKES_MACHINE | ROUTE_TAKES(ROUTE_KEY_TABLE))
#define ROUTE_TAKES_SURVEY	(ROUTE_TAKES_MACHINE | ROUTE_TAKES(ROUTE_KEY_CABLES) | \
				 ROUTE_TAKES(ROUTE_KEY_SAMPLES) | ROUTE_TAKES(ROUTE_KEY_SEED))
/* What is asked of a fabric that is there, and does not say what it is. */
#define ROUTE_TAKES_LIVE	(ROUTE_TAKES(ROUTE_KEY_SVG) | ROUTE_TAKES(ROUTE_KEY_FROM))

/**
 * struct route_spec - a machine as it was typed
 * @values: by key: the word, or NULL
 * @places: nodes that were named beside the keys
 * @nplaces: their number
 * @fabric: the fabric that the machine was read from, if @live
 * @unseen: nodes of it that the caller may not see
 * @live: whether it was
 * @xt: the machine, and its tables after route_spec_tables()
 */
struct route_spec {
	const char *values[ROUTE_KEYS];
	const char *places[2];
	unsigned int nplaces;
	struct torus_nl_fabric fabric;
	struct place_list unseen;
	bool live;
	struct xt_target xt;
};

int route_spec_parse(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		     unsigned int places, struct route_spec *target);
int route_spec_take(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *target);
int route_spec_anew(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *target);
int route_spec_make(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *target);
int route_spec_seen(struct ctl *ctl, const struct route_spec *target, const uint32_t *node);
void route_spec_free(struct route_spec *target);
int route_spec_tables(struct ctl *ctl, struct route_spec *target);
int route_spec_node(struct ctl *ctl, const struct route_spec *target, const char *word,
		    uint32_t *node);
int route_spec_number(struct ctl *ctl, const struct route_spec *target, enum route_key key,
		      uint64_t min, uint64_t max, uint64_t *value);

#endif /* TORUS_TORUSCTL_ROUTE_XT_SPEC_H */

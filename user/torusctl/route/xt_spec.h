/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse the description of a machine with routing tables, which need not exist: arch A shape S [KEY
 * VALUE]..
 */
#ifndef TORUS_TORUSCTL_ROUTE_XT_SPEC_H
#define TORUS_TORUSCTL_ROUTE_XT_SPEC_H

#include "../../route/file/file.h"
#include "../../route/spec/spec.h"
#include "../../route/xt/survey.h"
#include "../../config/ctl.h"
#include "../../config/node_addr.h"

#define ROUTE_SPEC_USAGE \
	"arch xt shape S [mesh DIMS] [policy P] [datelines X,Y,Z|auto|none]\n" \
	"    [planes N] [ties split|plus] [broken LIST] [absent LIST]"

/* Keys of the arguments. A key is an index in route_spec.values. */
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
/*
 * Masks of keys that a command accepts: keys of the machine and its routing; the same with the key
 * of a table file; the same with the keys of a survey's sets.
 */
#define ROUTE_TAKES_MACHINE	(ROUTE_TAKES(ROUTE_KEY_TABLE) - 1)
#define ROUTE_TAKES_TABLE	(ROUTE_TAKES_MACHINE | ROUTE_TAKES(ROUTE_KEY_TABLE))
#define ROUTE_TAKES_SURVEY	(ROUTE_TAKES_MACHINE | ROUTE_TAKES(ROUTE_KEY_CABLES) | \
				 ROUTE_TAKES(ROUTE_KEY_SAMPLES) | ROUTE_TAKES(ROUTE_KEY_SEED))
/* Keys that are accepted together with a fabric whose loaded tables are used. */
#define ROUTE_TAKES_LIVE	(ROUTE_TAKES(ROUTE_KEY_SVG) | ROUTE_TAKES(ROUTE_KEY_FROM))

/**
 * struct route_spec - a machine that the arguments of a command describe
 * @values: by key: the value in the arguments, or NULL
 * @places: nodes that were given without a key
 * @nplaces: number of entries in @places
 * @fabric: fabric from which the machine was read, valid if @live
 * @unseen: nodes of @fabric that the calling user may not see
 * @live: true if the machine was read from a fabric
 * @xt: the map of the machine, and its tables after route_spec_tables()
 */
struct route_spec {
	const char *values[ROUTE_KEYS];
	const char *places[2];
	unsigned int nplaces;
	struct torus_nl_fabric fabric;
	struct place_list unseen;
	bool live;
	struct xt_spec xt;
};

int route_spec_parse(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		     unsigned int places, struct route_spec *spec);
int route_spec_take(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *spec);
int route_spec_anew(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *spec);
int route_spec_make(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *spec);
int route_spec_seen(struct ctl *ctl, const struct route_spec *spec, const uint32_t *node);
void route_spec_free(struct route_spec *spec);
int route_spec_tables(struct ctl *ctl, struct route_spec *spec);
int route_spec_node(struct ctl *ctl, const struct route_spec *spec, const char *word,
		    uint32_t *node);
int route_spec_number(struct ctl *ctl, const struct route_spec *spec, enum route_key key,
		      uint64_t min, uint64_t max, uint64_t *value);

#endif /* TORUS_TORUSCTL_ROUTE_XT_SPEC_H */

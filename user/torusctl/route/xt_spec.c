// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the arguments FABRIC or `arch A shape S [KEY VALUE]..`. Collect all arguments before
 * parsing their values, because the nodes in a list depend on the shape.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "../../machine/machine.h"
#include "../../route/spec/fabric_io.h"
#include "../../config/args.h"
#include "../../config/node_addr.h"
#include "xt_spec.h"
#include "../../config/diag.h"
#include "../../config/tabled.h"
#include "../../config/target.h"
#include "hidden_nodes.h"
#include "tofu_spec.h"
#include "../../route/spec/file.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"

static const char *const key_names[ROUTE_KEYS] = {
	"shape", "mesh", "policy", "datelines", "planes", "ties", "broken", "absent", "table",
	"cables", "samples", "seed", "svg", "links", "from",
};

/* Parse `arch A`. Reject machines whose tables user/route does not compute. */
static int take_arch(struct ctl *ctl, struct ctl_args *args)
{
	char why[TORUS_MACHINE_WHY_MAX];
	const char *arch;

	ctl_next(args);
	arch = ctl_next(args);
	if (!arch)
		return ctl_usage(ctl, "arch: its value is missing");
	if (!strcmp(arch, XT_ARCH))
		return CTL_OK;
	if (!strcmp(arch, TOFU_ARCH))
		return ctl_reject(ctl,
				  "arch tofu: has no routing tables; use route paths, explain, "
				  "check, survey, channels or shapes");
	if (!torus_machine_demand(arch, TORUS_MACHINE_TABLES, why, sizeof(why)))
		return ctl_reject(ctl, "arch %s: no tables are computed for this machine", arch);
	return ctl_reject(ctl, "arch %s: %s", arch, why);
}

static int take_words(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		      unsigned int places, struct route_spec *spec)
{
	const char *word;
	unsigned int key;

	while ((word = ctl_next(args))) {
		if (isdigit((unsigned char)*word)) {
			if (spec->nplaces == places)
				return ctl_usage(ctl, "unexpected argument: %s", word);
			spec->places[spec->nplaces++] = word;
			continue;
		}
		for (key = 0; key < ROUTE_KEYS && strcmp(word, key_names[key]); key++)
			;
		if (key == ROUTE_KEYS)
			return ctl_usage(ctl, "%s: unknown key", word);
		if (!(takes & ROUTE_TAKES(key)))
			return ctl_usage(ctl, "%s: this key is not accepted by %s",
					 word, ctl->command);
		if (spec->values[key])
			return ctl_usage(ctl, "%s: must not be given twice", word);
		spec->values[key] = ctl_next(args);
		if (!spec->values[key])
			return ctl_usage(ctl, "%s: its value is missing", word);
	}
	return CTL_OK;
}

/**
 * route_spec_number - parse the value of a key as a number
 * @spec: the machine
 * @key: key of the arguments, enum route_key
 * @min: least valid value
 * @max: greatest valid value
 * @value: [out] the number; unchanged if the key was not given
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int route_spec_number(struct ctl *ctl, const struct route_spec *spec, enum route_key key,
		      uint64_t min, uint64_t max, uint64_t *value)
{
	struct parse_error why;
	__u64 number;

	if (!spec->values[key])
		return CTL_OK;
	if (!parse_number(key_names[key], spec->values[key], min, max, &number, &why))
		return ctl_reject(ctl, "%s", why.text);
	*value = number;
	return CTL_OK;
}

/**
 * route_spec_node - parse a node of the machine
 * @spec: the machine
 * @word: coordinates, or a NID
 * @node: [out] the node
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int route_spec_node(struct ctl *ctl, const struct route_spec *spec, const char *word, u32 *node)
{
	struct parse_error why;

	return xt_spec_node(&spec->xt, word, node, &why) ? CTL_OK :
	       ctl_reject(ctl, "%s", why.text);
}

/* Create the map of the machine from shape, mesh and planes. All cables are present. */
static int make_map(struct ctl *ctl, struct route_spec *spec)
{
	const char *text = spec->values[ROUTE_KEY_SHAPE];
	struct parse_list shape;
	struct parse_error why;
	uint64_t planes = 0;
	u32 i;
	u32 mesh = 0;
	int status;

	if (!text)
		return ctl_usage(ctl, "the shape is missing");
	if (!parse_shape("shape", text, &shape, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (shape.count > XT_DIMS)
		return ctl_reject(ctl, "shape %s: must have three dimensions for Cray XT", text);
	for (i = shape.count; i < XT_DIMS; i++)
		shape.numbers[i] = 1;
	if (spec->values[ROUTE_KEY_MESH] &&
	    !parse_mesh(spec->values[ROUTE_KEY_MESH], &mesh, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (mesh >> shape.count)
		return ctl_reject(ctl, "mesh %s: must be dimensions of the shape, which has %u",
				  spec->values[ROUTE_KEY_MESH], shape.count);
	status = route_spec_number(ctl, spec, ROUTE_KEY_PLANES, 1, UINT32_MAX, &planes);
	if (status)
		return status;
	return xt_spec_map(&spec->xt, shape.numbers, mesh, (u32)planes, &why) ? CTL_OK :
	       ctl_reject(ctl, "%s", why.text);
}

/* Parse the parameters of the tables: cables, policy, ties and datelines. */
static int take_routes(struct ctl *ctl, struct route_spec *spec)
{
	const char *words[XT_KEYS] = {
		[XT_KEY_POLICY] = spec->values[ROUTE_KEY_POLICY],
		[XT_KEY_DATELINES] = spec->values[ROUTE_KEY_DATELINES],
		[XT_KEY_TIES] = spec->values[ROUTE_KEY_TIES],
		[XT_KEY_BROKEN] = spec->values[ROUTE_KEY_BROKEN],
		[XT_KEY_ABSENT] = spec->values[ROUTE_KEY_ABSENT],
	};
	struct parse_error why;

	return xt_spec_words(&spec->xt, words, &why) ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * route_spec_parse - parse arch A shape S [KEY VALUE].. [NODE]..
 * @takes: mask of ROUTE_TAKES(): keys that are accepted
 * @places: maximum number of nodes without a key
 * @spec: [out] the machine; the caller frees it, even after an error
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int route_spec_parse(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		     unsigned int places, struct route_spec *spec)
{
	struct parse_error why;
	int status;

	memset(spec, 0, sizeof(*spec));
	status = take_arch(ctl, args);
	if (!status)
		status = take_words(ctl, args, takes, places, spec);
	if (!status)
		status = make_map(ctl, spec);
	if (!status)
		status = take_routes(ctl, spec);
	if (status || !spec->values[ROUTE_KEY_TABLE])
		return status;
	/* tables from a file were not computed by rules, so results must not name rules */
	xt_route_free(&spec->xt.route);
	spec->xt.has_route = false;
	if (xt_spec_read(&spec->xt, spec->values[ROUTE_KEY_TABLE], &why))
		return CTL_OK;
	return ctl_reject(ctl, "%s", why.text);
}

static int live_unseen(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		       struct route_spec *spec)
{
	spec->fabric = *fabric;
	spec->live = true;
	return hidden_nodes_find(ctl, fabric, &spec->unseen);
}

/**
 * route_spec_seen - reject the call if the result depends on a node that the caller may not see
 * @spec: machine from route_spec_take()
 * @node: index of a node on the route; NULL: the result depends on all nodes
 *
 * Return: CTL_OK, or CTL_FAILED after an error message that names a hidden node.
 */
int route_spec_seen(struct ctl *ctl, const struct route_spec *spec, const u32 *node)
{
	size_t i;

	for (i = 0; spec->live && i < spec->unseen.count; i++)
		if (!node || xt_map_find(spec->xt.map, spec->unseen.numbers[i]) == *node)
			return hidden_nodes_refuse(ctl, &spec->fabric, spec->unseen.numbers[i]);
	return CTL_OK;
}

/*
 * Parse FABRIC [NODE].., with the keys in the mask @takes, and read the fabric's tables and dead
 * cables.
 */
static int take_fabric(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		       unsigned int places, struct route_spec *spec)
{
	struct target live;
	struct parse_error why;
	int status;

	memset(spec, 0, sizeof(*spec));
	status = target_parse(ctl, args, TARGET_FABRIC, &live);
	while (!status && spec->nplaces < places && args->at < args->count)
		spec->places[spec->nplaces++] = ctl_next(args);
	if (!status)
		status = takes ? take_words(ctl, args, takes, places, spec) : ctl_end(ctl, args);
	if (!status)
		status = target_find(ctl, &live);
	if (!status)
		status = live_unseen(ctl, &live.fabric, spec);
	if (status || (!xt_live_read(ctl->nl, &live.fabric, &spec->xt, &why) &&
		       xt_live_cables(ctl->nl, live.name, &spec->xt, &why)))
		return status;
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

/**
 * route_spec_anew - parse FABRIC [KEY VALUE].. [NODE].., for tables that are to be computed
 * @takes: mask of ROUTE_TAKES(): keys that are accepted. Keys that the fabric determines are
 *    rejected
 * @places: maximum number of nodes without a key
 * @spec: [out] the machine with the fabric's dead cables; the caller frees it, even after an
 * error
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message.
 */
int route_spec_anew(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *spec)
{
	unsigned int own = ROUTE_TAKES(ROUTE_KEY_SHAPE) | ROUTE_TAKES(ROUTE_KEY_MESH) |
			   ROUTE_TAKES(ROUTE_KEY_PLANES);
	struct target live;
	struct parse_error why;
	int status;

	memset(spec, 0, sizeof(*spec));
	status = target_parse(ctl, args, TARGET_FABRIC, &live);
	if (!status)
		status = take_words(ctl, args, takes & ~own, places, spec);
	if (!status)
		status = target_find(ctl, &live);
	if (!status)
		status = live_unseen(ctl, &live.fabric, spec);
	if (!status)
		status = route_spec_seen(ctl, spec, NULL);
	if (status)
		return status;
	if (xt_live_map(&live.fabric, &spec->xt, &why) &&
	    xt_live_cables(ctl->nl, live.name, &spec->xt, &why))
		return take_routes(ctl, spec);
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

/**
 * route_spec_make - parse FABRIC or arch A shape S .., for tables that are to be computed
 * @takes: mask of ROUTE_TAKES(): keys that are accepted
 * @places: maximum number of nodes without a key
 * @spec: [out] the machine; the caller frees it, even after an error
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message.
 */
int route_spec_make(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *spec)
{
	return route_spec_meant(args) ? route_spec_parse(ctl, args, takes, places, spec) :
					  route_spec_anew(ctl, args, takes, places, spec);
}

/**
 * route_spec_take - parse FABRIC, with its loaded tables, or arch A shape S ..
 * @takes: mask of ROUTE_TAKES(): keys that are accepted; with a fabric only those of
 *    ROUTE_TAKES_LIVE
 * @places: maximum number of nodes without a key
 * @spec: [out] the machine; the caller frees it, even after an error
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message.
 */
int route_spec_take(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		    unsigned int places, struct route_spec *spec)
{
	return route_spec_meant(args) ? route_spec_parse(ctl, args, takes, places, spec) :
					  take_fabric(ctl, args, takes & ROUTE_TAKES_LIVE, places,
						      spec);
}

/**
 * route_spec_free - free the memory of a described machine
 * @spec: the machine
 */
void route_spec_free(struct route_spec *spec)
{
	free(spec->unseen.numbers);
	spec->unseen = (struct place_list){ .count = 0 };
	xt_spec_free(&spec->xt);
}

/**
 * route_spec_tables - compute the tables of a machine, unless they were loaded from a file or a
 * fabric
 * @spec: [in, out] the machine; its tables are filled in
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int route_spec_tables(struct ctl *ctl, struct route_spec *spec)
{
	struct parse_error why;

	if (spec->xt.tables || xt_spec_compute(&spec->xt, &why))
		return CTL_OK;
	ctl_error(ctl, "%s", why.text);
	return CTL_FAILED;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl route check, survey and channels for a Tofu machine: follow the paths of all pairs of
 * nodes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../report/json.h"
#include "../../route/tofu/check.h"
#include "../../route/tofu/link_load.h"
#include "../../route/tofu/names.h"
#include "../../route/tofu/survey.h"
#include "../../parse/shape.h"
#include "core/base/node_number.h"
#include "../print/output.h"
#include "cycle.h"
#include "tofu_check.h"
#include "../../config/diag.h"

static int no_memory(struct ctl *ctl)
{
	ctl_error(ctl, "out of memory");
	return CTL_FAILED;
}

static const char check_form[] =
	"{pairs} pairs, {distinct_relays} of them by twelve relays\n"
	"{paths} paths by both orders of the axes, {links_each%.4g} links each, "
	"the longest {longest}\n"
	"{#broken}{?.}not {@}: {.} paths, e.g. {from.coords} -> {to.coords} path {path} "
	"order {order}\n{/}{/}" ROUTE_CIRCLE_FORM;

/* Add the members that only the text output shows to the record of a check. */
static void add_text(struct json_object *doc, const struct torus_geometry *g,
		     const struct tofu_check *check)
{
	report_add_double(doc, "links_each", (double)check->hops / check->paths);
	if (tofu_check_clean(check))
		return;
	json_object_object_add(doc, "from", tofu_node_json(g, check->bad[0]));
	json_object_object_add(doc, "to", tofu_node_json(g, check->bad[1]));
	report_add_u64(doc, "path", check->bad[2]);
	report_add_text(doc, "order", tofu_order_name(check->bad[3]));
}

static void check_print(struct ctl *ctl, const struct torus_geometry *g,
			const struct tofu_check *check)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *broken = json_object_new_object();
	u32 i;

	tofu_machine_json(doc, g);
	report_add_u64(doc, "pairs", check->pairs);
	report_add_u64(doc, "paths", check->paths);
	report_add_u64(doc, "hops", check->hops);
	report_add_u64(doc, "longest", check->longest);
	report_add_u64(doc, "distinct_relays", check->relays);
	for (i = 0; i < TOFU_RULES; i++)
		report_add_u64(broken, tofu_rule_name(i), check->broken[i]);
	json_object_object_add(doc, "broken", broken);
	route_cycle_json(ctl, doc, &check->cdg, g, tofu_node_json);
	if (!ctl->json)
		add_text(doc, g, check);
	output_answer(ctl, doc, check_form);
}

/**
 * route_tofu_check - run torusctl route check arch tofu ..
 * @args: the machine; with `vcs one`, each order of the axes has a single VC
 *
 * Return: CTL_OK if every path follows the rules and no deadlock is possible, otherwise CTL_FAILED;
 * CTL_USAGE or CTL_FAILED after an error message.
 */
int route_tofu_check(struct ctl *ctl, struct ctl_args *args)
{
	struct tofu_spec target;
	struct tofu_check check;
	const char *vcs;
	bool clean;
	int status = tofu_spec_parse(ctl, args, TOFU_TAKES_MACHINE | TOFU_TAKES(TOFU_KEY_VCS),
				     0, &target);

	if (!status)
		status = tofu_spec_pairs(ctl, &target);
	if (status)
		return status;
	vcs = target.values[TOFU_KEY_VCS];
	if (vcs && strcmp(vcs, "one") && strcmp(vcs, "two"))
		return ctl_reject(ctl, "vcs %s: must be one or two for each order", vcs);
	if (tofu_check_init(&check, &target.g)) {
		tofu_check_free(&check);
		return no_memory(ctl);
	}
	tofu_check_run(&check, &target.g, vcs && !strcmp(vcs, "one"));
	check_print(ctl, &target.g, &check);
	clean = tofu_check_clean(&check);
	tofu_check_free(&check);
	return clean ? CTL_OK : CTL_FAILED;
}

/**
 * route_tofu_survey - run torusctl route survey arch tofu ..: mark each unit dead in turn
 * @args: the machine
 *
 * Return: CTL_OK if every pair of living nodes keeps a path without dead nodes, otherwise
 * CTL_FAILED; CTL_USAGE or CTL_FAILED after an error message.
 */
int route_tofu_survey(struct ctl *ctl, struct ctl_args *args)
{
	struct tofu_survey survey;
	struct tofu_spec target;
	struct json_object *doc;
	int status = tofu_spec_parse(ctl, args, TOFU_TAKES_MACHINE, 0, &target);

	if (!status)
		status = tofu_spec_pairs(ctl, &target);
	if (status)
		return status;
	if (tofu_survey_run(&survey, &target.g))
		return no_memory(ctl);
	doc = json_object_new_object();
	tofu_machine_json(doc, &target.g);
	report_add_u64(doc, "units", survey.units);
	report_add_u64(doc, "pairs", survey.pairs);
	report_add_u64(doc, "changed", survey.changed);
	report_add_u64(doc, "lost", survey.lost);
	if (!ctl->json && survey.lost) {
		json_object_object_add(doc, "unit", tofu_node_json(&target.g, survey.unit));
		json_object_object_add(doc, "from", tofu_node_json(&target.g, survey.from));
		json_object_object_add(doc, "to", tofu_node_json(&target.g, survey.to));
	}
	output_answer(ctl, doc, "{units} units removed one after the other: {pairs} pairs of live "
		      "nodes, {changed} use another path, {lost} have no path\n{?lost}e.g. unit "
		      "of {unit.coords}, {from.coords} -> {to.coords}\n{/}");
	return survey.lost ? CTL_FAILED : CTL_OK;
}

/*
 * Convert a load to packets. The unit of a load is 1/12 packet, because a pair of nodes has twelve
 * paths.
 */
static double packets(u64 twelfths)
{
	return (double)twelfths / TOFU_PATHS;
}

static struct json_object *share_json(const struct tofu_loads *loads,
				      const struct torus_geometry *g, u32 axis, u32 vc)
{
	struct json_object *one = json_object_new_object();
	struct tofu_share share;

	tofu_loads_share(loads, g, axis, vc, &share);
	report_add_double(one, "packets", packets(share.sum));
	report_add_double(one, "mean", share.links ? packets(share.sum) / share.links : NAN);
	report_add_double(one, "max", share.links ? packets(share.most) : NAN);
	return one;
}

static const char channels_form[] =
	"one packet from each node to each other, path={policy}: {packets} packets, "
	"{hops_mean%.6g} links each\npackets per link\n"
	"           vc 0       vc 1       vc 2       vc 3       mean       most\n"
	"{#axes}   {@}{#vc} {mean%10.6g}{/} {link.mean%10.6g} {link.max%10.6g}\n{/}";

static void channels_print(struct ctl *ctl, const struct torus_geometry *g,
			   enum tofu_policy policy, const struct tofu_loads *loads)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *axes = json_object_new_object();
	char name[PARSE_DIM_MAX], key[8];
	struct tofu_share share;
	u32 axis, vc;

	tofu_machine_json(doc, g);
	report_add_text(doc, "policy", tofu_policy_name(policy));
	report_add_u64(doc, "packets", loads->packets);
	report_add_double(doc, "hops_mean", packets(loads->hops) / loads->packets);
	for (axis = 0; axis < TOFU_AXES; axis++) {
		struct json_object *one = json_object_new_object();
		struct json_object *vcs = json_object_new_object();

		tofu_loads_share(loads, g, axis, TOFU_VCS, &share);
		report_add_u64(one, "links", share.links);
		json_object_object_add(one, "link", share_json(loads, g, axis, TOFU_VCS));
		for (vc = 0; vc < TOFU_VCS; vc++) {
			snprintf(key, sizeof(key), "%u", vc);
			json_object_object_add(vcs, key, share_json(loads, g, axis, vc));
		}
		json_object_object_add(one, "vc", vcs);
		json_object_object_add(axes, parse_dim_name(axis, name, sizeof(name)), one);
	}
	json_object_object_add(doc, "axes", axes);
	output_answer(ctl, doc, channels_form);
}

/**
 * route_channels - run torusctl route channels arch tofu .. [policy P]
 * @args: the machine, and the policy that selects paths
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int route_channels(struct ctl *ctl, struct ctl_args *args)
{
	enum tofu_policy policy = TOFU_FIXED;
	struct tofu_spec target;
	struct tofu_loads loads;
	const char *word;
	int status = tofu_spec_parse(ctl, args,
				     TOFU_TAKES_MACHINE | TOFU_TAKES(TOFU_KEY_POLICY), 0,
				     &target);

	if (!status)
		status = tofu_spec_pairs(ctl, &target);
	if (status)
		return status;
	word = target.values[TOFU_KEY_POLICY];
	for (; word && policy < TOFU_POLICIES && strcmp(word, tofu_policy_name(policy)); policy++)
		;
	if (policy == TOFU_POLICIES)
		return ctl_reject(ctl, "policy %s: must be fixed, hash or roundrobin", word);
	if (tofu_loads_init(&loads, &target.g))
		return no_memory(ctl);
	tofu_loads_run(&loads, &target.g, policy);
	channels_print(ctl, &target.g, policy, &loads);
	tofu_loads_free(&loads);
	return CTL_OK;
}

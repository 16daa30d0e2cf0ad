// SPDX-License-Identifier: GPL-2.0
/* torusctl route check, survey and channels of a Tofu machine: all pairs, all paths. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../route/tofu/check.h"
#include "core/base/number.h"
#include "output.h"
#include "routecircle.h"
#include "routetofu.h"

static int no_memory(struct ctl *ctl)
{
	ctl_tell(ctl, "no memory");
	return CTL_FAILED;
}

static void check_json(struct ctl *ctl, const struct torus_geometry *g,
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
	route_circle_json(doc, &check->proof, g, tofu_node_json);
	output_json(ctl, doc);
}

static void check_text(const struct torus_geometry *g, const struct tofu_check *check)
{
	char node[TOFU_TEXT_MAX], to[TOFU_TEXT_MAX];
	u32 i;

	printf("%llu pairs, %llu of them by twelve relays\n", check->pairs, check->relays);
	printf("%llu paths by both orders of the axes, %.4g links each, the longest %u\n",
	       check->paths, (double)check->hops / check->paths, check->longest);
	for (i = 0; i < TOFU_RULES; i++)
		if (check->broken[i])
			printf("not %s: %llu paths, for one %s -> %s path %u order %s\n",
			       tofu_rule_name(i), check->broken[i],
			       tofu_node_text(g, check->bad[0], node, sizeof(node)),
			       tofu_node_text(g, check->bad[1], to, sizeof(to)), check->bad[2],
			       tofu_order_name(check->bad[3]));
	route_circle_text(&check->proof, g, tofu_node_text);
}

/**
 * route_tofu_check - torusctl route check arch tofu ..
 * @ctl: the call
 * @args: the machine; vcs one: as if each order had a single VC
 *
 * Return: CTL_OK if every path holds its rules and nothing can deadlock, CTL_FAILED if not;
 * CTL_USAGE.
 */
int route_tofu_check(struct ctl *ctl, struct ctl_args *args)
{
	struct tofu_target target;
	struct tofu_check check;
	const char *vcs;
	bool clean;
	int status = tofu_target_parse(ctl, args, TOFU_TAKES_MACHINE | TOFU_TAKES(TOFU_KEY_VCS),
				       0, &target);

	if (!status)
		status = tofu_target_pairs(ctl, &target);
	if (status)
		return status;
	vcs = target.values[TOFU_KEY_VCS];
	if (vcs && strcmp(vcs, "one") && strcmp(vcs, "two"))
		return ctl_bad(ctl, "vcs %s: neither one nor two for each order", vcs);
	if (tofu_check_init(&check, &target.g)) {
		tofu_check_free(&check);
		return no_memory(ctl);
	}
	tofu_check_run(&check, &target.g, vcs && !strcmp(vcs, "one"));
	if (ctl->json)
		check_json(ctl, &target.g, &check);
	else
		check_text(&target.g, &check);
	clean = tofu_check_clean(&check);
	tofu_check_free(&check);
	return clean ? CTL_OK : CTL_FAILED;
}

/**
 * route_tofu_survey - torusctl route survey arch tofu ..: each unit out in turn
 * @ctl: the call
 * @args: the machine
 *
 * Return: CTL_OK if every living pair keeps a clean path, CTL_FAILED if not; CTL_USAGE.
 */
int route_tofu_survey(struct ctl *ctl, struct ctl_args *args)
{
	char unit[TOFU_TEXT_MAX], from[TOFU_TEXT_MAX], to[TOFU_TEXT_MAX];
	struct tofu_survey survey;
	struct tofu_target target;
	struct json_object *doc;
	int status = tofu_target_parse(ctl, args, TOFU_TAKES_MACHINE, 0, &target);

	if (!status)
		status = tofu_target_pairs(ctl, &target);
	if (status)
		return status;
	if (tofu_survey_run(&survey, &target.g))
		return no_memory(ctl);
	if (ctl->json) {
		doc = json_object_new_object();
		tofu_machine_json(doc, &target.g);
		report_add_u64(doc, "units", survey.units);
		report_add_u64(doc, "pairs", survey.pairs);
		report_add_u64(doc, "changed", survey.changed);
		report_add_u64(doc, "lost", survey.lost);
		output_json(ctl, doc);
	} else {
		printf("%llu units out, one after the other: %llu pairs of living nodes, %llu on "
		       "another path, %llu without one\n", survey.units, survey.pairs,
		       survey.changed, survey.lost);
		if (survey.lost)
			printf("for one: unit of %s, %s -> %s\n",
			       tofu_node_text(&target.g, survey.unit, unit, sizeof(unit)),
			       tofu_node_text(&target.g, survey.from, from, sizeof(from)),
			       tofu_node_text(&target.g, survey.to, to, sizeof(to)));
	}
	return survey.lost ? CTL_FAILED : CTL_OK;
}

/* Twelfths of a packet as packets. */
static double packets(u64 twelfths)
{
	return (double)twelfths / TOFU_PATHS;
}

static void share_print(const struct tofu_loads *loads, const struct torus_geometry *g, u32 axis,
			u32 vc, struct json_object *doc, const char *key)
{
	struct json_object *one;
	struct tofu_share share;

	tofu_loads_share(loads, g, axis, vc, &share);
	if (!doc && !share.links) {
		printf(" %10s", "-");
		if (vc == TOFU_VCS)
			printf(" %10s", "-");
		return;
	}
	if (!doc) {
		printf(" %10.6g", packets(share.sum) / share.links);
		if (vc == TOFU_VCS)
			printf(" %10.6g", packets(share.most));
		return;
	}
	one = json_object_new_object();
	report_add_double(one, "packets", packets(share.sum));
	report_add_double(one, "mean", share.links ? packets(share.sum) / share.links : NAN);
	report_add_double(one, "max", share.links ? packets(share.most) : NAN);
	json_object_object_add(doc, key, one);
}

static void channels_json(struct ctl *ctl, const struct torus_geometry *g,
			  enum tofu_policy policy, const struct tofu_loads *loads)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *axes = json_object_new_object();
	char name[WORD_DIM_MAX], key[8];
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
		share_print(loads, g, axis, TOFU_VCS, one, "link");
		for (vc = 0; vc < TOFU_VCS; vc++) {
			snprintf(key, sizeof(key), "%u", vc);
			share_print(loads, g, axis, vc, vcs, key);
		}
		json_object_object_add(one, "vc", vcs);
		json_object_object_add(axes, word_dim_name(axis, name, sizeof(name)), one);
	}
	json_object_object_add(doc, "axes", axes);
	output_json(ctl, doc);
}

static void channels_text(const struct torus_geometry *g, enum tofu_policy policy,
			  const struct tofu_loads *loads)
{
	char name[WORD_DIM_MAX];
	u32 axis, vc;

	printf("a packet of each node to each other, path=%s: %llu packets, %.6g links each\n",
	       tofu_policy_name(policy), loads->packets,
	       packets(loads->hops) / loads->packets);
	puts("packets a link");
	printf("%4s %10s %10s %10s %10s %10s %10s\n", "", "vc 0", "vc 1", "vc 2", "vc 3", "mean",
	       "most");
	for (axis = 0; axis < TOFU_AXES; axis++) {
		printf("%4s", word_dim_name(axis, name, sizeof(name)));
		for (vc = 0; vc <= TOFU_VCS; vc++)
			share_print(loads, g, axis, vc, NULL, NULL);
		putchar('\n');
	}
}

/**
 * route_channels - torusctl route channels arch tofu .. [policy P]
 * @ctl: the call
 * @args: the machine, and who takes which path
 *
 * Return: CTL_OK, CTL_FAILED or CTL_USAGE after telling what is wrong.
 */
int route_channels(struct ctl *ctl, struct ctl_args *args)
{
	enum tofu_policy policy = TOFU_FIXED;
	struct tofu_target target;
	struct tofu_loads loads;
	const char *word;
	int status = tofu_target_parse(ctl, args,
				       TOFU_TAKES_MACHINE | TOFU_TAKES(TOFU_KEY_POLICY), 0,
				       &target);

	if (!status)
		status = tofu_target_pairs(ctl, &target);
	if (status)
		return status;
	word = target.values[TOFU_KEY_POLICY];
	for (; word && policy < TOFU_POLICIES && strcmp(word, tofu_policy_name(policy)); policy++)
		;
	if (policy == TOFU_POLICIES)
		return ctl_bad(ctl, "policy %s: none of fixed, hash, roundrobin", word);
	if (tofu_loads_init(&loads, &target.g))
		return no_memory(ctl);
	tofu_loads_run(&loads, &target.g, policy);
	if (ctl->json)
		channels_json(ctl, &target.g, policy, &loads);
	else
		channels_text(&target.g, policy, &loads);
	tofu_loads_free(&loads);
	return CTL_OK;
}

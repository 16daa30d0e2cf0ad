// SPDX-License-Identifier: GPL-2.0
/* Parse the arguments of a workload, which are options of `torus-sim run`. */
#include <stdint.h>
#include <string.h>

#include "traffic_args.h"
#include "../../config/param.h"
#include "../../config/node_addr.h"
#include "../../config/diag.h"
#include "../../config/target.h"
#include "../../parse/name.h"
#include "../../parse/integer.h"
#include "../../parse/pair_file.h"
#include "../../parse/pattern.h"
#include "../../parse/time.h"
#include "../../parse/workload.h"

#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000

/* Parse KEY=VALUE of option --set, a parameter of the workload or of the fabric. */
static int args_set(struct ctl *ctl, struct traffic_args *wanted, const char *pair)
{
	char key[TORUS_NL_KEY_MAX];
	struct parse_error why;
	const char *word;
	bool taken;

	if (!parse_pair(pair, key, sizeof(key), &word))
		return ctl_reject(ctl, "--set %s: must be KEY=VALUE", pair);
	if (!parse_workload_set(&wanted->load, key, word, &taken, &why))
		return ctl_reject(ctl, "--set %s", why.text);
	if (taken)
		return CTL_OK;
	if (wanted->nparams == TORUS_NL_PARAMS_MAX)
		return ctl_reject(ctl, "--set %s: must be at most %d parameters", pair,
				  TORUS_NL_PARAMS_MAX);
	if (!param_word(key, word, &wanted->params[wanted->nparams], &why))
		return ctl_reject(ctl, "--set %s", why.text);
	wanted->nparams++;
	return CTL_OK;
}

/**
 * traffic_args_option - parse an option of a workload
 * @wanted: [in, out] the arguments so far
 * @option: name of the option, such as "--load"
 * @word: value of the option; must stay valid as long as @wanted
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int traffic_args_option(struct ctl *ctl, struct traffic_args *wanted, const char *option,
			const char *word)
{
	struct torus_traffic *traffic = &wanted->load.traffic;
	struct parse_error why;
	bool good;

	if (!strcmp(option, "--set"))
		return args_set(ctl, wanted, word);
	if (!strcmp(option, "--pattern")) {
		good = parse_workload_pattern(&wanted->load, word, &why);
	} else if (!strcmp(option, "--load")) {
		wanted->has_load = true;
		good = parse_load("load", word, &traffic->load, &why);
	} else if (!strcmp(option, "--packets")) {
		wanted->has_packets = true;
		good = parse_number("packets", word, 1, UINT64_MAX, &traffic->packets, &why);
	} else if (!strcmp(option, "--size")) {
		good = parse_sizes(word, &traffic->size_min, &traffic->size_max, &why);
	} else if (!strcmp(option, "--cycles")) {
		wanted->has_cycles = true;
		good = parse_time("cycles", word, &wanted->cycles, &why);
	} else if (!strcmp(option, "--warmup")) {
		wanted->has_warmup = true;
		good = parse_time("warmup", word, &wanted->warmup, &why);
	} else if (!strcmp(option, "--seed")) {
		wanted->has_seed = true;
		good = parse_number("seed", word, 0, UINT64_MAX, &wanted->seed, &why);
	} else {
		return ctl_usage(ctl, "unknown option: %s", option);
	}
	return good ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * traffic_args_check - check that the options describe a complete workload
 * @wanted: all arguments
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int traffic_args_check(struct ctl *ctl, const struct traffic_args *wanted)
{
	struct parse_error why;

	if (!wanted->load.pattern)
		return ctl_usage(ctl, "--pattern is missing");
	if (!parse_workload_loop(wanted->has_load, wanted->has_packets, wanted->has_cycles,
				 wanted->has_warmup, &why))
		return ctl_usage(ctl, "%s", why.text);
	if (wanted->has_cycles && !wanted->cycles.ticks && !wanted->cycles.fs)
		return ctl_reject(ctl, "cycles 0: must be more than 0");
	return CTL_OK;
}

/**
 * traffic_args_finish - complete a workload once the tick and the shape of its fabric are known
 * @wanted: [in, out] arguments after target_find(); the workload is completed, and the caller frees
 * its pairs
 *
 * Return: CTL_OK, or CTL_USAGE after an error message.
 */
int traffic_args_finish(struct ctl *ctl, struct traffic_args *wanted)
{
	const struct torus_nl_fabric *fabric = &wanted->target.fabric;
	const struct torus_machine_shape shape = place_shape(fabric);
	struct torus_traffic *traffic = &wanted->load.traffic;
	struct parse_error why;

	parse_workload_size(&wanted->load, torus_machine_find(fabric->arch));
	if (!parse_workload_finish(&wanted->load, torus_machine_find(fabric->arch), &shape, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (traffic->pattern == TORUS_PATTERN_TABLE &&
	    !parse_pairs_read(&wanted->pairs, parse_pattern_file(wanted->load.pattern),
			      torus_machine_find(fabric->arch), &shape, fabric->nodes, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (wanted->has_load) {
		traffic->cycles = wanted->has_cycles ?
			target_ticks(&wanted->target, &wanted->cycles) : CYCLES_DEFAULT;
		traffic->warmup = wanted->has_warmup ?
			target_ticks(&wanted->target, &wanted->warmup) : WARMUP_DEFAULT;
	}
	return CTL_OK;
}

// SPDX-License-Identifier: GPL-2.0
/* A workload as it is typed, with the options of `torus-sim run`. */
#include <stdint.h>
#include <string.h>

#include "order.h"
#include "../../config/param.h"
#include "../../config/place.h"
#include "../../config/diag.h"
#include "../../config/target.h"
#include "../../words/key.h"
#include "../../words/number.h"
#include "../../words/pairs.h"
#include "../../words/pattern.h"
#include "../../words/time.h"
#include "../../words/workload.h"

#define CYCLES_DEFAULT	100000
#define WARMUP_DEFAULT	20000

/* KEY=VALUE of --set: some belong to the workload, the others to the fabric. */
static int order_set(struct ctl *ctl, struct order *order, const char *pair)
{
	char key[TORUS_NL_KEY_MAX];
	struct word_why why;
	const char *word;
	bool taken;

	if (!word_pair(pair, key, sizeof(key), &word))
		return ctl_reject(ctl, "--set %s: not KEY=VALUE", pair);
	if (!word_workload_set(&order->load, key, word, &taken, &why))
		return ctl_reject(ctl, "--set %s", why.text);
	if (taken)
		return CTL_OK;
	if (order->nparams == TORUS_NL_PARAMS_MAX)
		return ctl_reject(ctl, "--set %s: more than %d parameters", pair,
				  TORUS_NL_PARAMS_MAX);
	if (!param_word(key, word, &order->params[order->nparams], &why))
		return ctl_reject(ctl, "--set %s", why.text);
	order->nparams++;
	return CTL_OK;
}

/**
 * order_option - an option of a workload as it was typed
 * @ctl: the call
 * @order: gets it
 * @option: "--load" ..
 * @word: its value, which stays as long
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int order_option(struct ctl *ctl, struct order *order, const char *option, const char *word)
{
	struct torus_traffic *traffic = &order->load.traffic;
	struct word_why why;
	bool good;

	if (!strcmp(option, "--set"))
		return order_set(ctl, order, word);
	if (!strcmp(option, "--pattern")) {
		good = word_workload_pattern(&order->load, word, &why);
	} else if (!strcmp(option, "--load")) {
		order->has_load = true;
		good = word_load("load", word, &traffic->load, &why);
	} else if (!strcmp(option, "--packets")) {
		order->has_packets = true;
		good = word_number("packets", word, 1, UINT64_MAX, &traffic->packets, &why);
	} else if (!strcmp(option, "--size")) {
		good = word_sizes(word, &traffic->size_min, &traffic->size_max, &why);
	} else if (!strcmp(option, "--cycles")) {
		order->has_cycles = true;
		good = word_time("cycles", word, &order->cycles, &why);
	} else if (!strcmp(option, "--warmup")) {
		order->has_warmup = true;
		good = word_time("warmup", word, &order->warmup, &why);
	} else if (!strcmp(option, "--seed")) {
		order->has_seed = true;
		good = word_number("seed", word, 0, UINT64_MAX, &order->seed, &why);
	} else {
		return ctl_usage(ctl, "%s: there is no such option", option);
	}
	return good ? CTL_OK : ctl_reject(ctl, "%s", why.text);
}

/**
 * order_check - do the options make a workload?
 * @ctl: the call
 * @order: with all of them
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int order_check(struct ctl *ctl, const struct order *order)
{
	struct word_why why;

	if (!order->load.pattern)
		return ctl_usage(ctl, "--pattern is missing");
	if (!word_workload_loop(order->has_load, order->has_packets, order->has_cycles,
				order->has_warmup, &why))
		return ctl_usage(ctl, "%s", why.text);
	if (order->has_cycles && !order->cycles.ticks && !order->cycles.fs)
		return ctl_reject(ctl, "cycles 0: nothing would be measured");
	return CTL_OK;
}

/**
 * order_finish - what needs the fabric: lengths of ticks, the number of dimensions
 * @ctl: the call
 * @order: whose target has been found; gets the workload, and pairs that are to be freed
 *
 * Return: CTL_OK or CTL_USAGE.
 */
int order_finish(struct ctl *ctl, struct order *order)
{
	const struct torus_nl_fabric *fabric = &order->target.fabric;
	const struct torus_machine_shape shape = place_shape(fabric);
	struct torus_traffic *traffic = &order->load.traffic;
	struct word_why why;

	word_workload_size(&order->load, torus_machine_find(fabric->arch));
	if (!word_workload_finish(&order->load, torus_machine_find(fabric->arch), &shape, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (traffic->pattern == TORUS_PATTERN_TABLE &&
	    !word_pairs_read(&order->pairs, word_pattern_file(order->load.pattern),
			     torus_machine_find(fabric->arch), &shape, fabric->nodes, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (order->has_load) {
		traffic->cycles = order->has_cycles ?
			target_ticks(&order->target, &order->cycles) : CYCLES_DEFAULT;
		traffic->warmup = order->has_warmup ?
			target_ticks(&order->target, &order->warmup) : WARMUP_DEFAULT;
	}
	return CTL_OK;
}

// SPDX-License-Identifier: GPL-2.0
/* torusctl counter: print and reset the counters of a fabric, its links and its TNIs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/counter.h"
#include "../netlink/tni.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "print/drop.h"
#include "print/link.h"
#include "objects.h"
#include "openmetrics.h"
#include "print/output.h"
#include "../config/node_addr.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "uapi_tables.h"
#include "../report/json.h"
#include "../report/tni.h"
#include "../parse/integer.h"

#define OPENMETRICS	"--openmetrics"
#define HOP_BUCKETS	ARRAY_SIZE(((struct torus_fabric_counters *)0)->hop_packets)

/* Return the quotient, or NAN if nothing was measured. */
static double mean(uint64_t above, uint64_t below)
{
	return below ? (double)above / below : NAN;
}

static uint64_t drop_sum(const struct torus_fabric_counters *counters)
{
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < TORUS_DROP_MAX; i++)
		total += counters->dropped[i];
	return total;
}

/* Add a time to a record, in ticks and in nanoseconds. If @ticks is NAN, add null. */
static void add_ticks(struct json_object *object, const char *name, uint64_t tick_fs, double ticks,
		      bool whole)
{
	char key[32];

	snprintf(key, sizeof(key), "%s_ticks", name);
	if (whole && isfinite(ticks))
		report_add_u64(object, key, (uint64_t)ticks);
	else
		report_add_double(object, key, ticks);
	snprintf(key, sizeof(key), "%s_ns", name);
	report_add_double(object, key, output_ns(tick_fs, ticks));
}

static struct json_object *hops_json(const struct torus_fabric_counters *counters)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < HOP_BUCKETS; i++) {
		struct json_object *one;

		if (!counters->hop_packets[i])
			continue;
		one = json_object_new_object();
		report_add_u64(one, "hops", i);
		report_add_bool(one, "or_more", i == HOP_BUCKETS - 1);
		report_add_u64(one, "packets", counters->hop_packets[i]);
		add_ticks(one, "latency_mean", counters->tick_fs,
			  mean(counters->hop_latency_sum[i], counters->hop_packets[i]), false);
		add_ticks(one, "latency_max", counters->tick_fs, counters->hop_latency_max[i],
			  true);
		json_object_array_add(list, one);
	}
	return list;
}

/*
 * Add a counter. Counters of packets are members of an inner object. In the text, they are in one
 * line, and all other counters are in another line.
 */
#define ADD(name, unit, ...)	report_add_u64(strcmp(unit, "packets") ? object : packets, #name, \
				       counters->name);
#define FORM(name, unit, ...)	"{+" #name "} " #name " {" #name "}{/}"

static struct json_object *fabric_counters_json(const struct torus_nl_fabric *fabric,
						const struct torus_fabric_counters *counters)
{
	struct json_object *object = json_object_new_object();
	struct json_object *packets = json_object_new_object();
	struct json_object *dropped = json_object_new_object();
	struct json_object *latency = json_object_new_object();
	struct json_object *hops = json_object_new_object();
	char name[DROP_NAME_MAX];
	unsigned int i;

	TORUS_EACH_FABRIC_COUNTER(ADD)
	report_add_u64(packets, "dropped", drop_sum(counters));
	for (i = 0; i < TORUS_DROP_MAX; i++)
		if (drop_name(fabric->drops, i, name))
			report_add_u64(dropped, name, counters->dropped[i]);
	add_ticks(latency, "mean", counters->tick_fs,
		  mean(counters->latency_sum, counters->delivered), false);
	add_ticks(latency, "max", counters->tick_fs,
		  counters->delivered ? counters->latency_max : NAN, true);
	report_add_u64(hops, "total", counters->hops_total);
	report_add_double(hops, "mean", mean(counters->hops_delivered, counters->delivered));
	if (counters->delivered)
		report_add_u64(hops, "max", counters->hops_max);
	else
		json_object_object_add(hops, "max", NULL);

	report_add_u64(object, "clock", counters->clock);
	report_add_double(object, "clock_ns", output_ns(counters->tick_fs, counters->clock));
	report_add_u64(object, "tick_fs", counters->tick_fs);
	json_object_object_add(object, "packets", packets);
	json_object_object_add(object, "dropped", dropped);
	json_object_object_add(object, "latency", latency);
	json_object_object_add(object, "hops", hops);
	json_object_object_add(object, "by_hops", hops_json(counters));
	report_add_hash(object, "delivery_hash", counters->hash);
	return object;
}

static const char counters_form[] =
	"{fabric}: clock {clock} ticks ({clock_ns%T})\n"
	"packets {#packets} {@} {.}{/}\n"
	"dropped {#dropped} {@} {.}{/}\n"
	"others   hops {hops.total}" TORUS_EACH_FABRIC_COUNTER(FORM) "\n"
	"latency  {?packets.delivered}{>latency}mean {mean_ticks%.1f} ticks ({mean_ns%.1f} ns) "
	"max {max_ticks} ticks ({max_ns%.1f} ns){/}{:}mean - max -{/}\n"
	"hash     {delivery_hash}\n"
	"{?by_hops}hops          packets   mean ticks      mean ns    max ticks       max ns\n{/}"
	"{#by_hops}{hops%2u}{?or_more}+     {:}      {/} {packets%12u} {latency_mean_ticks%12.1f} "
	"{latency_mean_ns%12.1f} {latency_max_ticks%12u} {latency_max_ns%12.1f}\n{/}";

/*
 * Compare two links for sorting: the busier link first, then the lower node number, then the lower
 * direction.
 */
static int busier(const void *left, const void *right)
{
	const struct torus_nl_link *a = left;
	const struct torus_nl_link *b = right;

	if (a->counters.busy_ticks != b->counters.busy_ticks)
		return a->counters.busy_ticks < b->counters.busy_ticks ? 1 : -1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->dir < b->dir ? -1 : a->dir > b->dir;
}

/* Counters of the network interfaces (TNIs) of a node. */
struct node_tnis {
	uint32_t node;
	struct torus_nl_tnis tnis;
};

/*
 * Counters of links and network interfaces (TNIs), collected from several nodes. If @top is not 0,
 * print only the @top busiest links and no interfaces.
 */
struct counter_links {
	uint32_t top;
	struct torus_nl_link *links;
	size_t count;
	struct node_tnis *tnis;
	size_t ntnis;
};

static int tnis_collect(struct ctl *ctl, const struct target *target, struct counter_links *all)
{
	struct node_tnis *grown = reallocarray(all->tnis, all->ntnis + 1, sizeof(*grown));

	if (!grown) {
		ctl_error(ctl, "out of memory for the counters of %zu nodes", all->ntnis + 1);
		return CTL_FAILED;
	}
	all->tnis = grown;
	grown[all->ntnis].node = target->node;
	if (torus_nl_tnis_get(ctl->nl, target->name, &target->node, &grown[all->ntnis].tnis))
		return ctl_failed(ctl);
	all->ntnis += grown[all->ntnis].tnis.count > 0;
	return CTL_OK;
}

static void tnis_print(const struct torus_nl_fabric *fabric, const struct counter_links *all,
		       struct json_object *doc)
{
	struct json_object *list = doc && all->ntnis ? json_object_new_array() : NULL, *object;
	size_t i;

	for (i = 0; i < all->ntnis; i++) {
		const struct node_tnis *one = &all->tnis[i];

		object = json_object_new_object();
		output_node(object, fabric, one->node);
		json_object_object_add(object, "tnis",
				       report_tnis_json(one->tnis.tni, one->tnis.count));
		report_item(list, object, OUTPUT_PLACE "\n" REPORT_TNIS);
	}
	if (list)
		json_object_object_add(doc, "tni_counters", list);
}

static int links_collect(struct ctl *ctl, struct target *target, void *arg)
{
	struct counter_links *all = arg;
	struct torus_nl_link *links;
	struct torus_nl_link *grown;
	size_t count = 1;
	int error;

	if (target->has_node && target->has_dir) {
		links = calloc(1, sizeof(*links));
		error = links ? torus_nl_counter_link(ctl->nl, target->name, target->node,
						      target->dir, links) : -ENOMEM;
		count = !error;
		if (error == -ENOLINK && target->nodes.count > 1)
			error = 0;
	} else {
		error = torus_nl_counter_dump(ctl->nl, target->name,
					      target->has_node ? &target->node : NULL, &links,
					      &count);
	}
	if (error)
		return ctl_failed(ctl);
	grown = reallocarray(all->links, all->count + count + 1, sizeof(*grown));
	if (!grown) {
		ctl_error(ctl, "out of memory for the counters of the links");
		return CTL_FAILED;
	}
	all->links = grown;
	if (count)
		memcpy(grown + all->count, links, count * sizeof(*grown));
	all->count += count;
	free(links);
	if (!all->top && target->has_node && !target->has_dir && tnis_collect(ctl, target, all))
		return CTL_FAILED;
	return ctl_done(ctl);
}

static void links_print(const struct torus_nl_fabric *fabric, const struct torus_nl_link *links,
			size_t count, struct json_object *doc)
{
	struct json_object *list = NULL;
	size_t i;

	if (doc) {
		list = json_object_new_array();
		json_object_object_add(doc, "link_counters", list);
	}
	for (i = 0; i < count; i++)
		report_item(list, link_counters_json(fabric, &links[i]), link_counters_form);
}

static int counter_links(struct ctl *ctl, struct target *target, uint32_t top,
			 struct json_object *doc)
{
	struct counter_links all = { .top = top };
	int status;

	if (target->has_node)
		status = target_each(ctl, target, links_collect, &all);
	else
		status = links_collect(ctl, target, &all);
	if (!status) {
		if (top) {
			qsort(all.links, all.count, sizeof(*all.links), busier);
			all.count = top < all.count ? top : all.count;
		}
		links_print(&target->fabric, all.links, all.count, doc);
		tnis_print(&target->fabric, &all, doc);
	}
	free(all.links);
	free(all.tnis);
	return status;
}

/*
 * Print the network interfaces (TNIs) of a fabric. For each interface number, print the sum over
 * all nodes.
 */
static int fabric_tnis(struct ctl *ctl, const struct target *target, struct json_object *doc)
{
	struct torus_nl_tnis tnis;

	if (torus_nl_tnis_get(ctl->nl, target->name, NULL, &tnis))
		return ctl_failed(ctl);
	if (tnis.count)
		json_object_object_add(doc, "tnis", report_tnis_json(tnis.tni, tnis.count));
	if (!ctl->json)
		report_print(stdout, doc, REPORT_TNIS);
	return ctl_done(ctl);
}

/* Remove option --openmetrics from the arguments. Return true if it was there. */
static bool take_openmetrics(struct ctl_args *args)
{
	int kept = args->at, i;

	for (i = args->at; i < args->count; i++)
		if (strcmp(args->words[i], OPENMETRICS))
			args->words[kept++] = args->words[i];
	i = args->count;
	args->count = kept;
	return kept < i;
}

static int counter_top(struct ctl *ctl, struct ctl_args *args, uint32_t *top)
{
	const char *word = ctl_next(args);
	struct parse_error why;

	*top = 0;
	if (!word)
		return CTL_OK;
	if (strcmp(word, "top"))
		return ctl_usage(ctl, "unexpected argument: %s", word);
	word = ctl_next(args);
	if (!word)
		return ctl_usage(ctl, "top: its value is missing");
	if (!parse_u32("top", word, 1, UINT32_MAX, top, &why))
		return ctl_reject(ctl, "%s", why.text);
	return ctl_end(ctl, args);
}

/* Print the counters of a target as text or JSON. */
static int counter_print(struct ctl *ctl, struct target *target, uint32_t top)
{
	struct torus_fabric_counters counters;
	struct json_object *doc;
	int status = CTL_OK;

	if (target->has_node) {
		doc = json_object_new_object();
	} else {
		if (torus_nl_counter_get(ctl->nl, target->name, &counters))
			return ctl_failed(ctl);
		doc = fabric_counters_json(&target->fabric, &counters);
	}
	report_add_text(doc, "fabric", target->name);
	if (!target->has_node && !ctl->json)
		report_print(stdout, doc, counters_form);
	if (!target->has_node)
		ctl_done(ctl);
	if (target->has_node || top || ctl->statistics)
		status = counter_links(ctl, target, top, ctl->json ? doc : NULL);
	if (!status && !target->has_node && !top)
		status = fabric_tnis(ctl, target, doc);
	if (ctl->json && !status)
		output_json(ctl, doc);
	else
		json_object_put(doc);
	return status;
}

static int counter_show(struct ctl *ctl, struct ctl_args *args)
{
	bool openmetrics = take_openmetrics(args);
	struct target target;
	uint32_t top;
	int status;

	status = target_parse(ctl, args, TARGET_MAY_NODE | TARGET_MAY_DIR | TARGET_RANGE, &target);
	if (status)
		return status;
	status = counter_top(ctl, args, &top);
	if (!status && openmetrics && (top || ctl->json))
		status = ctl_reject(ctl, "%s: not accepted with %s", OPENMETRICS,
				    top ? "top" : "-j");
	if (!status)
		status = target_find(ctl, &target);
	if (status)
		return status;
	return openmetrics ? openmetrics_show(ctl, &target) : counter_print(ctl, &target, top);
}

static int counter_reset(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	int status;

	status = target_parse(ctl, args, TARGET_FABRIC, &target);
	if (status)
		return status;
	status = ctl_end(ctl, args);
	if (status)
		return status;
	status = ctl_connect(ctl);
	if (status)
		return status;
	return torus_nl_counter_reset(ctl->nl, target.name) ? ctl_failed(ctl) : ctl_done(ctl);
}

static const struct ctl_command commands[] = {
	{ "show", "FABRIC [NODES [DIR|all]] [top N] [--openmetrics]", counter_show },
	{ "reset", "FABRIC", counter_reset },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_counter = {
	.name = "counter",
	.help = "counters of the fabric, its links and its TNIs",
	.details = "-s or NODES prints the counters of links, top N those of the N busiest "
		   "links.\n"
		   "On machines with TNIs, the sums or the counters of each of NODES are printed, "
		   "too.\n"
		   "--openmetrics prints metrics of the fabric for monitoring systems, with NODES, "
		   "DIR or -d\n"
		   "also those of links, FIFOs and TNIs.\n",
	.commands = commands,
};

// SPDX-License-Identifier: GPL-2.0
/* A plan as text and as JSON. */
#include <json-c/json.h>

#include "../../report/report.h"
#include "../../words/words.h"
#include "../config.h"
#include "plan.h"

#define MIB		1048576.0
#define NS_PER_S	1e9
#define MEGA		1e6

/* Nanoseconds of a hop, its packet's own part in them. */
static double hop_ns(const struct plan_probe *p)
{
	return (p->last.cpu_s) / p->last.hops * NS_PER_S;
}

static const char *shape_of(const struct torus_config *config, char *text)
{
	return word_shape_text(config->geo.nshape, config->geo.shape, text, WORD_SHAPE_MAX);
}

static double cores_of(const struct plan *plan)
{
	const struct plan_parallel *p = &plan->parallel;

	return p->parts < p->cores ? p->parts : p->cores;
}

/* ----------------------------------------------------------------------- text */

static void text_ranks(const struct plan *plan, FILE *out)
{
	const struct plan_time *t = &plan->time;
	char box[WORD_SHAPE_MAX];

	fprintf(out, "blocks     %s at most, %llu of %llu links between parts\n",
		word_shape_text(plan->options.config.geo.ndims, plan->boxes.block, box,
				sizeof(box)),
		plan->boxes.part_links, plan->boxes.links);
	fprintf(out, "a window   %.1f us simulating, %.1f waiting for the last, %.1f until all "
		"have heard, %.1f for mail\n", t->compute * MEGA, t->imbalance * MEGA,
		t->latency * MEGA, t->bandwidth * MEGA);
	if (plan->ranks.count < 2)
		return;
	fprintf(out, "messages   %.0f bytes of a window between two ranks, to %u ranks\n",
		t->message, plan->boxes.neighbors);
	fprintf(out, "ranks      %.1f us of a message, %.0f MB/s (%s)\n",
		plan->c.link.latency_s * MEGA, plan->c.link.bytes_s / MEGA,
		plan->c.link.measured ? "measured here" : "modelled");
}

static void text_table(const struct plan *plan, FILE *out)
{
	u32 i;

	fprintf(out, "\nmodelled: a rank a core, a message %.1f us, %.0f MB/s a core; cores like "
		"this machine's\n%12s %8s %12s %14s %10s\n", plan->c.link.latency_s * MEGA,
		plan->c.link.bytes_s / MEGA, "nodes", "cores", "MiB a core", "s a simul. ms",
		"efficiency");
	for (i = 0; i < plan->npoints; i++) {
		const struct plan_point *p = &plan->points[i];

		fprintf(out, "%12.0f %8.0f %12.0f %14.4g %9.1f%%\n", p->nodes, p->cores,
			p->bytes / MIB, p->ms, 100 * p->alone / (p->ms * p->cores));
	}
}

static void text_probe(const struct plan *plan, const struct plan_probe *p, double steady,
		       FILE *out)
{
	double own = plan_packet_s(&plan->c, p->bytes);
	char shape[WORD_SHAPE_MAX];

	fprintf(out, "measured   %s: %.1f ns a hop, %.1f modelled\n", shape_of(&p->config, shape),
		hop_ns(p), NS_PER_S * (plan_hop_s(&plan->c, p->bytes, steady) +
					 own * p->last.packets / p->last.hops));
}

/**
 * plan_text - tell a plan in lines
 * @plan: worked out
 * @out: where
 */
void plan_text(const struct plan *plan, FILE *out)
{
	const struct torus_config *config = &plan->options.config;
	char shape[WORD_SHAPE_MAX];

	fprintf(out, "%s %s, %u nodes, %.0f ticks, %u ranks with %u threads each\n",
		config->arch->name, shape_of(config, shape), config->geo.nodes, plan->ticks,
		plan->ranks.count, plan->options.threads);
	fprintf(out, "memory     %.1f MiB a rank at rest, %.1f in the run, %.1f of all ranks: %s "
		"(%.0f MiB can be had)\n", plan->memory.rest / MIB, plan->memory.run / MIB,
		plan->memory.all / MIB,
		plan->needed <= plan->available ? "fits" : "does not fit",
		plan->available / MIB);
	fprintf(out, "the run    %.3g s on the wall, %.3g s of processors, %.3g before it; "
		"%.3g hops\n", plan->time.wall, plan->time.cpu, plan->time.setup,
		plan->course.hops * config->geo.nodes);
	fprintf(out, "steady     a window of %llu ticks takes %.3g ms, a simulated millisecond "
		"%.3g s\n", plan->c.middle.window_ticks, plan->time.window * 1000, plan->time.ms);
	if (plan->parallel.parts > 1)
		text_ranks(plan, out);
	text_probe(plan, &plan->c.small, 1, out);
	text_probe(plan, &plan->c.middle, 1, out);
	text_probe(plan, &plan->c.large,
		   plan_wait(&plan->load, plan->c.large.last.hops / plan->c.large.last.ticks /
			     plan->c.large.config.geo.nodes), out);
	if (plan->npoints)
		text_table(plan, out);
}

/* ----------------------------------------------------------------------- JSON */

static struct json_object *json_memory(const struct plan *plan)
{
	struct json_object *m = json_object_new_object();

	report_add_u64(m, "rest_bytes", (u64)plan->memory.rest);
	report_add_u64(m, "rank_bytes", (u64)plan->memory.run);
	report_add_u64(m, "all_bytes", (u64)plan->memory.all);
	report_add_u64(m, "available_bytes", (u64)plan->available);
	report_add_double(m, "packets_a_node", plan->course.held);
	report_add_bool(m, "fits", plan->needed <= plan->available);
	return m;
}

static struct json_object *json_time(const struct plan *plan)
{
	struct json_object *t = json_object_new_object();

	report_add_double(t, "wall_s", plan->time.wall);
	report_add_double(t, "cpu_s", plan->time.cpu);
	report_add_double(t, "setup_s", plan->time.setup);
	report_add_double(t, "hops", plan->course.hops * plan->options.config.geo.nodes);
	report_add_double(t, "window_s", plan->time.window);
	report_add_double(t, "ms_s", plan->time.ms);
	report_add_double(t, "compute_s", plan->time.compute);
	report_add_double(t, "imbalance_s", plan->time.imbalance);
	report_add_double(t, "latency_s", plan->time.latency);
	report_add_double(t, "bandwidth_s", plan->time.bandwidth);
	report_add_double(t, "cores", cores_of(plan));
	return t;
}

static struct json_object *json_blocks(const struct plan *plan)
{
	const struct plan_boxes *boxes = &plan->boxes;
	struct json_object *b = json_object_new_object(), *block = json_object_new_array();
	u32 dim;

	for (dim = 0; dim < plan->options.config.geo.ndims; dim++)
		json_object_array_add(block, json_object_new_uint64(boxes->block[dim]));
	json_object_object_add(b, "largest", block);
	report_add_u64(b, "links", boxes->links);
	report_add_u64(b, "part_links", boxes->part_links);
	report_add_u64(b, "rank_links", boxes->rank_links);
	report_add_u64(b, "neighbors", boxes->neighbors);
	report_add_double(b, "message_bytes", plan->time.message);
	return b;
}

static void json_probe(struct json_object *all, const struct plan *plan,
		       const struct plan_probe *p)
{
	struct json_object *o = json_object_new_object();
	char shape[WORD_SHAPE_MAX];

	report_add_text(o, "shape", shape_of(&p->config, shape));
	report_add_u64(o, "nodes", p->config.geo.nodes);
	report_add_u64(o, "ticks", p->ticks);
	report_add_double(o, "hop_ns", hop_ns(p));
	report_add_double(o, "growth", plan_growth(&plan->c, p->bytes));
	json_object_array_add(all, o);
}

static struct json_object *json_constants(const struct plan *plan)
{
	struct json_object *c = json_object_new_object(), *probes = json_object_new_array();
	const struct plan_constants *k = &plan->c;
	double bytes = k->middle.bytes;

	report_add_double(c, "hop_ns", plan_hop_s(k, bytes, 1) * NS_PER_S);
	report_add_double(c, "packet_ns", plan_packet_s(k, bytes) * NS_PER_S);
	report_add_double(c, "hop_ticks", plan->load.slow);
	report_add_double(c, "hop_ticks_alone", plan->load.fast);
	report_add_double(c, "accepted", k->middle.accepted);
	report_add_u64(c, "window_ticks", k->middle.window_ticks);
	report_add_double(c, "meet_ns", k->link.meet_s * NS_PER_S);
	report_add_double(c, "mail_ns", k->link.mail_s * NS_PER_S);
	report_add_double(c, "message_ns", k->link.latency_s * NS_PER_S);
	report_add_double(c, "megabytes_s", k->link.bytes_s / MEGA);
	report_add_bool(c, "measured", k->link.measured);
	json_probe(probes, plan, &k->small);
	json_probe(probes, plan, &k->middle);
	json_probe(probes, plan, &k->large);
	json_object_object_add(c, "probes", probes);
	return c;
}

static struct json_object *json_table(const struct plan *plan)
{
	struct json_object *table = json_object_new_array(), *o;
	u32 i;

	for (i = 0; i < plan->npoints; i++) {
		const struct plan_point *p = &plan->points[i];

		o = json_object_new_object();
		report_add_u64(o, "nodes", (u64)p->nodes);
		report_add_u64(o, "cores", (u64)p->cores);
		report_add_u64(o, "core_bytes", (u64)p->bytes);
		report_add_double(o, "ms_s", p->ms);
		report_add_double(o, "efficiency", p->alone / (p->ms * p->cores));
		json_object_array_add(table, o);
	}
	return table;
}

/**
 * plan_json - a plan as JSON
 * @plan: worked out
 * @typed: what was typed
 *
 * Return: the document; json_object_put() it.
 */
struct json_object *plan_json(const struct plan *plan, const struct sim_typed *typed)
{
	const struct torus_config *config = &plan->options.config;
	struct json_object *doc = json_object_new_object();
	char shape[WORD_SHAPE_MAX];

	report_add_text(doc, "arch", config->arch->name);
	report_add_text(doc, "shape", shape_of(config, shape));
	report_add_u64(doc, "nodes", config->geo.nodes);
	report_add_u64(doc, "ranks", plan->ranks.count);
	report_add_u64(doc, "threads", plan->options.threads);
	report_add_u64(doc, "domains", config->domains);
	report_add_u64(doc, "ticks", (u64)plan->ticks);
	report_add_u64(doc, "tick_fs", config->arch->tick_fs(config));
	json_object_object_add(doc, "memory", json_memory(plan));
	json_object_object_add(doc, "time", json_time(plan));
	json_object_object_add(doc, "blocks", json_blocks(plan));
	json_object_object_add(doc, "constants", json_constants(plan));
	if (plan->npoints)
		json_object_object_add(doc, "table", json_table(plan));
	json_object_object_add(doc, "config", sim_config_json(typed, SIM_FOR_PLAN));
	return doc;
}

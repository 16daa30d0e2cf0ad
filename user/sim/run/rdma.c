// SPDX-License-Identifier: GPL-2.0
/*
 * torus-sim run --op put|get: nodes write or read each other's memory through their engines. The
 * engines' model is the same as in the kernel; the memory is an array per node.
 *
 * Each node assigns its operations to its engines in turn. It posts an operation as soon as the
 * engine accepts it. All operations transfer the same data, so that all written memory can be
 * checked byte by byte at the end. The STag of its local address identifies an operation: the
 * notice of the operation contains this STag.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/tni.h"
#include "../../parse/integer.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "arch/tofu/engine.h"
#include "arch/tofu/header.h"
#include "core/workload/hotspot.h"
#include "core/workload/pattern.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"
#include "core/base/node_number.h"
#include "core/base/random.h"
#include "core/run/census.h"
#include "../cmdline/config.h"
#include "../base/signals.h"
#include "../base/json.h"
#include "measure.h"
#include "../base/memory.h"
#include "rdma.h"
#include "slice.h"
#include "../cmdline/pin.h"
#include "../base/progress.h"
#include "../base/message.h"
#include "core/run/windows.h"

/* maximum number of operations per node; an operation's number is its STag */
#define OPERATIONS_MAX	(1u << 20)

struct op_run;

/**
 * struct op_node - operations and memory of a node
 * @run: the run
 * @node: the node
 * @operations: number of operations that the node posts
 * @next: next operation of each engine
 * @begun: by operation: tick at which an engine accepted the operation
 * @memory: target of writes
 */
struct op_node {
	struct op_run *run;
	u32 node;
	u32 operations;
	u32 next[TOFU_TNIS_MAX];
	u64 *begun;
	u8 *memory;
};

/**
 * struct op_run - run of puts or gets
 * @fabric: the fabric
 * @traffic: pattern of sources and destinations
 * @op: TORUS_TOFU_PUT or _GET
 * @length: bytes of an operation
 * @engines: number of engines per node
 * @source: data that all operations transfer
 * @node: array of all nodes' states
 * @done: number of completed operations
 * @failed: number of operations that completed with an error
 * @last: tick of the last completion
 * @latency: sum of latencies in ticks
 * @latency_max: greatest latency in ticks
 * @wrong: number of bytes that differ from @source
 */
struct op_run {
	struct torus_fabric *fabric;
	const struct torus_traffic *traffic;
	u32 op;
	u32 length;
	u32 engines;
	u8 *source;
	struct op_node *node;
	u64 done;
	u64 failed;
	u64 last;
	u64 latency;
	u64 latency_max;
	u64 wrong;
};

/* --------------------------------------------------------- operations of a node */

static u32 op_destination(const struct op_node *own, u32 number)
{
	struct op_run *run = own->run;
	u64 rng = torus_random_seed(run->fabric->cfg.seed, own->node, number);

	return torus_pattern_destination(run->fabric, run->traffic, &rng, own->node, number);
}

static u32 op_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct op_node *own = client;
	struct op_run *run = own->run;
	struct tofu_header h = {
		.fifo = TORUS_TOFU_FIFO_GATE, .path = TORUS_TOFU_PATH_ANY,
		.chunks = TORUS_TOFU_COMMAND_CHUNKS,
		.sw = TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT,
	};
	struct torus_tofu_command c = {
		.op = (u8)run->op, .peer_engine = (u8)fifo, .length = run->length,
		.flags = run->op == TORUS_TOFU_PUT ? TORUS_TOFU_TELL_REMOTE :
						     TORUS_TOFU_TELL_LOCAL,
	};
	u32 dest[TORUS_DIMS_MAX], at;

	if (fifo >= run->engines || own->next[fifo] >= own->operations ||
	    room < TORUS_TOFU_COMMAND_CHUNKS)
		return 0;
	at = own->next[fifo];
	own->next[fifo] += run->engines;
	own->begun[at] = torus_nic_clock(run->fabric, own->node);
	torus_geometry_coords(&run->fabric->cfg.geo, op_destination(own, at), dest);
	memcpy(h.dest, dest, sizeof(h.dest));
	c.local = (u64)at << TORUS_STADD_BITS;
	tofu_header_pack(&h, bytes);
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, &c, sizeof(c));
	*number = at;
	return TORUS_TOFU_COMMAND_CHUNKS;
}

static void op_refused(void *client, u32 fifo, u32 code)
{
	struct op_node *own = client;

	own->run->done++;
	own->run->failed++;
}

static void op_accepted(void *client, u32 fifo)
{
}

static void op_notify(void *client)
{
}

/*
 * Record the completion of an operation. The target of a put receives its notice. The notice of a
 * get or of an error goes to the node that posted the operation.
 */
static bool op_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct op_node *own = client;
	struct op_run *run = own->run;
	struct torus_tofu_notice notice;
	u64 ticks, now = torus_nic_clock(run->fabric, own->node);
	u32 by = own->node;

	memcpy(&notice, bytes + TORUS_TOFU_HEADER_BYTES, sizeof(notice));
	if (notice.type == TORUS_TOFU_RMT_PUT)
		by = torus_node_index(&run->fabric->cfg.geo, notice.peer_node);
	ticks = now - run->node[by].begun[(notice.local - 1) >> TORUS_STADD_BITS];
	run->done++;
	run->failed += notice.code != TORUS_TOFU_FINE;
	run->last = now > run->last ? now : run->last;
	run->latency += ticks;
	run->latency_max = ticks > run->latency_max ? ticks : run->latency_max;
	return true;
}

static u32 op_memory(void *client, struct torus_access *access)
{
	struct op_node *own = client;

	if (!torus_access_within(access, (1ull << TORUS_STADD_BITS) - 1, own->run->length))
		return TORUS_ACCESS_RANGE;
	if (access->op == TORUS_ACCESS_READ)
		memcpy(access->bytes, own->run->source + access->at, access->length);
	else
		memcpy(own->memory + access->at, access->bytes, access->length);
	return TORUS_ACCESS_FINE;
}

static const struct torus_nic_ops op_ops = {
	.pull = op_pull,
	.refused = op_refused,
	.accepted = op_accepted,
	.push = op_push,
	.notify = op_notify,
	.memory = op_memory,
};

/* ----------------------------------------------------------------------- a run */

static bool op_begin(struct op_run *run)
{
	u32 i, generation;
	u64 k;

	run->source = malloc(run->length);
	run->node = calloc(run->fabric->nodes, sizeof(*run->node));
	if (!run->source || !run->node)
		return false;
	for (k = 0; k < run->length; k++)
		/* make each byte odd, so that it differs from 0, the initial content of memory */
		run->source[k] = (u8)(torus_mix(k) | 1);
	for (i = 0; i < run->fabric->nodes; i++) {
		struct op_node *own = &run->node[i];

		own->run = run;
		own->node = i;
		if (torus_pattern_sends(run->fabric, run->traffic, i))
			own->operations = (u32)torus_pattern_packets(run->fabric, run->traffic, i);
		for (k = 0; k < run->engines; k++)
			own->next[k] = (u32)k;
		own->begun = calloc(own->operations + 1, sizeof(*own->begun));
		own->memory = calloc(1, run->length);
		if (!own->begun || !own->memory ||
		    torus_nic_attach(run->fabric, i, 0, false, &op_ops, own, &generation, NULL))
			return false;
	}
	return true;
}

static u64 op_operations(const struct op_run *run)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < run->fabric->nodes; i++)
		sum += run->node[i].operations;
	return sum;
}

/* Check that written memory has all bytes of @source, and other memory is still 0. */
static void op_compare(struct op_run *run)
{
	u32 i, k;

	for (i = 0; i < run->fabric->nodes; i++) {
		const u8 *memory = run->node[i].memory;
		bool written = run->op == TORUS_TOFU_GET ? run->node[i].operations : memory[0];

		for (k = 0; k < run->length; k++)
			run->wrong += memory[k] != (written ? run->source[k] : 0);
	}
}

static void op_free(struct op_run *run)
{
	u32 i;

	for (i = 0; run->node && i < run->fabric->nodes; i++) {
		torus_nic_detach(run->fabric, i, 0);
		free(run->node[i].begun);
		free(run->node[i].memory);
	}
	free(run->node);
	free(run->source);
}

/* ---------------------------------------------------------------------- output */

/* Results of a run in the units of the output. */
struct op_figures {
	u64 operations;
	double latency_mean;
	double tick_ns;
	/* bytes per second of a node: mean over the nodes that post operations */
	double bytes_per_s;
	u32 nodes;
	u64 hash;
};

static void op_figures(const struct op_run *run, struct op_figures *out)
{
	struct torus_stats stats;
	double seconds;
	u32 i;

	torus_stats_sum(run->fabric, &stats);
	out->operations = op_operations(run);
	out->latency_mean = run->done ? (double)run->latency / run->done : NAN;
	out->tick_ns = run->fabric->tick_fs / 1e6;
	out->hash = stats.hash;
	out->nodes = 0;
	for (i = 0; i < run->fabric->nodes; i++)
		out->nodes += run->node[i].operations > 0;
	seconds = run->last * out->tick_ns / 1e9;
	out->bytes_per_s = seconds > 0 && out->nodes ?
		(double)(run->done - run->failed) * run->length / seconds / out->nodes : NAN;
}

static const char op_form[] =
	"{op} of {length} bytes: {operations} operations of {nodes} nodes, {failed} failed, "
	"{ticks} ticks\n"
	"latency {mean_ns%.1f} ns mean, {max_ns%.1f} ns max; {bytes_per_s/1e9%.3f} GB/s a node\n"
	"delivery hash {delivery_hash}\n";

static void rdma_add(struct json_object *doc, const char *key, struct json_object *value)
{
	json_object_object_add(doc, key, value);
}

static void op_print(const struct op_run *run, const struct op_figures *f,
		     const struct sim_run_config *options, const struct sim_cmdline *typed)
{
	struct json_object *doc = json_object_new_object(), *latency = json_object_new_object();
	const struct torus_geometry *geo = &options->config.geo;
	struct torus_tni_counters tnis[TORUS_TNIS_MAX];
	char text[PARSE_SHAPE_MAX];
	u32 tni;

	rdma_add(doc, "arch", json_object_new_string(options->config.arch->name));
	rdma_add(doc, "shape",
		 json_object_new_string(parse_shape_text(geo->nshape, geo->shape, text,
							 sizeof(text))));
	rdma_add(doc, "pattern", json_object_new_string(options->load.pattern));
	rdma_add(doc, "op", json_object_new_string(options->op));
	rdma_add(doc, "length", json_object_new_uint64(run->length));
	rdma_add(doc, "seed", json_object_new_uint64(options->config.seed));
	rdma_add(doc, "domains", json_object_new_uint64(options->config.domains));
	rdma_add(doc, "tick_fs", json_object_new_uint64(run->fabric->tick_fs));
	rdma_add(doc, "operations", json_object_new_uint64(f->operations));
	rdma_add(doc, "outcome",
		 json_object_new_string(sim_interrupted() ? "interrupted" : "done"));
	rdma_add(doc, "ended", json_object_new_uint64(run->done));
	rdma_add(doc, "failed", json_object_new_uint64(run->failed));
	rdma_add(doc, "wrong_bytes", json_object_new_uint64(run->wrong));
	rdma_add(doc, "ticks", json_object_new_uint64(run->last));
	rdma_add(latency, "mean", report_double(f->latency_mean));
	rdma_add(latency, "max", run->done ? json_object_new_uint64(run->latency_max) : NULL);
	rdma_add(doc, "latency_cycles", latency);
	rdma_add(doc, "bytes_per_s", report_double(f->bytes_per_s));
	for (tni = 0; tni < run->engines; tni++)
		torus_tni_counters(run->fabric, TORUS_NONE, tni, &tnis[tni]);
	rdma_add(doc, "tnis", report_tnis_json(tnis, run->engines));
	snprintf(text, sizeof(text), "%016llx", (unsigned long long)f->hash);
	rdma_add(doc, "delivery_hash", json_object_new_string(text));
	rdma_add(doc, "config", sim_config_json(typed, SIM_FOR_RUN));
	if (!options->json) {
		rdma_add(doc, "nodes", json_object_new_uint64(f->nodes));
		rdma_add(doc, "mean_ns", report_double(f->latency_mean * f->tick_ns));
		rdma_add(doc, "max_ns",
			 report_double(run->done ? run->latency_max * f->tick_ns : NAN));
	}
	sim_json_answer(doc, options->json, op_form);
}

static int op_judge(struct op_run *run, const struct sim_run_config *options,
		    const struct sim_cmdline *typed)
{
	struct op_figures figures;

	op_compare(run);
	op_figures(run, &figures);
	op_print(run, &figures, options, typed);
	if (sim_interrupted()) {
		sim_message("interrupted at tick %llu, after %llu of %llu operations",
			    torus_fabric_clock(run->fabric), run->done, figures.operations);
		return 128 + sim_interrupted();
	}
	if (run->done != figures.operations || run->failed || run->wrong)
		return sim_error("self-check failed: of %llu operations %llu have ended and %llu "
				 "failed, %llu bytes are wrong",
				 (unsigned long long)figures.operations,
				 (unsigned long long)run->done, (unsigned long long)run->failed,
				 (unsigned long long)run->wrong);
	return SIM_OK;
}

/* Run until all operations are complete, the fabric stalls or a signal arrives. */
static void op_loop(struct op_run *run, bool show)
{
	u64 budget = sim_slice_windows(torus_fabric_config(run->fabric));
	u64 operations = op_operations(run);
	struct sim_progress progress;
	bool moved;

	sim_progress_begin(&progress, show, 1);
	do {
		sim_progress_at(&progress, (double)run->done / operations, run->fabric);
		moved = torus_nic_poll(run->fabric);
		moved |= torus_fabric_run(run->fabric, ~0ull - 1, budget, 1) == TORUS_RUN_BUDGET;
	} while (moved && !sim_interrupted());
	sim_progress_end(&progress);
}

/* --------------------------------------------------------------------- options */

/* Find a given --set parameter that does not apply to puts and gets; NULL if there is none. */
static const char *of_packets(const struct torus_traffic *traffic)
{
	return traffic->outstanding ? "outstanding" : traffic->pacing ? "pacing" :
	       traffic->packet_class ? "class" : NULL;
}

static int op_take(const struct sim_run_config *options, struct op_run *run)
{
	const struct torus_traffic *traffic = &options->load.traffic;
	struct parse_error why;
	u64 length = SIM_RDMA_LENGTH;

	if (!strcmp(options->op, "put"))
		run->op = TORUS_TOFU_PUT;
	else if (!strcmp(options->op, "get"))
		run->op = TORUS_TOFU_GET;
	else
		return sim_reject("--op %s: must be packet, put or get", options->op);
	if (options->length && !parse_number("length", options->length, 1, TORUS_TOFU_LENGTH_MAX,
					     &length, &why))
		return sim_reject("%s", why.text);
	run->length = (u32)length;
	if (!options->config.arch->command)
		return sim_reject("--op %s: %s has no RDMA engines", options->op,
				  options->config.arch->name);
	if (!traffic->packets || traffic->packets > OPERATIONS_MAX)
		return sim_reject("--op %s: --packets must be the number of operations, 1 to %u",
				  options->op, OPERATIONS_MAX);
	if (traffic->pattern == TORUS_PATTERN_LINEFILL ||
	    traffic->pattern == TORUS_PATTERN_PLANEFILL)
		return sim_reject("--op %s: must not be combined with pattern %s, which broadcasts",
				  options->op,
				  options->load.pattern);
	if (traffic->reply)
		return sim_reject("--op %s: must not be combined with reply %llu, which applies to "
				  "packets", options->op, traffic->reply);
	if (of_packets(traffic))
		return sim_reject("--op %s: must not be combined with --set %s, which applies to "
				  "packets", options->op,
				  of_packets(traffic));
	if (options->threads > 1)
		return sim_reject("--op %s: must run with one thread, not %u",
				  options->op, options->threads);
	if (options->series || options->links || options->statistics || options->heatmap ||
	    options->trace.file || options->trace.lines || options->nfaults)
		return sim_reject("--op %s: must not be combined with --series, --links, "
				  "--statistics, --heatmap, --trace, --stop-at, --step or --fault",
				  options->op);
	if (options->typed->size)
		return sim_reject("--op %s: must not be combined with --size %s; --length sets the "
				  "bytes of an operation", options->op, options->typed->size);
	if ((u64)run->length * options->config.geo.nodes > sim_memory_available())
		return sim_reject("length %u: out of memory for the buffers of %u nodes",
				  run->length,
				  options->config.geo.nodes);
	run->traffic = traffic;
	return SIM_OK;
}

/**
 * sim_rdma_run - run the puts or gets of --op
 * @options: the options
 * @typed: the same options as words
 *
 * Return: exit status of the command.
 */
int sim_rdma_run(const struct sim_run_config *options, const struct sim_cmdline *typed)
{
	struct op_run run = { 0 };
	struct torus_traffic traffic;
	struct torus_error err;
	int status = op_take(options, &run);

	if (!status)
		status = sim_pin_write(typed, options, NULL);
	if (!status)
		status = sim_fabric_new(options, &run.fabric);
	if (status)
		return status;
	run.engines = run.fabric->router->inject_slots;
	if (options->pairs.count && torus_traffic_pairs(run.fabric, options->pairs.pairs,
							options->pairs.count, &err))
		status = sim_reject("%s", err.text);
	else if (torus_pattern_check(run.fabric, run.traffic, &err))
		status = sim_reject("%s", err.text);
	if (status)
		goto end;
	traffic = *run.traffic;
	torus_hotspot_index(run.fabric, &traffic);
	run.traffic = &traffic;
	if (!op_begin(&run))
		status = sim_error("out of memory for the programs of %u nodes", run.fabric->nodes);
	if (!status) {
		sim_signals_catch();
		op_loop(&run, options->progress);
		status = op_judge(&run, options, typed);
	}
end:
	op_free(&run);
	torus_fabric_destroy(run.fabric);
	return status;
}

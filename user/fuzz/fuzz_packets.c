// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the core's interface on a small fabric of any machine: packets, commands of Tofu's engines,
 * faults, states and partitions of nodes, registers, parameters, workloads, and clients that attach
 * and detach. The input selects the machine, its shape and its parameters, and then calls: a byte
 * for the call, further bytes for its arguments. A packet's header is random, or a valid one with a
 * changed byte. After some runs the target checks that no packet and no token is missing. When
 * nothing is in flight, each client must have been notified of each of its packets.
 */
#include "arch/arch.h"
#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/link/fault.h"
#include "core/nic/completion_report.h"
#include "core/run/census.h"
#include "core/run/live_params.h"
#include "core/run/fabric.h"
#include "core/run/measure.h"
#include "core/run/node_state.h"
#include "core/run/report.h"
#include "core/run/watchdog.h"
#include "../machine/machine.h"
#include "calls.h"
#include "clients.h"
#include "tables.h"
#include "take.h"
#include "core/run/windows.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define STEPS_MAX	400
#define COUNTED		16	/* number of runs between two conservation checks, which are slow */
/* limit of the ticks of all runs together; a run beyond the limit is cut to TICKS_LEAST ticks */
#define TICKS_MAX	4096
#define TICKS_LEAST	8
/* limit of the last run in ticks; packets that wait for bad links may still be in flight then */
#define END_TICKS	100000
#define ROUTE_REGISTERS	8
#define SETTINGS_MAX	4	/* maximum parameters that an input sets at the start */

/**
 * struct kind - a machine and the shapes that inputs select
 * @dims: list of the numbers of dimensions from which an input selects
 * @most: maximum length of each dimension
 * @nodes: maximum product of the lengths: the number of nodes, or of Tofu's groups
 */
static const struct kind {
	u8 dims[4];
	u8 most[TORUS_DIMS_MAX];
	u32 nodes;
} kinds[] = {
	{ { 3, 3, 3, 3 }, { 5, 4, 3 }, 24 },
	{ { 3, 3, 3, 3 }, { 4, 3, 3 }, 24 },
	{ { 3, 3, 3, 3 }, { 3, 2, 2 }, 3 },
	{ { 2, 1, 3, 8 }, { 5, 4, 3, 2, 2, 2, 2, 2 }, 24 },
};

/* Parameters and values. Each machine rejects the parameters that it does not have. */
static const char *const settings[][2] = {
	{ "isolate", "on" }, { "isolate", "off" }, { "ber", "0" }, { "ber", "1e-3" },
	{ "crc", "full" }, { "crc", "lazy" }, { "no_listener", "hold" },
	{ "no_listener", "drop" }, { "rx_stall", "0" }, { "rx_stall", "500" },
	{ "inject", "hold" }, { "inject", "drain" }, { "inject", "go" }, { "retries", "3" },
	{ "timeout", "64" }, { "hop_limit", "6" }, { "path", "roundrobin" }, { "path", "hash" },
	{ "bypass", "off" }, { "control", "simulated" }, { "bubble", "plain" },
	{ "bubble", "one" }, { "unblocking", "on" }, { "strict_injection", "on" },
	{ "escape", "dateline" }, { "routing", "deterministic" }, { "routing", "adaptive" },
	{ "routing", "valiant" }, { "buffers", "finite" }, { "buffers", "finite" },
	{ "arbitration", "rr" }, { "vcs", "4" }, { "injection", "infinite" },
	{ "receive_packet", "50" }, { "inject_chunk", "9" }, { "source_fifos", "1" },
};

/*
 * Number of calls of the core's interface per machine, in the order of @kinds. Only calls that the
 * input selects are counted.
 */
static struct calls calls_of[] = {
	{ .name = "bgl" }, { .name = "xt" }, { .name = "tofu" }, { .name = "kncube" },
};

static struct torus_fabric *f;
static struct client clients[CLIENTS];
static const struct torus_machine *machine;

static u32 kind;

/* Make and count a call with arguments from the input. */
#define CALL(call)	(calls_of[kind].calls++, (call))

/* Make a call that must set an error message if it fails. */
#define CALL_OR_WHY(call)								\
do {											\
	struct torus_error err = { 0 };							\
											\
	if (CALL(call))									\
		fuzz_demand(err.text[0]);						\
} while (0)

/* Read a number that is often at the limit of a range. */
static u32 odd(struct fuzz_input *input)
{
	static const u32 values[] = {
		0, 1, 2, 3, 7, 8, 255, 256, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
		0x00040202, 0x00010101, 0x01020304,
	};
	u32 which = fuzz_below(input, 2 * COUNT(values));

	return which < COUNT(values) ? values[which] : fuzz_u32(input);
}

/* Read a node, or in a quarter of the cases TORUS_NONE, which means all nodes. */
static u32 node_or_all(struct fuzz_input *input)
{
	u32 which = fuzz_u8(input);

	return which & 3 ? (which >> 2) % f->nodes : TORUS_NONE;
}

static u32 dir_or_all(struct fuzz_input *input)
{
	u32 which = fuzz_u8(input);

	return which & 3 ? (which >> 2) % f->dirs : TORUS_NONE;
}

/* ---------------------------------------------------------------------- steps */

static void packets_run(u64 ticks)
{
	torus_nic_poll(f);
	if (f->workload && ticks & TICKS_LEAST)
		CALL(torus_traffic_step(f, ticks / TICKS_LEAST, 1));
	else
		CALL(torus_fabric_run(f, torus_fabric_clock(f) + ticks, 0, 1));
	torus_nic_poll(f);
}

static struct queued *queue(struct fuzz_input *input, u32 *from)
{
	struct client *c = &clients[fuzz_below(input, CLIENTS)];
	struct queued *q = client_queue(c);

	*from = c->node;
	if (!q)
		return NULL;
	calls_of[kind].calls++;	/* count the packet here, because the core takes it only later */
	q->fifo = fuzz_below(input, f->arch->inject_fifos);
	q->chunks = 1 + fuzz_below(input, f->arch->packet_chunks_max);
	return q;
}

static void any_packet(struct fuzz_input *input)
{
	u32 from;
	struct queued *q = queue(input, &from);

	if (!q)
		return;
	fuzz_take(input, q->bytes, TORUS_MACHINE_HEADER_MAX);
	if (!(q->bytes[TORUS_MACHINE_HEADER_MAX - 1] & 1) && f->arch->size(q->bytes))
		q->chunks = f->arch->size(q->bytes);
}

static void built_packet(struct fuzz_input *input)
{
	u32 coords[TORUS_DIMS_MAX], node, how, at, from, dim;
	struct torus_machine_packet packet = { 0 };
	struct queued *q = queue(input, &from);
	char why[256];

	if (!q)
		return;
	node = fuzz_below(input, f->nodes);
	how = fuzz_u8(input);
	/* in half of the cases the destination is in the same line as the sender */
	torus_geometry_coords(&f->cfg.geo, how & 8 ? from : node, coords);
	dim = node % f->cfg.geo.ndims;
	if (how & 8)
		coords[dim] = node % f->cfg.geo.dims[dim];
	node = torus_geometry_node(&f->cfg.geo, coords);
	packet.dest = coords;
	packet.node = torus_node_number(&f->cfg.geo, node);
	packet.chunks = q->chunks;
	packet.route = how % 3;
	packet.deposit = how & 0x40;
	packet.group = how >> 4 & 3;
	packet.hints = how & 0x80 ? fuzz_u8(input) : 0;
	if (machine->build(q->bytes, &packet, why, sizeof(why)))
		fuzz_demand(why[0]);
	at = fuzz_below(input, 64);
	if (at < TORUS_MACHINE_HEADER_MAX)
		q->bytes[at] ^= fuzz_u8(input);
}

static u64 address(struct fuzz_input *input)
{
	u32 how = fuzz_u8(input);

	return how & 7 ? MEMORY_AT + how * 8 : (u64)odd(input) << (how & 0x38);
}

/* Queue a command for an engine of Tofu, in most cases a valid one. */
static void a_command(struct fuzz_input *input)
{
	struct torus_tofu_command c = { 0 };
	u32 at[TORUS_DIMS_MAX], node, how, from;
	struct queued *q = queue(input, &from);

	if (!q || !f->arch->command)
		return;
	q->chunks = TORUS_TOFU_COMMAND_CHUNKS;
	node = fuzz_below(input, f->nodes);
	torus_geometry_coords(&f->cfg.geo, node, at);
	how = fuzz_u8(input);
	q->bytes[0] = (u8)at[0];
	q->bytes[1] = (u8)at[1];
	q->bytes[2] = (u8)at[2];
	q->bytes[3] = (u8)(at[3] << TORUS_TOFU_A_SHIFT | at[4] << TORUS_TOFU_B_SHIFT |
			   at[5] << TORUS_TOFU_C_SHIFT |
			   TORUS_TOFU_FIFO_GATE << TORUS_TOFU_FIFO_SHIFT | (how & 1));
	q->bytes[4] = (u8)(how & 8 ? how & 0xf0 : TORUS_TOFU_PATH_ANY << 4) | (how & 2 ? 4 : 0);
	q->bytes[5] = TORUS_TOFU_COMMAND_CHUNKS - 1;
	q->bytes[6] = TORUS_TOFU_KIND_COMMAND;
	how = fuzz_u8(input);
	c.op = how % (TORUS_TOFU_OPS + 1);
	c.vcq = how >> 3 & 7;
	c.peer_engine = fuzz_below(input, 7);
	c.peer_vcq = c.peer_engine;
	c.flags = fuzz_below(input, 16);
	c.remote = address(input);
	how = fuzz_u8(input);
	if (c.op == TORUS_TOFU_ATOMIC) {
		c.atomic = how % 7;
		c.size = how & 8 ? 4 : 8;
	} else if (c.op != TORUS_TOFU_NOP) {
		c.length = how & 7 ? 1 + how * (c.op == TORUS_TOFU_PIGGYBACK ? 1u : 16u) / 8 :
				     odd(input);
	}
	if (c.op == TORUS_TOFU_PUT || c.op == TORUS_TOFU_GET)
		c.local = address(input);
	if (c.op == TORUS_TOFU_PUT || c.op == TORUS_TOFU_PIGGYBACK)
		c.steps = fuzz_below(input, 17);
	fuzz_take(input, c.data, sizeof(c.data[0]));
	memcpy(q->bytes + TORUS_TOFU_HEADER_BYTES, &c, sizeof(c));
}

static void a_fault(struct fuzz_input *input)
{
	struct torus_fault fault = {
		.what = fuzz_u32(input) & (2 * TORUS_FAULT_DROP_NACK - 1),
		.node = node_or_all(input),
		.dir = dir_or_all(input),
		.state = fuzz_below(input, 2),
		.corrupt = fuzz_below(input, 4), .escape = fuzz_below(input, 4),
		.drop_ack = fuzz_below(input, 4), .corrupt_ack = fuzz_below(input, 4),
		.drop_nack = fuzz_below(input, 4), .ecc_single = fuzz_below(input, 4),
		.ecc_double = fuzz_below(input, 4), .parity = fuzz_below(input, 4),
		.ber = (u64)fuzz_u8(input) << 48,
		.delay = fuzz_u8(input),
		.lasts = fuzz_u8(input),
	};

	fault.at = torus_fabric_clock(f) + fuzz_u8(input);
	CALL_OR_WHY(torus_fault_set(f, &fault, &err));
}

static void a_state(struct fuzz_input *input)
{
	u32 node = fuzz_below(input, f->nodes + 1), how = fuzz_below(input, 8);

	if (how > 4)
		CALL_OR_WHY(torus_node_kill(f, node, how & 1, &err));
	else
		CALL_OR_WHY(torus_node_set(f, node, how, &err));
	if (node < f->nodes)
		CALL(torus_node_state(f, node));
}

static void a_sender(struct fuzz_input *input)
{
	u32 node = node_or_all(input), dir = dir_or_all(input);

	CALL_OR_WHY(torus_senders_set(f, node, dir, fuzz_below(input, 3), &err));
}

static void a_partition(struct fuzz_input *input)
{
	u32 node = fuzz_below(input, f->nodes), value = fuzz_u8(input);

	CALL_OR_WHY(torus_fabric_partition_set(f, node, value & 0xf0 ? value & 1 : odd(input),
					       &err));
}

static void a_register(struct fuzz_input *input)
{
	u32 where = fuzz_u8(input), which = fuzz_u8(input), node, offset, value;
	struct torus_error err = { 0 };

	if (!f->arch->reg_write)
		return;
	/*
	 * select a client's node often, and often one of the first registers, which control routing
	 */
	node = where & 0x80 ? clients[where % CLIENTS].node : where % f->nodes;
	offset = f->arch->regs[which % (which & 0x80 ? ROUTE_REGISTERS : *f->arch->nregs)].offset;
	if (!(which & 0x87))
		offset = which * 4;
	value = which & 0x80 ? (which >> 4 & 3) * 0x010101 : odd(input);
	if (value & 4 && CALL(f->arch->reg_peek(f, node, offset, &value, &err)))
		fuzz_demand(err.text[0]);
	if (CALL(f->arch->reg_write(f, node, offset, value, &err)))
		fuzz_demand(err.text[0]);
	else
		fuzz_demand(!CALL(f->arch->reg_read(f, node, offset, &value, &err)));
}

static void a_setting(struct fuzz_input *input)
{
	u32 which = fuzz_below(input, COUNT(settings));
	struct torus_fabric_change change;
	struct torus_error err = { 0 };

	torus_change_init(&change, f);
	if (CALL(torus_change_set(&change, f, settings[which][0], settings[which][1], &err)) ||
	    CALL(torus_change_make(f, &change, &err)))
		fuzz_demand(err.text[0]);
}

/* Make a call of the core that only reads, or that reports blocked packets to their senders. */
static void a_look(struct fuzz_input *input)
{
	u32 node = fuzz_below(input, f->nodes), dir = fuzz_below(input, f->dirs);
	static struct torus_fabric_counters all;
	struct torus_link_counters counters;
	static struct torus_result result;
	struct torus_link_view view;
	struct torus_cycle cycle;

	switch (fuzz_below(input, 6)) {
	case 0:
		CALL(torus_watchdog_check(f, &cycle));
		return;
	case 1:
		CALL(torus_completions_report_blocked(f));
		return;
	case 2:
		CALL(torus_fabric_counters(f, &all));
		return;
	case 3:
		if (f->workload)
			CALL(torus_traffic_result(f, &result));
		return;
	default:
		CALL(torus_link_counters(f, node, dir, &counters));
		CALL(torus_link_view(f, node, dir, &view));
	}
}

static void a_program(struct fuzz_input *input)
{
	struct client *c = &clients[fuzz_below(input, CLIENTS)];
	u32 place = fuzz_u8(input);

	switch (fuzz_below(input, 4)) {
	case 0:
		if (c->attached)
			CALL(client_detach(c));
		return;
	case 1:
		if (c->attached || f->workload)
			return;
		c->node = place % f->nodes;
		c->group = place / f->nodes % f->arch->groups;
		CALL(client_attach(c));
		return;
	default:
		c->reads = !c->reads;
	}
}

/*
 * Set further arguments of a workload, selected by bits of a byte. If no bit is set, the workload
 * is valid.
 */
static void draw_workload(struct fuzz_input *input, struct torus_traffic *t)
{
	u32 chunk = f->arch->chunk_bytes, how = fuzz_u8(input), i;

	if (how & 0x01) {
		t->packets = fuzz_below(input, 20);
		t->load = 0;
		t->cycles = 0;
	}
	if (how & 0x02)
		t->pattern = fuzz_below(input, TORUS_PATTERN_MAX + 1);
	if (how & 0x04) {
		t->size_min = (1 + fuzz_below(input, f->arch->packet_chunks_max)) * chunk;
		t->size_max = t->size_min + fuzz_below(input, 3) * chunk;
	}
	if (how & 0x08) {
		t->arrivals = fuzz_below(input, 3);
		t->burst = fuzz_below(input, 4);
		t->load = t->load ? (u64)fuzz_u8(input) << 25 : 0;
		t->pacing = (u64)fuzz_u8(input) << 25;
	}
	if (how & 0x10) {
		t->reply = fuzz_below(input, 8) * chunk;
		t->outstanding = fuzz_below(input, 4);
	}
	if (how & 0x20) {
		t->packet_class = fuzz_below(input, 4);
		t->share = (u64)fuzz_u8(input) << 25;
		t->hots = fuzz_below(input, 4);
		for (i = 0; i < t->hots && i < TORUS_HOTS_MAX; i++)
			t->hot[i] = fuzz_below(input, f->nodes + 1);
	}
	if (how & 0x40) {
		t->warmup = fuzz_u8(input);
		t->cycles = fuzz_u8(input);
		t->batches = fuzz_below(input, 4);
	}
	if (how & 0x80)
		for (i = 0; i < f->cfg.geo.ndims; i++) {
			t->region[i] = fuzz_below(input, 5);
			t->region_at[i] = fuzz_below(input, 4);
		}
}

/* Start synthetic traffic on a reset fabric without clients, or stop it. */
static void a_workload(struct fuzz_input *input)
{
	struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_UNIFORM, .load = 1u << 31, .cycles = 512,
		.size_min = 8 * f->arch->chunk_bytes, .size_max = 8 * f->arch->chunk_bytes,
	};
	u32 i;

	draw_workload(input, &traffic);
	if (f->workload) {
		CALL(torus_traffic_stop(f));
		return;
	}
	for (i = 0; i < CLIENTS; i++)
		client_detach(&clients[i]);
	CALL_OR_WHY(torus_fabric_reset(f, fuzz_u8(input), &err));
	CALL_OR_WHY(torus_traffic_start(f, &traffic, &err));
}

typedef void step_fn(struct fuzz_input *input);

static step_fn *const steps[] = {
	any_packet, built_packet, built_packet, a_command, a_command, a_fault, a_state, a_sender,
	a_partition, a_register, a_register, a_program, a_workload, a_setting, a_look,
	built_packet,
};

/* Steps on a machine without FIFOs for programs, such as a k-ary n-cube. */
static step_fn *const other_steps[] = {
	a_workload, a_fault, a_state, a_workload, a_sender, a_partition, a_look, a_setting,
};

/* ------------------------------------------------------------------ runs */

static void counted(void)
{
	struct torus_check check;

	fuzz_demand(!torus_check_fabric(f, &check));
	fuzz_demand(check.conserved);
	fuzz_demand(!check.wrong);
}

/* Select shape, domains and parameters. Return: false if the machine rejects the shape. */
static bool configure(struct fuzz_input *input, struct torus_config *config)
{
	const struct kind *k = &kinds[kind];
	u32 dims[TORUS_DIMS_MAX], ndims = k->dims[fuzz_below(input, COUNT(k->dims))];
	u32 nodes = 1, i, count, which, mesh;
	struct torus_error err = { 0 };

	for (i = 0; i < ndims; i++) {
		dims[i] = 1 + fuzz_below(input, k->most[i]);
		if (nodes * dims[i] > k->nodes)
			dims[i] = 1;
		nodes *= dims[i];
	}
	mesh = fuzz_u8(input) & fuzz_u8(input) & ((1u << ndims) - 1);
	fuzz_demand(!torus_arch_config(config, calls_of[kind].name, &err));
	if (torus_config_shape(config, ndims, dims, mesh, &err)) {
		fuzz_demand(err.text[0]);
		return false;
	}
	config->domains = fuzz_below(input, 4) == 3 && config->geo.nodes > 1 ? 2 : 1;
	for (count = fuzz_below(input, SETTINGS_MAX + 1); count; count--) {
		which = fuzz_below(input, COUNT(settings));
		err.text[0] = 0;
		if (torus_config_set(config, settings[which][0], settings[which][1], &err))
			fuzz_demand(err.text[0]);
	}
	return true;
}

static bool packets_begin(struct fuzz_input *input)
{
	struct torus_config config;
	struct torus_error err = { 0 };
	u32 n;

	if (!configure(input, &config))
		return false;
	if (CALL(torus_fabric_create(&config, &f, &err))) {
		fuzz_demand(err.text[0]);
		return false;
	}
	machine = torus_machine_find(calls_of[kind].name);
	if (f->arch->routes_make)
		tables_load(f, input);
	for (n = 0; n < CLIENTS; n++) {
		clients[n] = (struct client){
			.f = f, .node = n * (f->nodes - 1) / (CLIENTS - 1), .reads = true,
		};
		if (machine->can >> TORUS_MACHINE_ATTACH & 1)
			CALL(client_attach(&clients[n]));
	}
	return true;
}

/*
 * Let all clients read, and run the fabric for END_TICKS ticks. If no packet is in flight then,
 * each attached client must have been notified of all its packets.
 */
static void end(void)
{
	u64 until = torus_fabric_clock(f) + END_TICKS;
	u32 n;

	for (n = 0; n < CLIENTS; n++)
		clients[n].reads = true;
	if (f->workload)
		torus_traffic_stop(f);
	while (torus_nic_poll(f) && torus_fabric_clock(f) < until)
		torus_fabric_run(f, until, 0, 1);
	torus_fabric_run(f, until, 0, 1);
	torus_nic_poll(f);
	counted();
	for (n = 0; n < CLIENTS; n++) {
		if (clients[n].attached && !torus_fabric_in_flight(f))
			fuzz_demand(clients[n].completed == clients[n].accepts);
		client_detach(&clients[n]);
	}
	torus_fabric_destroy(f);
}

static void step(struct fuzz_input *input, u32 what)
{
	if (machine->can >> TORUS_MACHINE_ATTACH & 1)
		steps[what % COUNT(steps)](input);
	else
		other_steps[what % COUNT(other_steps)](input);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	u32 what, n, ticks, runs = 0, left = TICKS_MAX;

	kind = fuzz_below(&input, COUNT(kinds));
	/* skip the input if its machine already has enough calls */
	if (!size || calls_enough(calls_of, COUNT(calls_of), kind) || !packets_begin(&input))
		return 0;
	for (n = 0; n < STEPS_MAX && input.left; n++) {
		what = fuzz_u8(&input);
		if (what & 0x80) {
			ticks = (what & 0x7f) * TICKS_LEAST;
			if (ticks > left)
				ticks = TICKS_LEAST;
			else
				left -= ticks;
			packets_run(ticks);
			if (!(++runs % COUNTED))
				counted();
		} else {
			step(&input, what);
		}
	}
	end();
	calls_report(calls_of, COUNT(calls_of));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Packets, faults, registers, workloads and clients against a small fabric of any machine.  The
 * input is what happens to it, a byte that says what and then its numbers: a packet's header may
 * be any bytes, or one that user space builds with a byte changed.  After some runs each packet and
 * each token is somewhere; once nothing is under way each packet's client has been told.
 */
#include "arch/arch.h"
#include "core/base/number.h"
#include "core/run/census.h"
#include "core/run/fabric.h"
#include "core/state/ending.h"
#include "../machine/machine.h"
#include "take.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define CLIENTS		4
#define QUEUED_MAX	32	/* packets that wait in a client at a time */
#define STEPS_MAX	200
#define COUNTED		16	/* runs between two counts of all, which take the most time */
#define TICKS_MAX	2048	/* of all runs; one that would pass it has TICKS_LEAST */
#define TICKS_LEAST	8
#define PACKET_MAX	2048
#define END_TICKS	2000000	/* until everything must have come to rest, but bad links */

static const struct {
	const char *arch;
	u32 ndims;
	u32 dims[3];
	u32 mesh;
	const char *key, *value;
} machines[] = {
	{ "bgl", 3, { 2, 3, 2 }, 0, NULL, NULL },
	{ "bgl", 3, { 3, 2, 1 }, 1, "control", "simulated" },
	{ "bgl", 3, { 4, 2, 1 }, 0, "bubble", "plain" },
	{ "xt", 3, { 3, 2, 2 }, 0, NULL, NULL },
	{ "tofu", 3, { 2, 1, 1 }, 0, NULL, NULL },
	{ "kncube", 2, { 4, 3 }, 0, NULL, NULL },
	{ "kncube", 2, { 4, 3 }, 0, "buffers", "finite" },
};

struct queued {
	u32 fifo;
	u32 chunks;
	u8 bytes[PACKET_MAX];
};

/**
 * struct client - a program at a node
 * @node: where
 * @attached: it is there
 * @reads: it takes what arrives
 * @queue: packets that it wants to send
 * @count: their number
 * @pulled: how many of them the core has taken
 * @accepts: packets accepted since it came
 * @completed: that it was told have ended
 */
struct client {
	u32 node;
	bool attached;
	bool reads;
	struct queued queue[QUEUED_MAX];
	u32 count;
	u32 pulled;
	u64 accepts;
	u64 completed;
};

static struct torus_fabric *f;
static struct client clients[CLIENTS];
static const struct torus_machine *machine;

/* -------------------------------------------------------------------- clients */

static u32 client_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct client *c = client;
	const struct queued *q = &c->queue[c->pulled];

	if (c->pulled == c->count || q->fifo != fifo || q->chunks > room)
		return 0;
	memcpy(bytes, q->bytes, (size_t)q->chunks * f->arch->chunk_bytes);
	*number = c->pulled++;
	return q->chunks;
}

static void client_refused(void *client, u32 fifo, u32 code)
{
	fuzz_demand(code);
}

static void client_accepted(void *client, u32 fifo)
{
	((struct client *)client)->accepts++;
}

static bool client_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	fuzz_demand(chunks && chunks <= f->arch->packet_chunks_max);
	return ((struct client *)client)->reads;
}

static void client_notify(void *client)
{
}

static void client_lost(void *client, const struct torus_loss *loss)
{
	fuzz_demand(loss->src == ((struct client *)client)->node);
}

static void client_ended(void *client, u64 completed)
{
	struct client *c = client;

	fuzz_demand(completed > c->completed && completed <= c->accepts);
	c->completed = completed;
}

static const struct torus_nic_ops ops = {
	.pull = client_pull,
	.refused = client_refused,
	.accepted = client_accepted,
	.push = client_push,
	.notify = client_notify,
	.lost = client_lost,
	.ended = client_ended,
};

static void attach(struct client *c)
{
	struct torus_error err;
	u32 generation;

	c->count = 0;
	c->pulled = 0;
	c->accepts = 0;
	c->completed = 0;
	c->attached = !torus_nic_attach(f, c->node, 0, true, &ops, c, &generation, &err);
}

static void detach(struct client *c)
{
	if (c->attached)
		torus_nic_detach(f, c->node, 0);
	c->attached = false;
}

/* ---------------------------------------------------------------------- steps */

static void run(u64 ticks)
{
	torus_nic_poll(f);
	torus_fabric_run(f, torus_fabric_clock(f) + ticks, 0, 1);
	torus_nic_poll(f);
}

static struct queued *queue(struct fuzz_input *input)
{
	struct client *c = &clients[fuzz_below(input, CLIENTS)];
	struct queued *q;

	if (!c->attached)
		return NULL;
	if (c->pulled == c->count) {
		c->pulled = 0;
		c->count = 0;
	}
	if (c->count == QUEUED_MAX)
		return NULL;
	q = &c->queue[c->count++];
	memset(q, 0, sizeof(*q));
	q->fifo = fuzz_below(input, f->arch->inject_fifos);
	q->chunks = 1 + fuzz_below(input, f->arch->packet_chunks_max);
	return q;
}

static void any_packet(struct fuzz_input *input)
{
	struct queued *q = queue(input);

	if (q)
		fuzz_take(input, q->bytes, TORUS_MACHINE_HEADER_MAX);
}

static void built_packet(struct fuzz_input *input)
{
	struct queued *q = queue(input);
	struct torus_machine_packet packet = { 0 };
	u32 coords[TORUS_DIMS_MAX], node, at;
	char why[256];

	if (!q)
		return;
	node = fuzz_below(input, f->nodes);
	torus_geometry_coords(&f->cfg.geo, node, coords);
	packet.dest = coords;
	packet.node = torus_node_number(&f->cfg.geo, node);
	packet.chunks = q->chunks;
	packet.route = (int)fuzz_below(input, 3);
	packet.hints = fuzz_u8(input);
	packet.deposit = packet.hints & 1;
	if (machine->build(q->bytes, &packet, why, sizeof(why)))
		fuzz_demand(why[0]);
	at = fuzz_below(input, 64);
	if (at < TORUS_MACHINE_HEADER_MAX)
		q->bytes[at] ^= fuzz_u8(input);
}

static void a_fault(struct fuzz_input *input)
{
	struct torus_fault fault = {
		.what = fuzz_u32(input) & (2 * TORUS_FAULT_DROP_NACK - 1),
		.node = fuzz_below(input, f->nodes),
		.dir = fuzz_below(input, f->dirs),
		.state = fuzz_below(input, 2),
		.corrupt = fuzz_below(input, 4), .escape = fuzz_below(input, 4),
		.drop_ack = fuzz_below(input, 4), .corrupt_ack = fuzz_below(input, 4),
		.drop_nack = fuzz_below(input, 4), .ecc_single = fuzz_below(input, 4),
		.ecc_double = fuzz_below(input, 4), .parity = fuzz_below(input, 4),
		.ber = (u64)fuzz_u8(input) << 48,
		.delay = fuzz_u8(input),
		.lasts = fuzz_u8(input),
	};
	struct torus_error err = { 0 };

	fault.at = torus_fabric_clock(f) + fuzz_u8(input);
	if (torus_fault_set(f, &fault, &err))
		fuzz_demand(err.text[0]);
}

static void a_node(struct fuzz_input *input)
{
	u32 node = fuzz_below(input, f->nodes);
	struct torus_error err = { 0 };

	if (torus_node_kill(f, node, fuzz_below(input, 2), &err))
		fuzz_demand(err.text[0]);
}

static void a_register(struct fuzz_input *input)
{
	u32 node = fuzz_below(input, f->nodes), offset, value;
	struct torus_error err = { 0 };

	if (!f->arch->reg_write)
		return;
	offset = fuzz_u8(input) * 4;
	value = fuzz_u32(input);
	if (f->arch->reg_write(f, node, offset, value, &err))
		fuzz_demand(err.text[0]);
	else
		fuzz_demand(!f->arch->reg_read(f, node, offset, &value, &err));
}

static void a_program(struct fuzz_input *input)
{
	struct client *c = &clients[fuzz_below(input, CLIENTS)];

	switch (fuzz_below(input, 4)) {
	case 0:
		return detach(c);
	case 1:
		if (!c->attached)
			attach(c);
		return;
	default:
		c->reads = !c->reads;
	}
}

/* Synthetic traffic instead of programs, on a fabric that begins again; or no more of it. */
static void a_workload(struct fuzz_input *input)
{
	struct torus_traffic traffic = {
		.pattern = fuzz_below(input, TORUS_PATTERN_MAX + 1),
		.size_min = fuzz_u8(input) * 2, .size_max = fuzz_u8(input) * 8,
		.arrivals = fuzz_below(input, 4),
		.load = (u64)fuzz_u8(input) << 25,
		.packets = fuzz_below(input, 20),
		.warmup = fuzz_u8(input), .cycles = fuzz_u8(input),
		.share = (u64)fuzz_u8(input) << 25,
		.batches = fuzz_below(input, 4), .burst = fuzz_below(input, 4),
		.pacing = (u64)fuzz_u8(input) << 25,
		.packet_class = fuzz_below(input, 4),
		.reply = fuzz_u8(input) * 8, .outstanding = fuzz_below(input, 4),
		.hots = fuzz_below(input, 4),
	};
	struct torus_error err = { 0 };
	u32 i;

	for (i = 0; i < f->cfg.geo.ndims; i++) {
		traffic.region[i] = fuzz_below(input, 5);
		traffic.region_at[i] = fuzz_below(input, 4);
	}
	for (i = 0; i < traffic.hots && i < TORUS_HOTS_MAX; i++)
		traffic.hot[i] = fuzz_below(input, f->nodes + 1);
	if (f->workload) {
		torus_traffic_stop(f);
		return;
	}
	for (i = 0; i < CLIENTS; i++)
		detach(&clients[i]);
	fuzz_demand(!torus_fabric_reset(f, fuzz_u8(input), &err));
	if (torus_traffic_start(f, &traffic, &err))
		fuzz_demand(err.text[0]);
}

static void (*const steps[])(struct fuzz_input *input) = {
	any_packet, built_packet, built_packet, built_packet,
	a_fault, a_node, a_register, a_program, a_workload,
};

/* ---------------------------------------------------------------------- whole */

static void counted(void)
{
	struct torus_check check;

	fuzz_demand(!torus_check_fabric(f, &check));
	fuzz_demand(check.conserved);
	fuzz_demand(!check.wrong);
}

static void begin(u32 i)
{
	struct torus_config config;
	struct torus_error err;
	u32 n;

	fuzz_demand(!torus_arch_config(&config, machines[i].arch, &err));
	fuzz_demand(!torus_config_shape(&config, machines[i].ndims, machines[i].dims,
					machines[i].mesh, &err));
	if (machines[i].key)
		fuzz_demand(!torus_config_set(&config, machines[i].key, machines[i].value, &err));
	fuzz_demand(!torus_fabric_create(&config, &f, &err));
	machine = torus_machine_find(machines[i].arch);
	for (n = 0; n < CLIENTS; n++) {
		clients[n].node = n * (f->nodes - 1) / (CLIENTS - 1);
		clients[n].reads = true;
		attach(&clients[n]);
	}
}

/* Everybody reads; the clients of what is under way hear of it. */
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
		detach(&clients[n]);
	}
	torus_fabric_destroy(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = { data, size };
	u32 what, n, ticks, runs = 0, left = TICKS_MAX;

	if (!size)
		return 0;
	begin(fuzz_below(&input, COUNT(machines)));
	for (n = 0; n < STEPS_MAX && input.left; n++) {
		what = fuzz_u8(&input);
		if (what & 0x80) {
			ticks = (what & 0x7f) * TICKS_LEAST;
			if (ticks > left)
				ticks = TICKS_LEAST;
			else
				left -= ticks;
			run(ticks);
			if (!(++runs % COUNTED))
				counted();
		} else {
			steps[what % COUNT(steps)](&input);
		}
	}
	end();
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The second router stage: a machine with two dimensions, two VCs with a dateline in each
 * dimension, and five banks of twelve queues. The oldest packet goes first.
 */
#include "rig.h"
#include "core/base/crc.h"

#define ROUTER_DIRS	4
#define ROUTER_VCS	2
#define ROUTER_INJECT	2
#define ROUTER_CHUNKS	32
#define ROUTER_STAGES	2
#define ROUTER_BANK	12
#define ROUTER_ROUND_ROBIN	1

#define CHUNK_BYTES	32
#define PACKET_CHUNKS	8
#define CROSS_TICKS	4	/* ticks of a chunk over the crossbar */
#define CROSS_LATENCY	6
#define LATENCY		20
#define ACK_DELAY	10

/* Header of a packet: one bit per dimension whose dateline it has crossed. */
struct banks_header {
	u8 crossed;
	u8 spare[11];
};

struct banks_node {
	u8 dateline;		/* links across it */
};

struct banks_pass {
	u32 random;
};

struct banks_machine {
	struct torus_link_timing timing;
	const struct torus_geometry *geo;
	bool datelines;
	u32 capacity;		/* of a queue in front of an output, in chunks */
};

#define machine_params_t	struct banks_machine
#define machine_node_t		struct banks_node
#define machine_pass_t		struct banks_pass
#define machine_run		banks_run
#define machine_route		banks_route
#define machine_choose		banks_choose
#define machine_pass		banks_draw
#define machine_key_input	banks_key_input
#define machine_key_stage	banks_key_stage
#define machine_depart		banks_depart
#define machine_tokens		banks_tokens
#define machine_room		banks_room
#define machine_capacity	banks_capacity
#define machine_far		banks_far
#define machine_wire_ticks	banks_wire_ticks
#define machine_receive_ticks	banks_wire_ticks
#define machine_payload		banks_payload
#define machine_deliver		banks_deliver
#define machine_inject_slot	banks_inject_slot
#define machine_prefetch	banks_prefetch
#define machine_stage_queue	banks_queue
#define machine_stage_vc	banks_queue_vc
#define machine_stage_capacity	banks_queue_capacity
#define machine_stage_ticks	banks_cross_ticks
#define machine_stage_latency	banks_cross_latency

#include "core/link/control.h"
#include "core/router/machine.h"

static s32 banks_way(const struct torus_geometry *g, u32 dim, u32 from, u32 to)
{
	s32 n = (s32)g->dims[dim], plus = (s32)to - (s32)from;

	plus += plus < 0 ? n : 0;
	return 2 * plus <= n ? plus : plus - n;
}

/* Route in dimension order by the shorter way, on VC 1 after the dateline. */
static struct router_way banks_route(struct torus_domain *d, const struct router_node *n, u32 node,
				     u32 slot, struct torus_packet *p)
{
	const struct banks_machine *m = d->machine;
	const struct banks_header *h = (const struct banks_header *)p->header;
	u32 at[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], dim, dir, vc;

	torus_geometry_coords(m->geo, node, at);
	torus_geometry_coords(m->geo, p->dst, to);
	for (dim = 0; dim < 2 && at[dim] == to[dim]; dim++)
		;
	if (dim == 2)
		return ROUTER_HERE;
	dir = 2 * dim + (banks_way(m->geo, dim, at[dim], to[dim]) < 0);
	if (!(n->exists & ROUTER_DIR_BITS(dir)))
		return ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	vc = m->datelines && (h->crossed >> dim & 1 || n->own.dateline >> dir & 1);
	return ROUTER_WAY((router_mask_t)1 << (dir * ROUTER_VCS + vc), false);
}

static u32 banks_choose(const struct banks_machine *m, const struct router_node *n,
			router_mask_t mask, u32 random)
{
	return torus_ctz(mask);
}

static struct banks_pass banks_draw(const struct banks_machine *m, struct router_node *n)
{
	return (struct banks_pass){ router_random(n) };
}

/* Rank the slots of an input in round robin order, starting after its last winner. */
static u32 banks_key_input(struct torus_domain *d, const struct banks_pass *pass,
			   const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	return (n->last_input[router_input_of(slot)] - slot) & 0xff;
}

/* Rank packets in a bank by age: the oldest packet wins. */
static u32 banks_key_stage(struct torus_domain *d, const struct banks_pass *pass,
			   const struct router_node *n, u32 output, u32 queue,
			   const struct torus_packet *p)
{
	return (u32)(d->now - p->born);
}

static void banks_depart(struct torus_domain *d, const struct router_node *n,
			 struct torus_packet *p, u32 dir)
{
	struct banks_header *h = (struct banks_header *)p->header;

	h->crossed |= (u8)((n->own.dateline >> dir & 1) << TORUS_DIM(dir));
}

static u32 banks_tokens(const struct banks_machine *m, const struct torus_packet *p, u32 vc)
{
	return p->chunks;
}

static u32 banks_room(const struct banks_machine *m, u32 vc, u32 tokens)
{
	return tokens >= PACKET_CHUNKS ? ROUTER_GO_ON : 0;
}

static u32 banks_capacity(const struct banks_machine *m, u32 vc)
{
	return 2 * PACKET_CHUNKS;
}

static u32 banks_far(const struct banks_machine *m, const struct router_node *n, u32 dir)
{
	return 0;
}

static u32 banks_wire_ticks(const struct banks_machine *m, const struct torus_packet *p)
{
	return p->chunks * CHUNK_BYTES;
}

static u32 banks_payload(const struct banks_machine *m, const struct torus_packet *p)
{
	return p->chunks * CHUNK_BYTES;
}

static u32 banks_deliver(const struct torus_packet *p, u32 slot)
{
	return 0;
}

static u32 banks_inject_slot(u32 queue)
{
	return queue;
}

static void banks_prefetch(const struct banks_machine *m, u32 node)
{
}

static u32 banks_queue(u32 output, u32 input, u32 vc)
{
	return input * ROUTER_VCS + vc;
}

static u32 banks_queue_vc(u32 output, u32 queue)
{
	return queue % ROUTER_VCS;
}

static u32 banks_queue_capacity(const struct banks_machine *m, u32 output, u32 queue)
{
	return m->capacity;
}

static u32 banks_cross_ticks(const struct banks_machine *m, const struct torus_packet *p)
{
	return p->chunks * CROSS_TICKS;
}

static u32 banks_cross_latency(const struct banks_machine *m)
{
	return CROSS_LATENCY;
}

#include "core/router/loop.h"
#include "core/router/ops.h"
#include "core/run/windows.h"

/* --------------------------------------------------------------- the machine */

static const char *const banks_vcs[] = { "V0", "V1" };
static const struct torus_router_ops banks_ops = ROUTER_OPS(banks_vcs);
static const struct torus_param banks_params[] = {
	{ .name = "datelines", .max = 1, .def = 1 },
	{ .name = "capacity", .min = PACKET_CHUNKS, .max = 32, .def = PACKET_CHUNKS },
};
static const u32 banks_nregs;

static u64 banks_tick_fs(const struct torus_config *cfg)
{
	return 5000000;
}

static const struct torus_router_ops *banks_router(const struct torus_config *cfg)
{
	return &banks_ops;
}

static size_t banks_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = 0;
	return sizeof(struct router_node);
}

static int banks_configure(struct torus_fabric *f, struct torus_error *err)
{
	struct banks_machine *m = f->machine;

	m->timing = (struct torus_link_timing){
		.latency = LATENCY, .ack_delay = ACK_DELAY, .timeout = 1000,
		.window_bytes = 2048, .retries = 100,
	};
	m->geo = &f->cfg.geo;
	m->datelines = f->cfg.params[0];
	m->capacity = (u32)f->cfg.params[1];
	f->lookahead = ACK_DELAY;
	f->hop_limit = 100;
	return 0;
}

static void banks_node_init(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 at[TORUS_DIMS_MAX], dir;

	router_init(d, node, f->cfg.seed);
	torus_geometry_coords(&f->cfg.geo, node, at);
	for (dir = 0; dir < ROUTER_DIRS; dir++)
		if (TORUS_MINUS(dir) ? !at[TORUS_DIM(dir)] :
				       at[TORUS_DIM(dir)] + 1 == f->cfg.geo.dims[TORUS_DIM(dir)])
			router_node(d, node)->own.dateline |= (u8)(1u << dir);
}

static void banks_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	packet->chunks = (u8)chunks;
	memset(packet->header, 0, sizeof(packet->header));
}

static u32 banks_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	return 0;
}

static s32 banks_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to)
{
	return banks_way(&f->cfg.geo, dim, from, to);
}

static bool banks_intact(const u8 *header)
{
	return true;
}

static u32 banks_crc(const u8 *bytes, u32 len)
{
	return torus_crc24(TORUS_CRC24_INIT, bytes, len);
}

static void banks_image(const struct torus_packet *packet, u32 seq, u8 *bytes)
{
	memcpy(bytes, &packet->dst, sizeof(packet->dst));
	bytes[4] = seq;
}

static bool banks_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	return false;
}

static void banks_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	*t = ((struct banks_machine *)f->machine)->timing;
}

static const struct torus_arch banks_arch = {
	.name = "banks", .dims_min = 2, .dims_max = 2, .length_max = 16, .nodes_max = 256,
	.groups = 1, .inject_fifos = 2, .receive_fifos = 1, .fifo_chunks = 32,
	.chunk_bytes = CHUNK_BYTES, .packet_chunks_max = PACKET_CHUNKS, .header_bytes = 8,
	.crc_bytes = TORUS_CRC24_BYTES, .crc_generator = 0x1864cfb,
	.ticks_per_chunk = CHUNK_BYTES, .machine_bytes = sizeof(struct banks_machine),
	.params = banks_params, .nparams = COUNT(banks_params), .nregs = &banks_nregs,
	.tick_fs = banks_tick_fs, .router = banks_router, .node_bytes = banks_node_bytes,
	.configure = banks_configure, .node_init = banks_node_init, .make = banks_make,
	.inject_route = banks_inject_route, .steps = banks_steps, .intact = banks_intact,
	.crc = banks_crc, .image = banks_image, .adopt = banks_adopt, .timing = banks_timing,
};

static struct torus_fabric *banks_deep_fabric(u32 x, u32 y, u32 domains, bool datelines,
					      u32 capacity)
{
	struct torus_config cfg = {
		.arch = &banks_arch, .seed = 5, .domains = domains,
		.params = { datelines, capacity },
	};
	u32 dims[] = { x, y };
	struct torus_fabric *f;
	struct torus_error err;

	if (torus_config_shape(&cfg, 2, dims, 0, &err) || torus_fabric_create(&cfg, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static struct torus_fabric *banks_fabric(u32 x, u32 y, u32 domains, bool datelines)
{
	return banks_deep_fabric(x, y, domains, datelines, PACKET_CHUNKS);
}

static void census(struct torus_fabric *f)
{
	struct torus_check check;

	assert_int_equal(torus_check_fabric(f, &check), 0);
	assert_true(check.conserved);
	assert_int_equal(check.wrong, 0);
}

/* ------------------------------------------------------------------- tests */

static struct torus_packet banks_packet(u32 src, u32 dst, u32 chunks)
{
	struct torus_packet p = {
		.src = src, .dst = dst, .body = TORUS_NONE, .chunks = (u8)chunks,
	};

	return p;
}

/*
 * A hop takes the latency of the crossbar and of the link. The reception port takes the ticks of
 * the packet.
 */
static void test_hop_latency(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet p = banks_packet(0, 1, 8);
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DELIVER);
	/* place the packet in a buffer of node 0, as if it had arrived from node 3 */
	assert_int_equal(f->router->place(f, 0, 0, 0, &p), 0);
	rig_drain(f);
	assert_int_equal(trace.n, 2);
	assert_int_equal(trace.step[1].at - trace.step[0].at,
			 LATENCY + CROSS_LATENCY + 8 * CHUNK_BYTES);
	rig_trace_free(&trace);
	census(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
}

/*
 * An input is busy until the last byte of its packet has crossed, also for packets on other VCs.
 */
static void test_input_is_busy(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet p = banks_packet(0, 1, 8), q = banks_packet(0, 4, 8);
	const struct rig_step *first, *second;
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	assert_int_equal(f->router->place(f, 0, 0, 0, &p), 0);
	/* the second packet arrives while the first crosses */
	torus_fabric_run(f, CROSS_TICKS, 0, 1);
	assert_int_equal(f->router->place(f, 0, 0, 1, &q), 0);
	rig_drain(f);
	first = rig_find(&trace, TORUS_TRACE_HOP, 0, 0);
	second = rig_find(&trace, TORUS_TRACE_HOP, 0, 1);
	assert_int_not_equal(first->dir, second->dir);
	assert_int_equal(second->at - first->at, 8 * CROSS_TICKS);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * Two packets from different inputs want one output: the older packet leaves first, although it
 * crossed to its queue later, and although its queue would lose a tie.
 */
static void test_oldest_first(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet young = banks_packet(0, 1, 8), old = banks_packet(9, 1, 8);
	const struct rig_step *step;
	struct rig_trace trace;

	/* the link is busy while both packets cross */
	torus_fabric_run(f, 100, 0, 1);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	young.born = 90;
	old.born = 10;
	assert_int_equal(f->router->place(f, 0, 2, 0, &young), 0);
	assert_int_equal(f->router->place(f, 0, 3, 0, &young), 0);
	torus_fabric_run(f, 150, 0, 1);
	assert_int_equal(f->router->place(f, 0, 0, 0, &old), 0);
	rig_drain(f);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, 0), 3);
	step = rig_find(&trace, TORUS_TRACE_HOP, 0, 1);
	assert_int_equal(step->src, 9);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static struct torus_result run_load(struct torus_fabric *f, u32 percent, u64 cycles, u32 threads)
{
	rig_load(f, percent, 32, 256, cycles);
	return rig_finish(f, 0, threads);
}

/* All packets arrive and all tokens return, with each number of domains. */
static void test_load(void **state)
{
	u64 hash = 0;
	u32 domains;

	for (domains = 1; domains <= 4; domains *= 2) {
		struct torus_fabric *f = banks_fabric(5, 4, domains, true);
		struct torus_result r = run_load(f, 90, 20000, 1);

		assert_true(r.conservation);
		assert_true(r.tokens);
		assert_true(r.delivered > 1000);
		if (domains == 1)
			hash = r.hash;
		assert_int_equal(r.hash, hash);
		torus_fabric_destroy(f);
	}
}

/* All packets arrive despite bit errors, which are detected in packets of both stages. */
static void test_errors(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 2, true);
	struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE,
		.ber = 1ull << 44,
	};
	struct torus_result r;

	rig_fault(f, &fault);
	r = run_load(f, 70, 40000, 1);
	assert_true(r.conservation);
	assert_true(r.tokens);
	assert_true(r.retransmitted > 20);
	torus_fabric_destroy(f);
}

/* Rings without a dateline deadlock, and the watchdog names the cycle. */
static void test_deadlock(void **state)
{
	struct torus_fabric *f = banks_fabric(8, 1, 1, false);
	struct torus_cycle cycle;
	u32 i;

	rig_load(f, 200, 256, 256, 200000);
	for (i = 0; i < 2000 && torus_watchdog_check(f, &cycle) != TORUS_VERDICT_DEADLOCK; i++)
		rig_step(f, 10, 1);
	assert_int_equal(torus_watchdog_check(f, &cycle), TORUS_VERDICT_DEADLOCK);
	assert_int_equal(cycle.length, 8);
	census(f);
	torus_fabric_destroy(f);
}

/* Packets in the second stage are counted, and a reset of their receiver discards them. */
static void test_flush(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true);
	struct torus_packet p = banks_packet(0, 1, 8);
	struct torus_fault down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 0, .state = 0,
	};
	u64 chunks[TORUS_VCS_MAX] = { 0 }, waits;
	struct torus_error err;
	bool blocked;

	rig_fault(f, &down);
	assert_int_equal(torus_link_disable(f, 0, 0, true, &err), 0);
	assert_int_equal(f->router->place(f, 0, 0, 0, &p), 0);
	while (torus_fabric_pending(f))
		torus_fabric_run(f, torus_fabric_clock(f) + 1000, 0, 1);
	f->router->occupancy(&f->domain[0], chunks);
	assert_int_equal(chunks[0], 8);
	assert_int_not_equal(f->router->head(f, 0, 0, &waits, &blocked), TORUS_NONE);
	census(f);
	f->router->flush(f, 0, 0, TORUS_DROP_RESET);
	assert_int_equal(f->router->head(f, 0, 0, &waits, &blocked), TORUS_NONE);
	census(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
}

/* Check the list of a bank. Return the number of packets that are not heads. */
static u32 check_bank(struct torus_domain *d, const struct router_bank *b)
{
	u32 pkt, seen = 0, others = 0;

	for (pkt = b->head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		u32 bit = 1u << torus_packet_at(d, pkt)->slot;

		if (seen == b->waiting)
			others++;
		else
			assert_int_equal(seen & bit, 0);
		seen |= bit;
		if (torus_packet_at(d, pkt)->next == TORUS_NONE)
			assert_int_equal(b->tail, pkt);
	}
	assert_int_equal(seen, b->waiting);
	return others;
}

/*
 * The list of a bank begins with the heads of its queues, so an arbitration visits no other
 * packets. Queues have up to 32 packets; bit errors remove packets from any place of a queue.
 */
static void test_heads_are_first(void **state)
{
	struct torus_fabric *f = banks_deep_fabric(4, 4, 1, true, 32);
	struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = 1, .dir = TORUS_NONE, .ber = 1ull << 46,
	};
	u32 node, i, step, others = 0;

	rig_fault(f, &fault);
	rig_load(f, 150, 32, 64, 20000);
	for (step = 0; step < 400; step++) {
		rig_step(f, 50, 1);
		for (node = 0; node < f->nodes; node++)
			for (i = 0; i < ROUTER_BANKS; i++)
				others += check_bank(f->domain,
						     &router_node(f->domain, node)->bank[i]);
	}
	assert_true(others > 1000);
	census(f);
	torus_fabric_destroy(f);
}

/* A section of a snapshot in memory. */
static struct {
	u8 bytes[1 << 16];
	size_t n;
	size_t at;
} section;

static int section_write(void *file, const void *bytes, u32 n)
{
	assert_true(section.n + n <= sizeof(section.bytes));
	memcpy(section.bytes + section.n, bytes, n);
	section.n += n;
	return 0;
}

static int section_read(void *file, void *bytes, u32 n)
{
	assert_true(section.at + n <= section.n);
	memcpy(bytes, section.bytes + section.at, n);
	section.at += n;
	return (int)n;
}

/* Write or read node @node. */
static void section_node(struct torus_fabric *f, u32 node, bool reading)
{
	const struct torus_snapshot_ops to = { .write = section_write };
	const struct torus_snapshot_ops from = { .read = section_read };
	struct torus_snapshot snap;
	struct torus_error err;

	torus_snapshot_init(&snap, reading ? &from : &to, NULL, &err);
	torus_snapshot_begin(&snap, TORUS_SECTION_NODES);
	f->router->snapshot(&snap, f->domain, node);
	torus_snapshot_end(&snap);
	if (snap.status)
		fail_msg("node %u: %s", node, err.text);
	torus_snapshot_free(&snap);
}

/*
 * Masks that follow from other members are not in a snapshot: a saved state cannot have wrong ones.
 * In the saved nodes all of them are wrong.
 */
static void test_restored_masks(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true), *other = banks_fabric(4, 4, 1, true);
	u32 node, dir, i, requests = 0, waiting = 0;

	rig_load(f, 90, 32, 256, 20000);
	rig_step(f, 4000, 1);
	other->clock = f->clock;
	for (node = 0; node < f->nodes; node++) {
		struct router_node *n = router_node(f->domain, node), right = *n;
		struct router_node *got = router_node(other->domain, node);

		for (dir = 0; dir < ROUTER_DIRS; dir++)
			n->want_dir[dir] = ~n->want_dir[dir];
		n->local = ~n->local;
		n->due_slots = ~0u;
		n->due_outputs = ~0u;
		for (i = 0; i < ROUTER_BANKS; i++)
			n->bank[i].waiting = ~n->bank[i].waiting;
		section.n = 0;
		section.at = 0;
		section_node(f, node, false);
		section_node(other, node, true);
		for (dir = 0; dir < ROUTER_DIRS; dir++) {
			assert_int_equal(got->want_dir[dir] & got->ready,
					 right.want_dir[dir] & right.ready);
			assert_int_equal(got->want_dir[dir] >> ROUTER_SLOTS, 0);
			requests += got->want_dir[dir] & got->ready ? 1 : 0;
		}
		assert_int_equal(got->local & got->ready, right.local & right.ready);
		assert_int_equal(got->local >> ROUTER_SLOTS, 0);
		assert_int_equal(got->due_slots, 0);
		assert_int_equal(got->due_outputs, 0);
		for (i = 0; i < ROUTER_BANKS; i++) {
			assert_int_equal(got->bank[i].waiting, right.bank[i].waiting);
			waiting += right.bank[i].waiting ? 1 : 0;
		}
	}
	assert_true(requests > 10);
	assert_true(waiting > 10);
	torus_fabric_destroy(f);
	torus_fabric_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hop_latency),
		cmocka_unit_test(test_input_is_busy),
		cmocka_unit_test(test_oldest_first),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_heads_are_first),
		cmocka_unit_test(test_restored_masks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Hot swap of a unit, the four nodes with the same x, y, z and b, under load. If a unit is taken
 * out, no packet is lost, and packets stay in order. If it fails, exactly the packets inside are
 * lost, and each of them is reported.
 */
#include "arch/tests/engine_rig.h"
#include "arch/tofu/inject.h"
#include "arch/tofu/path.h"
#include "core/link/fault.h"
#include "core/run/node_state.h"
#include "core/run/windows.h"
#include "core/tests/rig.h"

#define UNIT		4u
#define TIMES		20u	/* number of swaps or failures */
#define STEP		128u	/* ticks between two checks for free FIFOs */
#define PACKETS		4096u	/* maximum packets per source */

/* Place at which a packet was seen last. */
enum where { NOWHERE, AT_NODE, ON_LINK };

struct seen_packet {
	u8 where;
	bool ended;
	u32 node;		/* node where the packet is, or that it left */
	u32 peer;		/* next node */
};

/**
 * struct unit_ledger - records of all packets
 * @tracer: hook of the core
 * @f: the fabric
 * @packet: last place of each packet, by source and sequence number
 * @sent: number of packets, by source
 * @last: sequence number after the last arrival, by source and destination
 * @delivered: number of delivered packets
 * @dropped: number of lost packets
 * @inside: number of lost packets that were in a failed unit or on its links
 * @out: the four nodes of the unit that is out
 * @nout: 0 or 4
 * @failures: units fail, instead of being taken out
 */
struct unit_ledger {
	struct torus_tracer tracer;
	struct torus_fabric *f;
	struct seen_packet *packet;
	u32 *sent;
	u32 *last;
	u64 delivered;
	u64 dropped;
	u64 inside;
	u32 out[UNIT];
	u32 nout;
	bool failures;
};

static bool is_out(const struct unit_ledger *l, u32 node)
{
	u32 i;

	for (i = 0; i < l->nout; i++)
		if (l->out[i] == node)
			return true;
	return false;
}

static void take_end(struct unit_ledger *l, u32 what, u32 node, const struct torus_packet *p)
{
	struct seen_packet *seen = &l->packet[p->src * PACKETS + p->seq];
	u32 *last = &l->last[p->src * l->f->nodes + p->dst];

	assert_false(seen->ended);
	seen->ended = true;
	if (what == TORUS_TRACE_DELIVER) {
		assert_int_equal(node, p->dst);
		/*
		 * packets on a path around a failed unit may overtake packets that wait for the
		 * unit
		 */
		if (!l->failures)
			assert_in_range(p->seq, *last, PACKETS);
		*last = p->seq + 1;
		l->delivered++;
		return;
	}
	l->dropped++;
	l->inside += seen->where == ON_LINK ? is_out(l, seen->node) || is_out(l, seen->peer) :
					      is_out(l, seen->node);
}

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct unit_ledger *l = (struct unit_ledger *)tracer;
	struct seen_packet *seen = &l->packet[p->src * PACKETS + p->seq];

	switch (what) {
	case TORUS_TRACE_INJECT:
		*seen = (struct seen_packet){ .where = AT_NODE, .node = node };
		break;
	case TORUS_TRACE_HOP:
		*seen = (struct seen_packet){
			.where = ON_LINK, .node = node,
			.peer = torus_geometry_neighbor(&d->f->cfg.geo, node, dir),
		};
		break;
	case TORUS_TRACE_DELIVER:
	case TORUS_TRACE_DROP:
		take_end(l, what, node, p);
		break;
	}
}

static void ledger_open(struct unit_ledger *l, struct torus_fabric *f)
{
	*l = (struct unit_ledger){
		.tracer.event = on_event, .f = f,
		.packet = test_calloc((size_t)f->nodes * PACKETS, sizeof(*l->packet)),
		.sent = test_calloc(f->nodes, sizeof(u32)),
		.last = test_calloc((size_t)f->nodes * f->nodes, sizeof(u32)),
	};
	f->domain[0].tracer = &l->tracer;
}

static void ledger_close(struct unit_ledger *l)
{
	test_free(l->packet);
	test_free(l->sent);
	test_free(l->last);
}

static u64 sent(const struct unit_ledger *l)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < l->f->nodes; i++)
		sum += l->sent[i];
	return sum;
}

/* Send a packet of random size to a random living node, if its FIFO has space. */
static void send(struct unit_ledger *l, u32 node, u64 *rng)
{
	struct torus_fabric *f = l->f;
	u64 random = *rng = torus_mix(*rng);
	u32 to = (u32)(random >> 8) % f->nodes, chunks = 1 + (u32)(random >> 40) % 64;
	u32 fifo = to % 4;
	struct torus_packet p = { .next = TORUS_NONE, .src = node, .dst = to,
				  .seq = l->sent[node], .body = TORUS_NONE,
				  .born = torus_fabric_clock(f) };

	if (to == node || is_out(l, to) || f->router->inject_room(f, node, fifo) < chunks)
		return;
	assert_in_range(p.seq, 0, PACKETS - 1);
	p.entered = p.born;
	f->arch->make(f, &p, chunks);
	assert_int_equal(f->arch->inject_route(f, node, &p), TORUS_REFUSE_NONE);
	rig_inject(f, fifo, &p);
	l->sent[node]++;
}

static void load(struct unit_ledger *l, u64 ticks, u64 *rng)
{
	u64 end = torus_fabric_clock(l->f) + ticks;
	u32 node;

	while (torus_fabric_clock(l->f) < end) {
		for (node = 0; node < l->f->nodes; node++)
			if (!is_out(l, node))
				send(l, node, rng);
		torus_fabric_run(l->f, torus_fabric_clock(l->f) + STEP, 0, 1);
	}
}

/* Select the unit of a random node. */
static void choose_unit(struct unit_ledger *l, u64 *rng)
{
	const struct torus_geometry *g = &l->f->cfg.geo;
	u32 at[TORUS_DIMS_MAX], n = 0;

	*rng = torus_mix(*rng);
	torus_geometry_coords(g, (u32)(*rng >> 16) % g->nodes, at);
	for (at[TOFU_A] = 0; at[TOFU_A] < TOFU_A_LENGTH; at[TOFU_A]++)
		for (at[TOFU_C] = 0; at[TOFU_C] < TOFU_C_LENGTH; at[TOFU_C]++)
			l->out[n++] = torus_geometry_node(g, at);
	assert_int_equal(n, UNIT);
}

static void set_unit(struct unit_ledger *l, enum torus_node_state state)
{
	struct torus_error err;
	u32 i;

	l->nout = UNIT;
	for (i = 0; i < UNIT; i++)
		assert_int_equal(torus_node_set(l->f, l->out[i], state, &err), 0);
	l->nout = state == TORUS_NODE_ALIVE ? 0 : UNIT;
}

/* Count the packets on the links from and to the nodes of the unit. */
static u64 crossed(struct unit_ledger *l)
{
	u64 sum = 0;
	u32 i, dir, vc;

	for (i = 0; i < UNIT; i++)
		for (dir = 0; dir < l->f->dirs; dir++) {
			u32 peer = torus_geometry_neighbor(&l->f->cfg.geo, l->out[i], dir);

			if (peer == TORUS_NONE)
				continue;
			for (vc = 0; vc < TOFU_VCS; vc++)
				sum += rig_link(l->f, l->out[i], dir).packets[vc] +
				       rig_link(l->f, peer, TORUS_REVERSE(dir)).packets[vc];
		}
	return sum;
}

/* ------------------------------------------------------------------- swaps */

static void check_swaps(const char *shape, const char *settings, u64 rng)
{
	struct torus_fabric *f = rig_make_arch("tofu", shape, settings);
	struct unit_ledger l;
	u64 before;
	u32 i;

	ledger_open(&l, f);
	for (i = 0; i < TIMES; i++) {
		choose_unit(&l, &rng);
		load(&l, 4000, &rng);
		rig_drain(f);
		set_unit(&l, TORUS_NODE_DEAD);
		before = crossed(&l);
		load(&l, 4000, &rng);
		rig_drain(f);
		assert_int_equal(torus_fabric_in_flight(f), 0);
		assert_int_equal(crossed(&l), before);
		set_unit(&l, TORUS_NODE_ALIVE);
	}
	rig_empty(f);
	assert_int_equal(l.dropped, 0);
	assert_int_equal(l.delivered, sent(&l));
	assert_in_range(l.delivered, 20 * f->nodes, ~0u);
	ledger_close(&l);
	torus_fabric_destroy(f);
}

static void test_swaps(void **state)
{
	check_swaps("3x2x2", "path=fixed", 1);
	check_swaps("2x3mx1", "path=hash", 2);
}

/*
 * A packet with a given path is rejected if a dead node is on the path. A packet to a dead node is
 * rejected, too.
 */
static void test_unreachable(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	const struct torus_geometry *g = &f->cfg.geo;
	static const u32 at[][TOFU_AXES] = { { 0 }, { 1 }, { 0, 0, 0, 0, 1 } };
	u32 from = torus_geometry_node(g, at[0]), to = torus_geometry_node(g, at[1]);
	u32 relay = torus_geometry_node(g, at[2]), path = tofu_slot(at[2]);
	struct torus_packet p = rig_packet(f, from, to, 2);
	struct torus_error err;

	assert_int_equal(torus_node_set(f, relay, TORUS_NODE_DEAD, &err), 0);
	tofu_fields(&p)->path = (u8)path;
	assert_int_equal(f->arch->inject_route(f, from, &p), TORUS_REFUSE_UNREACHABLE);
	tofu_fields(&p)->path = (u8)(path + 1);
	assert_int_equal(f->arch->inject_route(f, from, &p), TORUS_REFUSE_NONE);
	p.dst = relay;
	f->arch->make(f, &p, 2);
	assert_int_equal(f->arch->inject_route(f, from, &p), TORUS_REFUSE_UNREACHABLE);
	/* the NIC handles packets to the own node, so no link is necessary */
	p.dst = from;
	f->arch->make(f, &p, 2);
	assert_int_equal(f->arch->inject_route(f, from, &p), TORUS_REFUSE_NONE);
	assert_int_equal(torus_node_set(f, relay, TORUS_NODE_ALIVE, &err), 0);
	p.dst = relay;
	f->arch->make(f, &p, 2);
	assert_int_equal(f->arch->inject_route(f, from, &p), TORUS_REFUSE_NONE);
	assert_int_equal(torus_node_set(f, relay, 3, &err), -EINVAL);
	assert_says(err.text, "state 3 dead alive failed");
	torus_fabric_destroy(f);
}

/* The packets of an engine avoid a dead relay. */
static void test_engine(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	struct torus_error err;

	/* the default relay from (0,0,0,0,0,0) to (1,0,0,0,1,0) is (0,0,0,0,1,0) */
	engine_pair_make(&t, "3x1x1", "", 7, 5000);
	assert_int_equal(torus_node_set(t.f, 6, TORUS_NODE_DEAD, &err), 0);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 1, 3, 5000);
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	rig_drain(t.f);
	engine_pair_check(&t, t.to, 2, t.from, 3, 1, 5000);
	assert_int_equal(torus_node_set(t.f, 6, TORUS_NODE_ALIVE, &err), 0);
	rig_settle(t.f);
	assert_int_equal(engine_count(t.b, TORUS_TOFU_RMT_PUT), 1);
	engine_pair_free(&t);
}

/* ---------------------------------------------------------------- failures */

static u64 failed(struct torus_fabric *f)
{
	struct torus_fabric_counters c;
	u64 sum = 0;
	u32 i;

	torus_fabric_counters(f, &c);
	for (i = 0; i < TORUS_DROP_MAX; i++)
		sum += c.dropped[i];
	assert_int_equal(sum, c.dropped[TORUS_DROP_NODE_FAILED]);
	return sum;
}

/*
 * Packets of other nodes whose path leads through the failed unit wait until it is back, then
 * continue.
 */
static void check_failures(const char *shape, const char *settings, u64 rng)
{
	struct torus_fabric *f = rig_make_arch("tofu", shape, settings);
	struct unit_ledger l;
	u32 i;

	ledger_open(&l, f);
	l.failures = true;
	for (i = 0; i < TIMES; i++) {
		choose_unit(&l, &rng);
		load(&l, 3000 + STEP * (i % 7), &rng);
		set_unit(&l, TORUS_NODE_FAILED);
		load(&l, 2000, &rng);
		rig_count(f);
		set_unit(&l, TORUS_NODE_ALIVE);
	}
	rig_drain(f);
	rig_empty(f);
	assert_in_range(l.dropped, TIMES, ~0u);
	assert_int_equal(l.dropped, l.inside);
	assert_int_equal(l.dropped, failed(f));
	assert_int_equal(l.delivered + l.dropped, sent(&l));
	ledger_close(&l);
	torus_fabric_destroy(f);
}

static void test_failures(void **state)
{
	check_failures("3x2x2", "path=fixed", 3);
	check_failures("2x3mx1", "path=hash", 4);
}

/*
 * A failed node whose state is then set to dead has still failed: a packet that was under way to it
 * is lost when the node is alive again.
 */
static void test_failed_stays_failed(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "1x1x1", "");
	struct torus_packet p = rig_packet(f, 0, 1, 64);
	struct torus_error err;

	rig_inject(f, 0, &p);
	torus_fabric_run(f, 16, 0, 1);
	assert_int_equal(torus_node_set(f, p.dst, TORUS_NODE_FAILED, &err), 0);
	assert_int_equal(torus_node_set(f, p.dst, TORUS_NODE_DEAD, &err), 0);
	rig_drain(f);
	assert_int_equal(torus_node_set(f, p.dst, TORUS_NODE_ALIVE, &err), 0);
	rig_drain(f);
	rig_empty(f);
	assert_int_equal(failed(f), 1);
	torus_fabric_destroy(f);
}

/* A packet that a link would retransmit is lost if the link's receiving node fails. */
static void test_failed_links(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "1x1x1", "");
	struct torus_packet p = rig_packet(f, 0, 1, 64);
	struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 2 * TOFU_A, .corrupt = 1,
	};
	struct torus_error err;

	rig_fault(f, &fault);
	rig_inject(f, 0, &p);
	torus_fabric_run(f, 300, 0, 1);
	fault.what = TORUS_FAULT_STATE;
	rig_fault(f, &fault);
	assert_int_equal(torus_node_set(f, p.dst, TORUS_NODE_FAILED, &err), 0);
	rig_drain(f);
	assert_int_equal(torus_node_set(f, p.dst, TORUS_NODE_ALIVE, &err), 0);
	fault.state = 1;
	rig_fault(f, &fault);
	rig_drain(f);
	rig_empty(f);
	assert_int_equal(failed(f), 1);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_swaps),
		cmocka_unit_test(test_unreachable),
		cmocka_unit_test(test_engine),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_failed_stays_failed),
		cmocka_unit_test(test_failed_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

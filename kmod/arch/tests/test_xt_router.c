// SPDX-License-Identifier: GPL-2.0
/*
 * The SeaStar router: conservation of packets and credits, datelines, turns, staging buffers,
 * ports, ages. Results do not depend on the number of domains.
 */
#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/workload/pair_list.h"
#include "core/run/watchdog.h"
#include "xt_rig.h"
#include "core/run/windows.h"

static void check_saturated(const char *shape, const char *settings, u64 each)
{
	struct torus_fabric *f = xt_rig_make(shape, settings, false);
	struct torus_result r;

	rig_packets(f, each, 8, 72);
	while (rig_step(f, 400, 1))
		rig_count(f);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, each * f->nodes);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_ALIVE);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static void test_saturated_oldest_first(void **state)
{
	check_saturated("5x4x3", "", 60);
}

static void test_saturated_in_turns(void **state)
{
	check_saturated("5x4x3", "arbitration=rr", 60);
}

static void test_saturated_small_buffers(void **state)
{
	check_saturated("6x1x4", "buffer_flits=9 staging_flits=9", 60);
}

static void test_saturated_mesh(void **state)
{
	check_saturated("4mx3mx2", "", 60);
}

/* ------------------------------------------------------------------ domains */

static u64 hash_of(const char *settings, u32 threads)
{
	return rig_hash(xt_rig_make("5x4x3", settings, false), 90, 8, 72, 30000, threads);
}

static void test_domains(void **state)
{
	char settings[64];
	u64 age = hash_of("", 1), turns = hash_of("arbitration=rr", 1);
	u32 domains;

	assert_true(age != turns);
	for (domains = 2; domains <= 8; domains += 3) {
		snprintf(settings, sizeof(settings), "domains=%u", domains);
		assert_true(hash_of(settings, 2) == age);
		snprintf(settings, sizeof(settings), "arbitration=rr domains=%u", domains);
		assert_true(hash_of(settings, 1) == turns);
	}
}

/* ---------------------------------------------------------- datelines, turns */

/* Send one packet through an empty machine and trace its hops. */
static void travel(struct torus_fabric *f, struct rig_trace *trace, u32 src, u32 dst)
{
	struct torus_packet p = rig_packet(f, src, dst, 9);

	rig_trace_start(f, trace, 1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DROP |
			1u << TORUS_TRACE_DELIVER);
	rig_inject(f, 0, &p);
	rig_drain(f);
}

/* "The dateline will switch any packet from VC0 to VC1", when the packet leaves its node. */
static void test_dateline_switches(void **state)
{
	struct torus_fabric *f = xt_rig_make("8x1x1", "", true);
	struct rig_trace trace;

	travel(f, &trace, rig_node(f, 6, 0, 0), rig_node(f, 1, 0, 0));
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, TORUS_NONE), 3);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, rig_node(f, 6, 0, 0), 0)->vc, 0);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, rig_node(f, 7, 0, 0), 0)->vc, 1);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, rig_node(f, 0, 0, 0), 0)->vc, 1);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* In minus direction, packets change the VC at the same node. */
static void test_dateline_minus(void **state)
{
	struct torus_fabric *f = xt_rig_make("8x1x1", "", true);
	struct rig_trace trace;

	travel(f, &trace, rig_node(f, 0, 0, 0), rig_node(f, 6, 0, 0));
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, TORUS_NONE), 2);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, rig_node(f, 0, 0, 0), 0)->vc, 0);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, rig_node(f, 7, 0, 0), 0)->vc, 1);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* Create a fabric whose tables have one changed entry. */
static struct torus_fabric *planted(const char *shape, u32 at, u32 input, u32 to, u8 entry)
{
	struct torus_fabric *f = rig_make_arch("xt", shape, "");
	struct xt_plan plan = { .one = true };
	struct torus_error err;
	size_t bytes;
	void *image;
	u32 dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		plan.dateline[dim] = f->cfg.geo.dims[dim] - 1;
	image = xt_rig_image(f, &plan, &bytes);
	*xt_rig_entry(image, at, input, torus_node_number(&f->cfg.geo, to)) = entry;
	assert_int_equal(xt_rig_load(f, image, bytes, &err), 0);
	test_free(image);
	return f;
}

static void check_dropped(struct torus_fabric *f, u32 src, u32 dst, u32 reason)
{
	struct torus_fabric_counters c;
	struct rig_trace trace;
	u32 i;

	travel(f, &trace, src, dst);
	torus_fabric_counters(f, &c);
	for (i = 0; i < TORUS_DROP_MAX; i++)
		assert_int_equal(c.dropped[i], i == reason);
	assert_int_equal(c.delivered, 0);
	rig_empty(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* "If a packet is already on VC1, it is considered a software error and it will be dropped." */
static void test_dateline_drops_vc1(void **state)
{
	check_dropped(planted("8x1x1", 5, XT_PROCESSOR, 1, 0 | TORUS_XT_VC1), 5, 1,
		      TORUS_DROP_MACHINE + XT_DROP_DATELINE);
}

/* "The SeaStar router does not allow 180 degree turns within the network." */
static void test_turn_back(void **state)
{
	check_dropped(planted("8x1x1", 6, 1, 0, 1), 5, 0, TORUS_DROP_MACHINE + XT_DROP_TURN_BACK);
}

static void test_missing(void **state)
{
	check_dropped(planted("8x1x1", 6, 1, 0, TORUS_XT_MISSING), 5, 0, TORUS_DROP_NO_ROUTE);
}

/* A packet that the table sends to the processor of a wrong node is dropped there. */
static void test_wrong_processor(void **state)
{
	check_dropped(planted("8x1x1", 6, 1, 0, TORUS_XT_PROCESSOR), 5, 0, TORUS_DROP_NO_ROUTE);
}

/* A packet that moves straight on keeps its VC, regardless of the tables. */
static void test_straight_keeps_vc(void **state)
{
	struct torus_fabric *f = planted("8x1x1", 1, 1, 3, 0 | TORUS_XT_VC1);
	struct rig_trace trace;

	travel(f, &trace, 0, 3);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 1, 0)->vc, 0);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER, 3), 1);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* A packet that turns takes the VC of the table. */
static void test_turn_takes_vc(void **state)
{
	struct torus_fabric *f = planted("4x4x1", 1, 1, 9, 2 | TORUS_XT_VC1);
	struct rig_trace trace;

	travel(f, &trace, 0, 9);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 0, 0)->vc, 0);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 1, 0)->vc, 1);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER, 9), 1);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------- regions */

/*
 * "The upper three bits .. are compared to the global partition of the current SeaStar router".
 * For another partition the router reads the global table, at the index of those bits and the
 * lowest bit. For its own it reads the local table.
 */
static void test_regions(void **state)
{
	struct torus_fabric *f = rig_make_arch("xt", "4x3x2", "planes=2");
	const struct torus_geometry *g = &f->cfg.geo;
	struct torus_xt_routes *head;
	struct torus_xt_table *table;
	struct torus_error err;
	struct rig_trace trace;
	u32 far, near, node, i, *input;
	size_t bytes;

	/* NIDs: six nodes per plane, z fastest, two planes per region */
	assert_int_equal(torus_node_number(g, rig_node(f, 1, 2, 1)), 11);
	assert_int_equal(torus_node_number(g, rig_node(f, 2, 0, 0)), 4096);
	assert_int_equal(torus_node_number(g, rig_node(f, 3, 2, 1)), 4096 + 11);

	bytes = sizeof(*head) + f->nodes * XT_INPUTS * 4 + 2 * sizeof(*table) + 2 * XT_PAGE;
	head = test_calloc(1, bytes);
	*head = (struct torus_xt_routes){ TORUS_XT_ROUTES_VERSION, f->nodes, 2, 2,
					  { TORUS_NONE, TORUS_NONE, TORUS_NONE }, 0 };
	input = (u32 *)(head + 1);
	table = (struct torus_xt_table *)(input + f->nodes * XT_INPUTS);
	memset(table + 2, TORUS_XT_MISSING, 2 * XT_PAGE);
	for (node = 0; node < f->nodes; node++)
		for (i = 0; i < XT_INPUTS; i++)
			input[node * XT_INPUTS + i] = torus_node_number(g, node) >> 12;
	for (i = 0; i < 2; i++) {
		memset(table[i].global, TORUS_XT_MISSING, sizeof(table[i].global));
		memset(table[i].page, 0, sizeof(table[i].page));
		table[i].page[0] = (u16)i;
		table[i].partition = (u8)i;
	}
	/* to region 1: x+ for even NIDs, x- for odd ones; in region 1 all even NIDs are local */
	table[0].global[2] = 0;
	table[0].global[3] = 1;
	((u8 *)(table + 2))[XT_PAGE] = TORUS_XT_PROCESSOR;
	((u8 *)(table + 2))[XT_PAGE + 7] = TORUS_XT_PROCESSOR;
	assert_int_equal(xt_rig_load(f, head, bytes, &err), 0);
	test_free(head);

	near = rig_node(f, 2, 0, 0);
	travel(f, &trace, rig_node(f, 1, 0, 0), near);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER, near), 1);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, TORUS_NONE, 0)->dir, 0);
	rig_trace_free(&trace);

	/* NID 4096 + 7 is the node with x 3, y 0, z 1 */
	far = rig_node(f, 3, 0, 1);
	assert_int_equal(torus_node_number(g, far), 4096 + 7);
	travel(f, &trace, rig_node(f, 0, 0, 1), far);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER, far), 1);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, TORUS_NONE, 0)->dir, 1);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* ---------------------------------------------------------------- deadlock */

/*
 * Return the verdict of the watchdog on a ring, in which each node sends half way round, with or
 * without datelines.
 */
static enum torus_verdict verdict_of(bool datelines)
{
	struct torus_fabric *f = rig_make_arch("xt", "12x1x1", "buffer_flits=9 staging_flits=9");
	struct xt_plan plan = { .dateline = { TORUS_NONE, TORUS_NONE, TORUS_NONE }, .one = true };
	struct torus_result r;
	enum torus_verdict verdict;
	struct torus_error err;
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TORNADO, .size_min = 72, .size_max = 72, .packets = 200,
	};
	size_t bytes;
	void *image;

	if (datelines)
		plan.dateline[0] = 11;
	image = xt_rig_image(f, &plan, &bytes);
	assert_int_equal(xt_rig_load(f, image, bytes, &err), 0);
	test_free(image);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 2000000, 1);
	verdict = torus_watchdog_check(f, NULL);
	assert_true(r.done == (datelines ? 1 : 2));
	torus_fabric_destroy(f);
	return verdict;
}

static void test_ring_deadlocks_without_dateline(void **state)
{
	assert_int_equal(verdict_of(false), TORUS_VERDICT_DEADLOCK);
	assert_int_equal(verdict_of(true), TORUS_VERDICT_ALIVE);
}

/* ----------------------------------------------- staging buffers, inputs, classes */

/*
 * Five inputs and the processor feed an output, each through a buffer of its own. While the output
 * is blocked, each buffer of 16 flits holds one packet of nine flits, because a second one does
 * not fit.
 */
static void test_staging(void **state)
{
	struct torus_fabric *f = xt_rig_make("4x4x4", "", true);
	u32 node = rig_node(f, 1, 1, 1), to = rig_node(f, 2, 1, 1), dir, i;
	u64 chunks[XT_VCS] = { 0 };
	struct torus_packet p;

	for (dir = 0; dir < XT_DIRS; dir++)
		for (i = 0; i < 4 && dir != 1; i++) {
			p = rig_packet(f, node, to, 9);
			rig_place(f, node, dir, 0, &p);
		}
	assert_int_equal(torus_senders_set(f, node, 0, TORUS_SENDER_OFF, NULL), 0);
	torus_fabric_run(f, 20000, 0, 1);
	f->router->occupancy(torus_domain_of(f, node), chunks);
	/* one packet in each of the five staging buffers, and three more in each input */
	assert_int_equal(chunks[0], 5 * 4 * 9);
	for (dir = 0; dir < XT_DIRS; dir++) {
		p = rig_packet(f, node, to, 9);
		for (i = 0; dir != 1 && !f->router->place(f, node, dir, 0, &p); i++)
			;
		assert_int_equal(i, dir == 1 ? 0 : (96 - 3 * 9) / 9);
	}
	for (i = 0, dir = 0; dir < XT_DIRS; dir++) {
		bool blocked;
		u64 waits;

		i += f->router->head(f, node, dir * XT_VCS, &waits, &blocked) != TORUS_NONE;
	}
	assert_int_equal(i, 5);
	torus_fabric_destroy(f);
}

/* "Which must be at least 9 entries deep to cover the maximum packet size." */
static void test_staging_least(void **state)
{
	struct torus_config cfg;
	struct torus_error err;

	rig_config(&cfg, "xt", "4x1x1", "");
	assert_int_equal(torus_config_set(&cfg, "staging_flits", "9", &err), 0);
	assert_int_not_equal(torus_config_set(&cfg, "staging_flits", "8", &err), 0);
	assert_says(err.text, "staging_flits 8");
}

/* Each input has its own table: packets through one node follow the table of their input. */
static void test_table_of_each_input(void **state)
{
	/*
	 * to node 9 (x 2, y 1 of 4x4): at node 1 a packet from x- turns, an injected one moves
	 * straight on
	 */
	struct torus_fabric *f = rig_make_arch("xt", "4x4x1", "");
	struct xt_plan plan = { .dateline = { 3, 3, TORUS_NONE }, .one = true };
	u32 nid = torus_node_number(&f->cfg.geo, rig_node(f, 2, 1, 0)), *input;
	struct rig_trace trace;
	struct torus_error err;
	size_t bytes;
	void *image = xt_rig_image(f, &plan, &bytes);

	/* input x- of node 1 uses the table of node 0, whose entry for the destination is now y+ */
	input = (u32 *)((struct torus_xt_routes *)image + 1);
	*xt_rig_entry(image, 0, 0, nid) = 2;
	input[1 * XT_INPUTS + 1] = 0;
	*xt_rig_entry(image, 4, 0, nid) = 0;
	assert_int_equal(xt_rig_load(f, image, bytes, &err), 0);
	test_free(image);
	travel(f, &trace, 1, rig_node(f, 2, 1, 0));
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 1, 0)->dir, 0);
	rig_trace_free(&trace);
	/* place a packet from node 0 into the buffer of x- */
	{
		struct torus_packet p = rig_packet(f, 0, rig_node(f, 2, 1, 0), 9);

		rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
		rig_place(f, 1, 0, 0, &p);
		rig_drain(f);
	}
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 1, 0)->dir, 2);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* The second class uses VCs 2 and 3, and is not blocked by the first. */
static void test_classes(void **state)
{
	struct torus_fabric *f = xt_rig_make("8x1x1", "", true);
	struct rig_trace trace;
	struct torus_packet p = rig_packet(f, 6, 1, 9);

	xt_fields(&p)->class = 1;
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	rig_inject(f, 1, &p);
	rig_drain(f);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 6, 0)->vc, 2);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 7, 0)->vc, 3);
	assert_int_equal(rig_find(&trace, TORUS_TRACE_HOP, 0, 0)->vc, 3);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* ---------------------------------------------------------- ports and ticks */

/* The port, the crossbar and each link transfer a flit per cycle, so 72 bytes take nine cycles. */
static void test_latency(void **state)
{
	struct torus_fabric *f = xt_rig_make("8x1x1", "", true);
	const struct rig_step *in, *out;
	struct rig_trace trace;

	travel(f, &trace, 0, 3);
	in = rig_find(&trace, TORUS_TRACE_HOP, 0, 0);
	out = rig_find(&trace, TORUS_TRACE_DELIVER, 3, 0);
	/* the latency of three links, of the crossbars of three routers, and then nine flits */
	assert_int_equal(out->at - in->at, 3 * 408 + 3 * 34 + 9 * XT_FLIT_TICKS);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* The FIFOs of both classes share one port: together one flit per cycle. */
static void test_one_processor_port(void **state)
{
	struct torus_fabric *f = xt_rig_make("8x1x1", "", true);
	struct rig_trace trace;
	struct torus_packet p;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	for (i = 0; i < 8; i++) {
		p = rig_packet(f, 0, i & 1 ? 7 : 1, 9);
		xt_fields(&p)->class = i & 1;
		rig_inject(f, i & 1, &p);
	}
	rig_drain(f);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, 0), 8);
	for (i = 1; i < 8; i++)
		assert_true(rig_find(&trace, TORUS_TRACE_HOP, 0, i)->at -
			    rig_find(&trace, TORUS_TRACE_HOP, 0, i - 1)->at >= 9 * XT_FLIT_TICKS);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------- ages */

/*
 * Measure the deliveries of each source on a line with full buffers. @least: [out] deliveries of
 * the slowest source; @most: [out] deliveries of the fastest source.
 */
static void check_line(const char *settings, bool one, u64 *least, u64 *most)
{
	struct torus_fabric *f = xt_rig_make("12mx1x1", settings, one);
	struct torus_pair pair[11];
	u64 got[12] = { 0 };
	struct rig_trace trace;
	struct torus_error err;
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = 72, .size_max = 72,
		.packets = 100000,
	};
	u32 i;

	for (i = 0; i < 11; i++)
		pair[i] = (struct torus_pair){ .src = i, .dst = 11, .weight = 1 };
	assert_int_equal(torus_traffic_pairs(f, pair, 11, &err), 0);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	torus_fabric_run(f, 4000000, 0, 1);
	for (i = 0; i < trace.n; i++)
		got[trace.step[i].src] += trace.step[i].at > 1000000;
	*least = ~0ull;
	*most = 0;
	for (i = 0; i < 11; i++) {
		*least = got[i] < *least ? got[i] : *least;
		*most = got[i] > *most ? got[i] : *most;
	}
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/*
 * If the oldest packet goes first, a source far from a crowded node receives its share of the
 * link.
 */
static void test_age_is_fair(void **state)
{
	u64 least, most, rr_least, rr_most;
	u32 one;

	/* with VCs selected by node numbers, the result is only printed */
	for (one = 0; one < 2; one++) {
		check_line("", one, &least, &most);
		check_line("arbitration=rr", one, &rr_least, &rr_most);
		print_message("%s: least of largest %f by age, %f in turns\n",
			      one ? "one VC" : "both VCs", (double)least / (double)most,
			      (double)rr_least / (double)rr_most);
	}
	assert_true(least * rr_most >= 10 * rr_least * most);
}

/* The header accumulates the cycles that a packet has waited in routers, up to 2047. */
static void test_age_adds_up(void **state)
{
	struct torus_fabric *f = xt_rig_make("8x1x1", "", true);
	const struct rig_step *step;
	struct rig_trace trace;
	struct torus_packet p;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	for (i = 0; i < 2; i++) {
		p = rig_packet(f, 0, 3, 9);
		if (i)
			xt_fields(&p)->age = 2045;
		rig_inject(f, 0, &p);
	}
	rig_drain(f);
	/* in each router, crossing takes two cycles, which add to the age */
	for (i = 0; i < 3; i++) {
		step = rig_find(&trace, TORUS_TRACE_HOP, i, 0);
		assert_int_equal(((const struct xt_fields *)step->header)->age, 2 * (i + 1));
	}
	step = rig_find(&trace, TORUS_TRACE_HOP, 2, 1);
	assert_int_equal(((const struct xt_fields *)step->header)->age, XT_AGE_MAX);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saturated_oldest_first),
		cmocka_unit_test(test_saturated_in_turns),
		cmocka_unit_test(test_saturated_small_buffers),
		cmocka_unit_test(test_saturated_mesh),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_dateline_switches),
		cmocka_unit_test(test_dateline_minus),
		cmocka_unit_test(test_dateline_drops_vc1),
		cmocka_unit_test(test_turn_back),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_wrong_processor),
		cmocka_unit_test(test_straight_keeps_vc),
		cmocka_unit_test(test_turn_takes_vc),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_ring_deadlocks_without_dateline),
		cmocka_unit_test(test_staging),
		cmocka_unit_test(test_staging_least),
		cmocka_unit_test(test_table_of_each_input),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_one_processor_port),
		cmocka_unit_test(test_age_is_fair),
		cmocka_unit_test(test_age_adds_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* The k-ary n-cube with finite buffers: packets followed hop by hop, and rejected parameters. */
#include "core/workload/pair_list.h"
#include "core/run/windows.h"
#include "core/tests/rig.h"
#include "core/workload/workload.h"
#include "arch/kncube/kncube.h"

#define DOR_BUBBLE	"buffers=finite"
#define DOR_DATELINE	"buffers=finite escape=dateline"
#define ADAPTIVE	"buffers=finite routing=adaptive"
#define ADAPTIVE_LINE	"buffers=finite routing=adaptive escape=dateline"
#define VALIANT		"buffers=finite routing=valiant"
#define VALIANT_LINE	"buffers=finite routing=valiant escape=dateline"

static struct kncube_vcs shared(enum kncube_routing routing, enum kncube_escape escape, u32 vcs)
{
	struct kncube_vcs v;

	kncube_vcs_init(&v, routing, escape, vcs);
	return v;
}

static void check_vcs(struct kncube_vcs v, u32 free, u32 ahead, u32 behind, u32 bubble)
{
	assert_int_equal(v.free, free);
	assert_int_equal(v.ahead[KNCUBE_TO_END], ahead);
	assert_int_equal(v.behind[KNCUBE_TO_END], behind);
	assert_int_equal(v.bubble, bubble);
}

/* Each kind of traffic has its own VCs, disjoint from the others. */
static void test_vcs(void **state)
{
	struct kncube_vcs v;

	check_vcs(shared(KNCUBE_DOR, KNCUBE_BUBBLE, 3), 0, 7, 7, 7);
	check_vcs(shared(KNCUBE_DOR, KNCUBE_DATELINE, 2), 0, 1, 2, 0);
	check_vcs(shared(KNCUBE_DOR, KNCUBE_DATELINE, 4), 0, 3, 12, 0);
	check_vcs(shared(KNCUBE_ADAPTIVE, KNCUBE_BUBBLE, 2), 1, 2, 2, 2);
	check_vcs(shared(KNCUBE_ADAPTIVE, KNCUBE_DATELINE, 4), 3, 4, 8, 0);
	v = shared(KNCUBE_VALIANT, KNCUBE_BUBBLE, 4);
	check_vcs(v, 0, 12, 12, 15);
	assert_int_equal(v.ahead[KNCUBE_TO_RELAY], 3);
	v = shared(KNCUBE_VALIANT, KNCUBE_DATELINE, 4);
	check_vcs(v, 0, 4, 8, 0);
	assert_int_equal(v.ahead[KNCUBE_TO_RELAY], 1);
	assert_int_equal(v.behind[KNCUBE_TO_RELAY], 2);
}

/* Counts of the hops of two packets from each node to each other node. */
struct routing_watch {
	struct torus_tracer tracer;
	struct torus_fabric *f;
	u32 vc_hops[KNCUBE_VCS_MAX];
	u32 astray;		/* hops that lead no nearer to the destination */
	u32 turned;		/* not adaptive: hops from a lower to a higher dimension */
	u32 turned_free;	/* adaptive: such hops on free VCs */
	u32 late;		/* hops after a ring's last link on the wrong VCs */
	u8 *last;		/* dimension and phase of the last hop, by source and number */
	u64 hops;
	u64 delivered;
};

static u32 far(const struct torus_geometry *g, u32 from, u32 to)
{
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, hops = 0;

	torus_geometry_coords(g, from, a);
	torus_geometry_coords(g, to, b);
	for (dim = 0; dim < g->ndims; dim++) {
		s32 way = torus_geometry_steps(g, dim, a[dim], b[dim]);

		hops += (u32)(way < 0 ? -way : way);
	}
	return hops;
}

/* Check a hop when it begins. The header of @p already describes the path after this hop. */
static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct routing_watch *w = (struct routing_watch *)tracer;
	const struct torus_geometry *g = &d->f->cfg.geo;
	const struct kncube_machine *m = d->machine;
	const struct kncube_bound *h = (const struct kncube_bound *)p->header;
	bool relayed = h->ways & KNCUBE_RELAYED;
	u32 to = relayed ? h->relay : p->dst, next, dim = TORUS_DIM(dir), at, end;
	u8 *last = &w->last[p->src * g->nodes * 2 + p->seq];

	w->delivered += what == TORUS_TRACE_DELIVER;
	if (what != TORUS_TRACE_HOP)
		return;
	next = torus_geometry_neighbor(g, node, dir);
	w->hops++;
	w->vc_hops[vc]++;
	w->astray += far(g, next, to) + 1 != far(g, node, to);
	/* 255: the first hop of a packet */
	if (*last != 255 && relayed == (*last >> 6 & 1) && dim > (*last & 63u)) {
		w->turned += !m->vcs.free;
		w->turned_free += m->vcs.free >> vc & 1;
	}
	if (!(m->vcs.free >> vc & 1)) {
		at = node / g->stride[dim] % g->dims[dim];
		end = to / g->stride[dim] % g->dims[dim];
		if (!(g->mesh >> dim & 1) && (dir & 1 ? end <= at : end >= at))
			w->late += !(m->vcs.behind[relayed ? KNCUBE_TO_RELAY :
							     KNCUBE_TO_END] >> vc & 1);
	}
	*last = (u8)(dim | relayed << 6);
}

static struct routing_watch followed(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make_arch("kncube", shape, settings);
	const struct torus_traffic t = { .pattern = TORUS_PATTERN_ALLTOALL, .size_min = 32,
					 .size_max = 256, .packets = 2 };
	struct routing_watch w = { .tracer.event = on_event, .f = f };
	u32 node, dir, vc, most = 0;
	struct torus_result r;
	struct torus_error err;
	u64 packets = 0;

	w.last = test_malloc((size_t)f->nodes * f->nodes * 2);
	memset(w.last, 255, (size_t)f->nodes * f->nodes * 2);
	f->domain[0].tracer = &w.tracer;
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(r.delivered, 2ull * f->nodes * (f->nodes - 1));
	assert_int_equal(w.delivered, r.delivered);
	assert_int_equal(w.astray, 0);
	assert_int_equal(w.hops, r.hops_total);
	rig_drain(f);
	rig_empty(f);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_link_counters c = rig_link(f, node, dir);

			for (vc = 0; vc < f->vcs; vc++) {
				packets += c.packets[vc];
				most = c.packets[vc] && vc > most ? vc : most;
			}
		}
	assert_int_equal(packets, r.hops_total);
	assert_true(most < f->vcs);
	test_free(w.last);
	torus_fabric_destroy(f);
	return w;
}

/*
 * "Routes packets in decreasing dimension order", on the VCs that the escape scheme of the ring
 * requires.
 */
static void test_dor(void **state)
{
	static const char *const shapes[] = { "8", "5x4", "4x3x4", "4x6mx1", "3x2x2x2", };
	u32 i;

	for (i = 0; i < COUNT(shapes); i++) {
		struct routing_watch w = followed(shapes[i], DOR_BUBBLE);

		assert_int_equal(w.turned, 0);
		assert_int_equal(w.vc_hops[1], 0);
		w = followed(shapes[i], DOR_DATELINE " vcs=2");
		assert_int_equal(w.turned, 0);
		assert_int_equal(w.late, 0);
		assert_true(w.vc_hops[0] && w.vc_hops[1]);
		assert_int_equal(w.vc_hops[2], 0);
	}
}

/* An adaptive packet turns in any order on the free VC, and uses the escape VCs in addition. */
static void test_adaptive(void **state)
{
	struct routing_watch w = followed("5x5", ADAPTIVE);

	assert_true(w.vc_hops[0] && w.vc_hops[1]);
	assert_true(w.turned_free);
	assert_int_equal(w.vc_hops[2], 0);
	w = followed("5x5", ADAPTIVE_LINE " vc_bytes=256");
	assert_true(w.vc_hops[1] && w.vc_hops[2]);
	assert_int_equal(w.late, 0);
	followed("4x3x4m", ADAPTIVE);
	followed("3x2x2x3", ADAPTIVE_LINE);
}

/*
 * Valiant routing: two paths of dimension order, together about twice as many hops, each path on
 * its own VCs.
 */
static void test_valiant(void **state)
{
	struct routing_watch direct = followed("5x5", DOR_BUBBLE), w = followed("5x5", VALIANT);

	assert_int_equal(w.turned, 0);
	assert_in_range(w.hops, direct.hops * 19 / 10, direct.hops * 21 / 10);
	assert_true(w.vc_hops[0] && w.vc_hops[1]);
	w = followed("4x3x4m", VALIANT_LINE);
	assert_int_equal(w.turned, 0);
	assert_int_equal(w.late, 0);
	assert_true(w.vc_hops[0] && w.vc_hops[1] && w.vc_hops[2] && w.vc_hops[3]);
	followed("3x2x2x3", VALIANT);
}

/* Shapes of one to ten dimensions are accepted. */
static void test_dimensions(void **state)
{
	char shape[32] = "2";
	u32 n;

	for (n = 1; n <= TORUS_DIMS_MAX; n++) {
		if (n < 8 || n == TORUS_DIMS_MAX) {
			struct torus_fabric *f = rig_make_arch("kncube", shape, ADAPTIVE_LINE);

			assert_int_equal(f->vcs, kncube_vcs_most(n));
			rig_packets(f, 20, 32, 256);
			assert_int_equal(rig_finish(f, 0, 1).delivered, 20ull * f->nodes);
			rig_drain(f);
			rig_empty(f);
			torus_fabric_destroy(f);
		}
		strcat(shape, "x2");
	}
	followed("2x1x2x1x2x1x2x2", VALIANT);
}

/* A hop takes the latency of a link, and the last hop the packet's bytes in addition. */
static void test_latency(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "8x8", DOR_BUBBLE " latency=31");
	const struct torus_pair pair = { .src = 0, .dst = 3 + 8 * 2, .weight = 1 };
	const struct torus_traffic t = { .pattern = TORUS_PATTERN_TABLE, .size_min = 256,
					 .size_max = 256, .packets = 1 };
	struct torus_error err;

	assert_int_equal(torus_traffic_pairs(f, &pair, 1, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	assert_int_equal(rig_finish(f, 0, 1).win_latency_max, 5 * 31 + 256);
	torus_fabric_destroy(f);
}

/*
 * A bubble VC accepts a packet that enters its ring if it has space for two packets. Of its four
 * places the last is for packets of the ring.
 */
static void test_bubble(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "4x4", DOR_BUBBLE " credit_delay=4000");
	struct rig_trace trace;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	for (i = 0; i < 6; i++) {
		struct torus_packet p = rig_packet(f, 0, 2, 1);

		rig_inject(f, i, &p);
	}
	torus_fabric_run(f, 3000, 0, 1);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, 0), 3);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, 1), 3);
	rig_drain(f);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, 1), 6);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void refused(const char *shape, const char *settings, const char *text)
{
	struct torus_fabric *f;
	struct torus_config cfg;
	struct torus_error err;

	rig_config(&cfg, "kncube", shape, settings);
	assert_int_not_equal(torus_fabric_create(&cfg, &f, &err), 0);
	assert_says(err.text, text);
}

static void test_refused(void **state)
{
	refused("4x4", "vcs=2", "vcs 2 buffers finite");
	refused("4x4", "injection=infinite", "injection infinite buffers finite");
	refused("4x4", DOR_BUBBLE " link_delay=1", "link_delay 1 buffers infinite");
	refused("4x4", VALIANT_LINE " vcs=3", "vcs 3 valiant dateline 4");
	refused("2x2x2x2x2x2x2x2", VALIANT_LINE, "4 VC 3 8");
	refused("32769m", VALIANT, "valiant 65536 65534");
	refused("4x4", DOR_BUBBLE " vc_bytes=520", "vc_bytes 520 32");
	refused("4x4", DOR_BUBBLE " vc_bytes=480", "vc_bytes 480 512");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vcs),
		cmocka_unit_test(test_dor),
		cmocka_unit_test(test_adaptive),
		cmocka_unit_test(test_valiant),
		cmocka_unit_test(test_dimensions),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_bubble),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

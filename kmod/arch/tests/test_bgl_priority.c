// SPDX-License-Identifier: GPL-2.0
/*
 * Wait of a high-priority packet while normal packets saturate the machine. At each node the packet
 * waits for at most two normal packets: one that uses the last transfer bus of its receiver, and
 * one that then uses the link. Acknowledgements count in a packet's time on the link. The paper,
 * section Torus network: "If a high-priority packet is requesting, it wins", in the second phase
 * and in the third.
 */
#include "arch/tests/bgl_rig.h"
#include "arch/bgl/bgl.h"
#include "core/run/windows.h"

#define IH		TORUS_BGL_INJECT_PRIORITY
#define HOP_TICKS	20	/* ticks from one grant to the next, without load */
#define FULL_TICKS	(256 + BGL_OVERHEAD_TICKS)
#define ACK_TICKS	8
#define PERIOD		400	/* ticks between two checks of a round's arrivals */
#define LIVE_MAX	16	/* priority packets at a time, on disjoint paths */

/* A priority packet that is under way. */
struct priority_flight {
	u32 seq;
	u32 src;
	u32 chunks;
	u64 due;	/* tick of its next grant or its reception, if nothing delays it */
	bool there;
};

struct priority_watch {
	struct torus_tracer tracer;
	struct priority_flight flight[LIVE_MAX];
	u32 live;
	u64 hops;
	u64 waited;		/* number of hops with a wait */
	u64 longest;		/* longest wait in a node on the path */
	u64 longest_inject;	/* longest wait in the injection FIFO */
	u64 longest_receive;
	u64 delivered;
	u64 normal;
};

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct priority_watch *w = (struct priority_watch *)tracer;
	struct priority_flight *flight = NULL;
	u64 wait;
	u32 i;

	if (!(p->flags & TORUS_PACKET_PRIORITY)) {
		w->normal += what == TORUS_TRACE_DELIVER;
		return;
	}
	if (what != TORUS_TRACE_HOP && what != TORUS_TRACE_DELIVER)
		return;
	for (i = 0; i < w->live; i++)
		if (w->flight[i].seq == p->seq && w->flight[i].src == p->src)
			flight = &w->flight[i];
	assert_non_null(flight);
	assert_true(d->now >= flight->due);
	wait = d->now - flight->due;
	if (what == TORUS_TRACE_DELIVER) {
		wait -= 32 * flight->chunks;
		w->longest_receive = wait > w->longest_receive ? wait : w->longest_receive;
		w->delivered++;
		flight->there = true;
		return;
	}
	assert_int_equal(vc, TORUS_BGL_BP);
	flight->due = d->now + HOP_TICKS;
	if (p->hops == 1) {
		w->longest_inject = wait > w->longest_inject ? wait : w->longest_inject;
		return;
	}
	w->hops++;
	w->waited += wait > 0;
	w->longest = wait > w->longest ? wait : w->longest;
}

/* Send a priority packet on a path within the plane @at of dimension @dim. */
static void send(struct torus_fabric *f, struct priority_watch *w, u32 dim, u32 at, u64 *rng)
{
	u32 from[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], i;
	struct priority_flight *flight = &w->flight[w->live++];
	struct torus_packet p;

	for (i = 0; i < 3; i++) {
		from[i] = torus_random_below(rng, f->cfg.geo.dims[i]);
		to[i] = torus_random_below(rng, f->cfg.geo.dims[i]);
	}
	from[dim] = at;
	to[dim] = at;
	i = (dim + 1) % 3;
	if (to[i] == from[i])
		to[i] = (to[i] + 1) % f->cfg.geo.dims[i];
	p = rig_packet(f, torus_geometry_node(&f->cfg.geo, from),
		       torus_geometry_node(&f->cfg.geo, to), 1 + torus_random_below(rng, 8));
	p.flags = TORUS_PACKET_PRIORITY;
	p.seq |= 1u << 31;
	bgl_fields(&p)->vc = TORUS_BGL_BP;
	bgl_fields(&p)->dynamic = 0;
	*flight = (struct priority_flight){
		.seq = p.seq, .src = p.src, .chunks = p.chunks, .due = torus_fabric_clock(f),
	};
	rig_inject(f, IH, &p);
}

static bool all_there(const struct priority_watch *w)
{
	u32 i;

	for (i = 0; i < w->live; i++)
		if (!w->flight[i].there)
			return false;
	return true;
}

/*
 * Saturate all nodes. In each round send a priority packet in each plane of one dimension; the
 * dimensions take turns.
 */
static struct priority_watch saturate(const char *shape, const char *settings, u32 min, u32 max,
				      u32 rounds)
{
	struct priority_watch w = { .tracer.event = on_event };
	struct torus_fabric *f = rig_make(shape, settings);
	u64 rng = torus_random_seed(f->cfg.seed, 11, min), until = 20000;
	u32 round, dim, i;

	rig_load(f, 150, min, max, 1ull << 40);
	rig_step(f, 1, 1);
	torus_fabric_run(f, until, 0, 1);
	f->domain[0].tracer = &w.tracer;
	for (round = 0; round < rounds; round++) {
		dim = round % 3;
		w.live = 0;
		for (i = 0; i < f->cfg.geo.dims[dim]; i++)
			send(f, &w, dim, i, &rng);
		do {
			until += PERIOD;
			assert_int_equal(torus_fabric_run(f, until, 0, 1), TORUS_RUN_TIME);
		} while (!all_there(&w));
	}
	rig_census(f);
	torus_traffic_stop(f);
	torus_fabric_destroy(f);
	return w;
}

/*
 * Check the longest wait. @packet: ticks of a full normal packet on a link; @acks: ticks of the
 * acknowledgements that may go before it.
 */
static void check_bound(const char *shape, const char *settings, u32 min, u32 max, u32 packet,
			u32 acks)
{
	u32 rounds = rig_soak() ? 6000 : 600;
	struct priority_watch w = saturate(shape, settings, min, max, rounds);

	print_message("# %s %s %u:%u: %llu hops of %llu priority packets, %llu waited, longest "
		      "%llu, injection %llu, reception %llu; %llu normal\n",
		      shape, settings, min, max, w.hops, w.delivered, w.waited, w.longest,
		      w.longest_inject, w.longest_receive, w.normal);
	assert_true(w.hops > 1000);
	assert_true(w.waited > w.hops / 4);
	assert_true(w.longest <= 2 * packet + acks);
	/* an injection FIFO has its own bus, so its packets wait for the link only */
	assert_true(w.longest_inject <= packet + acks);
	/* a priority packet has its own reception bus and FIFO */
	assert_int_equal(w.longest_receive, 0);
}

static void check(const char *shape, const char *settings, u32 min, u32 max)
{
	check_bound(shape, settings, min, max, FULL_TICKS, 0);
}

static void test_priority_dynamic(void **state)
{
	check("4x4x4", "", 256, 256);
	check("4x4x4", "", 32, 256);
}

static void test_priority_deterministic(void **state)
{
	check("4x4x4", "routing=deterministic", 256, 256);
	check("4x4x4", "routing=deterministic", 32, 256);
}

/* The bound does not depend on the policies for normal packets. */
static void test_priority_policies(void **state)
{
	check("4x4x4", "in_network_fraction=0 slq_fraction=0", 32, 256);
	check("4x4x4", "slq_fraction=100", 256, 256);
	check("4x4x4", "bubble=plain", 32, 256);
	check("4x4x4", "buses=3 jsq=off", 32, 256);
}

/* strict_injection does not apply to priority packets. */
static void test_priority_injection(void **state)
{
	check("4x4x4", "strict_injection=on", 256, 256);
}

/* With control=simulated acknowledgements are packets, which a link sends first. */
static void test_priority_acks(void **state)
{
	check_bound("4x4x4", "control=simulated", 256, 256, FULL_TICKS - ACK_TICKS, 3 * ACK_TICKS);
	check_bound("4x4x4", "control=simulated", 32, 256, FULL_TICKS - ACK_TICKS, 3 * ACK_TICKS);
}

static void test_priority_8x8x8(void **state)
{
	check("8x8x8", "", 256, 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_priority_dynamic),
		cmocka_unit_test(test_priority_deterministic),
		cmocka_unit_test(test_priority_policies),
		cmocka_unit_test(test_priority_injection),
		cmocka_unit_test(test_priority_acks),
		cmocka_unit_test(test_priority_8x8x8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Stop conditions: a run ends after the tick in which an event happens, the same tick for any
 * number of domains and threads. A run that is stopped and continued has the results of a run
 * without a stop.
 */
#include "arch/tests/xt_rig.h"
#include "core/run/windows.h"
#include "core/state/interrupt.h"
#include "core/state/stop.h"

#define NODES_MAX	64
#define CYCLES		3000

/* Tick of the first event of each kind at each node, in a run without a stop; ~0: none. */
struct firsts {
	struct torus_tracer tracer;
	u64 at[TORUS_TRACE_MAX][NODES_MAX];
};

struct machine {
	const char *arch;
	const char *shape;
	const char *settings;
	u32 bytes;
};

static const struct machine machines[] = {
	{ "bgl", "4x4x2", "ber=0.00001", 256 },
	{ "xt", "3x3x2", "ber=0.00001", 72 },
	{ "tofu", "2x2x1", "ber=0.00001", 256 },
	{ "kncube", "4x4", "buffers=finite", 256 },
};

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct firsts *firsts = (struct firsts *)tracer;

	if (firsts->at[what][node] == ~0ull)
		firsts->at[what][node] = d->now;
}

/* A tracer without an effect: each domain of a run with a stop condition needs one. */
static void on_nothing(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		       u32 dir, u32 vc, const struct torus_packet *p)
{
}

static struct torus_fabric *make(const struct machine *m, u32 domains)
{
	struct torus_fabric *f;
	char text[256];

	snprintf(text, sizeof(text), "%s domains=%u", m->settings, domains);
	f = strcmp(m->arch, "xt") ? rig_make_arch(m->arch, m->shape, text) :
				    xt_rig_make(m->shape, text, false);
	assert_true(f->nodes <= NODES_MAX);
	rig_load(f, 80, m->bytes, m->bytes, CYCLES);
	return f;
}

/* Run without a stop. Return: the result. */
static struct torus_result run_through(const struct machine *m, struct firsts *firsts)
{
	struct torus_fabric *f = make(m, 1);
	struct torus_result r;

	firsts->tracer.event = on_event;
	memset(firsts->at, 0xff, sizeof(firsts->at));
	f->domain[0].tracer = &firsts->tracer;
	r = rig_finish(f, 0, 1);
	torus_fabric_destroy(f);
	return r;
}

/* Run to the stop, check the tick and the reported event, and continue to the end. */
static void run_stopped(const struct machine *m, const struct torus_stop *stop, u32 domains,
			u32 threads, u64 at, u32 event, u32 node, const struct torus_result *like)
{
	struct torus_tracer tracers[8] = { };
	struct torus_fabric *f = make(m, domains);
	struct torus_stopped stopped;
	struct torus_result r;
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		tracers[i].event = on_nothing;
		f->domain[i].tracer = &tracers[i];
	}
	torus_stop_set(f, stop);
	assert_false(torus_stop_met(f, &stopped));
	while (rig_step(f, 100, threads) && !torus_stop_met(f, &stopped))
		;
	assert_int_equal(torus_stop_met(f, &stopped), at != ~0ull);
	if (at != ~0ull) {
		assert_int_equal(torus_fabric_clock(f), at + 1);
		assert_int_equal(stopped.event, event);
		assert_int_equal(stopped.node, node);
	}
	torus_stop_set(f, NULL);
	assert_false(torus_stop_met(f, NULL));
	r = rig_finish(f, 0, threads);
	assert_int_equal(r.hash, like->hash);
	assert_int_equal(r.hops_total, like->hops_total);
	assert_int_equal(r.clock, like->clock);
	assert_true(r.conservation && r.tokens);
	torus_fabric_destroy(f);
}

/* Stop at the first event of a kind at the nodes of a mask. */
static void stop_at(const struct machine *m, const struct firsts *firsts, u32 event, u64 nodes,
		    const struct torus_result *like)
{
	struct torus_stop stop = { .events = 1u << event, .nodes = &nodes };
	u32 node, first = TORUS_NONE;
	u64 at = ~0ull;

	for (node = 0; node < NODES_MAX; node++)
		if (nodes >> node & 1 && firsts->at[event][node] < at) {
			at = firsts->at[event][node];
			first = node;
		}
	if (nodes == ~0ull)
		stop.nodes = NULL;
	run_stopped(m, &stop, 1, 1, at, event, first, like);
	run_stopped(m, &stop, 5, 1, at, event, first, like);
	run_stopped(m, &stop, 5, 2, at, event, first, like);
}

static void test_events(void **state)
{
	struct torus_result like;
	struct firsts firsts;
	u32 i, event, seen;

	for (i = 0; i < COUNT(machines); i++) {
		like = run_through(&machines[i], &firsts);
		for (event = seen = 0; event < TORUS_TRACE_MAX; event++) {
			stop_at(&machines[i], &firsts, event, ~0ull, &like);
			stop_at(&machines[i], &firsts, event, 1ull << 3 | 1ull << 9, &like);
			seen |= (firsts.at[event][3] != ~0ull) << event;
		}
		/* without link errors no link is live */
		if (strstr(machines[i].settings, "ber"))
			assert_true(seen & 1u << TORUS_TRACE_ACK && seen & 1u << TORUS_TRACE_WIRE);
		assert_true(seen & 1u << TORUS_TRACE_DELIVER && seen & 1u << TORUS_TRACE_HOP);
	}
}

/* Steps of one tick end at each tick, and change no result. */
static void test_ticks(void **state)
{
	struct torus_result like, r;
	struct torus_fabric *f;
	struct firsts firsts;
	u64 clock;
	u32 i;

	for (i = 0; i < COUNT(machines); i++) {
		like = run_through(&machines[i], &firsts);
		f = make(&machines[i], i % 2 ? 4 : 1);
		for (clock = 1; clock < CYCLES; clock++) {
			torus_traffic_pause(f, clock);
			while (torus_fabric_clock(f) < clock)
				assert_true(rig_step(f, 100, 1));
			assert_int_equal(torus_fabric_clock(f), clock);
		}
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.hash, like.hash);
		assert_int_equal(r.hops_total, like.hops_total);
		torus_fabric_destroy(f);
	}
}

/* A packet that is taken from a ring between two runs stops the next run after the current tick. */
static void test_between_runs(void **state)
{
	const struct torus_stop stop = { .events = 1u << TORUS_TRACE_INJECT };
	struct torus_tracer tracer = { .event = on_nothing };
	struct torus_fabric *f = rig_make_arch("bgl", "4x4x1", "");
	struct torus_packet p = rig_packet(f, 0, 5, 4);
	struct torus_stopped stopped;

	f->domain[0].tracer = &tracer;
	torus_stop_set(f, &stop);
	rig_inject(f, 0, &p);
	torus_stop_note(&f->domain[0], TORUS_TRACE_INJECT, 0, 0);
	assert_int_equal(torus_fabric_run(f, 1000, 0, 1), TORUS_RUN_BUDGET);
	assert_int_equal(torus_fabric_clock(f), 1);
	assert_true(torus_stop_met(f, &stopped));
	assert_int_equal(stopped.event, TORUS_TRACE_INJECT);
	torus_stop_set(f, NULL);
	rig_drain(f);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* An interrupt stops the run only if its cause and its node are in the condition. */
static void test_interrupt(void **state)
{
	u64 nodes = 1ull << 4;
	struct torus_stop stop = {
		.events = 1u << TORUS_STOP_INTERRUPT, .causes = 1u << TORUS_INTERRUPT_RETRY,
		.nodes = &nodes,
	};
	struct torus_fabric *f = rig_make_arch("bgl", "4x4x1", "domains=2");
	struct torus_stopped stopped;

	torus_interrupt_raise(f, 4, TORUS_CAUSE(TORUS_INTERRUPT_RETRY, 1));
	torus_stop_set(f, &stop);
	torus_interrupt_raise(f, 5, TORUS_CAUSE(TORUS_INTERRUPT_RETRY, 1));
	torus_interrupt_raise(f, 4, TORUS_CAUSE(TORUS_INTERRUPT_ECC, 0));
	assert_false(torus_stop_met(f, &stopped));
	torus_interrupt_raise(f, 4, TORUS_CAUSE(TORUS_INTERRUPT_RETRY, 3));
	assert_true(torus_stop_met(f, &stopped));
	assert_int_equal(stopped.event, TORUS_STOP_INTERRUPT);
	assert_int_equal(stopped.node, 4);
	assert_int_equal(stopped.cause, TORUS_CAUSE(TORUS_INTERRUPT_RETRY, 3));
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_between_runs),
		cmocka_unit_test(test_interrupt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The trace hook reports all events of a packet. The reports about a link agree with the link's
 * counters, and the reports about a packet are consistent.
 */
#include "arch/tests/xt_rig.h"
#include "core/state/trace.h"

/* Events that were reported for a link. */
struct traced_link {
	u64 packets[TORUS_VCS_MAX];
	u64 stalls[TORUS_STALL_MAX];
	u64 errors;
	u64 resends;
};

/**
 * struct life - events that were reported for a packet
 * @node: its present node
 * @ways: outputs that it requested last
 * @hops: number of links that it was granted
 * @stalled: last tick in which it was not granted a link
 * @injected: it is in the network
 * @ended: it was delivered
 */
struct life {
	u32 node;
	u64 ways;
	u32 hops;
	u64 stalled;
	bool injected;
	bool ended;
};

struct trace_watch {
	struct torus_tracer tracer;
	struct torus_fabric *f;
	u32 packets;
	struct traced_link *links;
	struct life *lives;
	u64 injected;
	u64 delivered;
	u64 waits;
};

static struct traced_link *link_at(struct trace_watch *w, u32 node, u32 dir)
{
	return &w->links[node * w->f->dirs + dir];
}

/* Check the sequence of events of a packet that no link has damaged. */
static void on_sound(struct trace_watch *w, struct life *l, u64 now, u32 what, u32 node, u32 dir,
		     u32 vc, const struct torus_packet *p)
{
	u64 about = w->tracer.about;

	switch (what) {
	case TORUS_TRACE_INJECT:
		assert_false(l->injected);
		*l = (struct life){ .node = p->src, .stalled = ~0ull, .injected = true };
		break;
	case TORUS_TRACE_ROUTE:
		assert_int_equal(node, l->node);
		assert_int_equal(!about, node == p->dst);
		l->ways = about;
		break;
	case TORUS_TRACE_STALL:
		assert_int_equal(node, l->node);
		assert_true(l->ways >> (dir * w->f->vcs + vc) & 1);
		l->stalled = now;
		break;
	case TORUS_TRACE_HOP:
		assert_int_equal(node, l->node);
		assert_true(now != l->stalled);
		assert_true(l->ways >> (dir * w->f->vcs + vc) & 1);
		l->node = torus_geometry_neighbor(&w->f->cfg.geo, node, dir);
		/* with unbounded queues a packet requests outputs only once per dimension */
		if (!w->f->router->waiting)
			l->ways = 0;
		assert_int_equal(p->hops, ++l->hops);
		break;
	case TORUS_TRACE_DELIVER:
		assert_int_equal(node, p->dst);
		assert_int_equal(node, l->node);
		assert_int_equal(p->hops, l->hops);
		assert_false(l->ended);
		l->ended = true;
		break;
	default:
		return;
	}
	assert_true(l->injected);
}

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct trace_watch *w = (struct trace_watch *)tracer;

	assert_true(p->seq < w->packets);
	if (!(p->flags & TORUS_PACKET_INVALID))
		on_sound(w, &w->lives[p->src * w->packets + p->seq], d->now, what, node, dir, vc,
			 p);
	switch (what) {
	case TORUS_TRACE_INJECT:
		w->injected++;
		break;
	case TORUS_TRACE_STALL:
		link_at(w, node, dir)->stalls[tracer->about]++;
		break;
	case TORUS_TRACE_HOP:
		link_at(w, node, dir)->packets[vc]++;
		w->waits += tracer->about;
		break;
	case TORUS_TRACE_ERROR:
		node = torus_geometry_neighbor(&w->f->cfg.geo, node, TORUS_REVERSE(dir));
		link_at(w, node, dir)->errors++;
		break;
	case TORUS_TRACE_RESEND:
		link_at(w, node, dir)->resends++;
		break;
	case TORUS_TRACE_DELIVER:
		w->delivered++;
		break;
	}
}

/*
 * Check the reported events of the links against their counters. Return: the sum of stalls by
 * reason, and of errors.
 */
static struct traced_link check_against_counters(struct trace_watch *w)
{
	struct torus_link_counters c;
	struct traced_link sum = { .errors = 0 };
	u32 node, dir, i;

	for (node = 0; node < w->f->nodes; node++)
		for (dir = 0; dir < w->f->dirs; dir++) {
			struct traced_link *l = link_at(w, node, dir);

			if (torus_geometry_neighbor(&w->f->cfg.geo, node, dir) == TORUS_NONE)
				continue;
			torus_link_counters(w->f, node, dir, &c);
			for (i = 0; i < TORUS_VCS_MAX; i++)
				assert_int_equal(l->packets[i], c.packets[i]);
			for (i = 0; i < TORUS_STALL_MAX; i++) {
				assert_int_equal(l->stalls[i], c.stalls[i]);
				sum.stalls[i] += l->stalls[i];
			}
			assert_int_equal(l->errors, c.crc_header_errors + c.crc_packet_errors);
			assert_int_equal(l->resends, c.resends);
			sum.errors += l->errors;
			sum.resends += l->resends;
		}
	return sum;
}

/* Run a closed loop and watch it from the first tick to the last delivery. */
static struct traced_link watched(const char *arch, const char *shape, const char *settings,
				  u32 bytes, u32 packets, u64 *waits)
{
	struct torus_fabric *f = strcmp(arch, "xt") ? rig_make_arch(arch, shape, settings) :
						      xt_rig_make(shape, settings, false);
	struct trace_watch w = {
		.tracer.event = on_event, .f = f, .packets = packets,
		.links = calloc((size_t)f->nodes * f->dirs, sizeof(struct traced_link)),
		.lives = calloc((size_t)f->nodes * packets, sizeof(struct life)),
	};
	struct torus_result r;
	struct traced_link sum;
	u32 i;

	/* all domains share one tracer, because a single thread runs one domain after the other */
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].tracer = &w.tracer;
	rig_packets(f, packets, bytes, bytes);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(w.injected, r.injected);
	assert_int_equal(w.delivered, r.delivered);
	assert_int_equal(r.delivered, r.injected);
	for (i = 0; i < f->nodes * packets; i++)
		assert_int_equal(w.lives[i].injected, w.lives[i].ended);
	sum = check_against_counters(&w);
	if (waits)
		*waits = w.waits;
	else
		assert_int_equal(w.waits, 0);
	free(w.links);
	free(w.lives);
	torus_fabric_destroy(f);
	return sum;
}

static void test_bgl(void **state)
{
	struct traced_link sum = watched("bgl", "8x4x1", "routing=deterministic", 256, 100, NULL);

	assert_true(sum.stalls[TORUS_STALL_TOKEN] > 100 && sum.stalls[TORUS_STALL_LOST] > 100);
	assert_true(sum.stalls[TORUS_STALL_BUBBLE] > 10);
}

static void test_other_machines(void **state)
{
	struct traced_link sum;

	sum = watched("xt", "3x3x2", "", 72, 60, NULL);
	assert_true(sum.stalls[TORUS_STALL_LOST] > 100 && sum.stalls[TORUS_STALL_BUS] > 10);
	sum = watched("tofu", "2x2x1", "", 256, 60, NULL);
	assert_true(sum.stalls[TORUS_STALL_LOST] > 100);
	sum = watched("kncube", "4x4", "buffers=finite", 256, 60, NULL);
	assert_true(sum.stalls[TORUS_STALL_TOKEN] > 100 && sum.stalls[TORUS_STALL_LOST] > 100);
}

/* With unbounded queues, a link starts a packet later than it is granted to the packet. */
static void test_unbounded(void **state)
{
	struct traced_link sum;
	u64 waits;

	sum = watched("kncube", "4x4", "", 256, 60, &waits);
	assert_int_equal(sum.stalls[TORUS_STALL_LOST], 0);
	assert_true(waits > 10000);
}

static void test_errors(void **state)
{
	struct traced_link sum = watched("bgl", "4x2x2", "ber=0.00001", 256, 100, NULL);

	assert_true(sum.errors > 20 && sum.resends >= sum.errors);
	sum = watched("xt", "3x3x2", "ber=0.00001", 72, 100, NULL);
	assert_true(sum.errors > 20 && sum.resends >= sum.errors);
}

static void test_domains(void **state)
{
	struct traced_link one = watched("bgl", "4x4x2", "ber=0.00001", 256, 30, NULL);
	struct traced_link five = watched("bgl", "4x4x2", "ber=0.00001 domains=5", 256, 30, NULL);

	assert_memory_equal(&one, &five, sizeof(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bgl),
		cmocka_unit_test(test_other_machines),
		cmocka_unit_test(test_unbounded),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* The arithmetic of plans: how a fabric is cut, which machines are like it, what the model says. */
#include <math.h>
#include <string.h>

#include "arch/arch.h"
#include "core/run/fabric.h"
#include "core/state/domain.h"
#include "core/tests/rig.h"
#include "../plan/model.h"

static void near(double value, double wanted, double most)
{
	if (!(fabs(value - wanted) <= most))
		fail_msg("%g is not %g", value, wanted);
}

static void config_make(struct torus_config *config, const char *arch, u32 ndims, const u32 *dims,
			u32 mesh, u32 domains)
{
	struct torus_error err;

	assert_int_equal(torus_arch_config(config, arch, &err), 0);
	assert_int_equal(torus_config_shape(config, ndims, dims, mesh, &err), 0);
	config->domains = domains;
	config->threads = domains;
}

/* ---------------------------------------------------------------------- boxes */

/* Links of a fabric that there is, and those between two of its domains. */
static void count_links(const struct torus_config *config, u64 *links, u64 *between)
{
	struct torus_fabric *f;
	struct torus_error err;
	u32 node, dir, peer;

	*links = 0;
	*between = 0;
	assert_int_equal(torus_fabric_create(config, &f, &err), 0);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir += 2) {
			peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
			*links += peer != TORUS_NONE;
			*between += peer != TORUS_NONE && f->where[peer] != f->where[node];
		}
	torus_fabric_destroy(f);
}

static void test_boxes_are_the_fabrics(void **state)
{
	static const struct {
		const char *arch;
		u32 ndims, dims[4], mesh, domains;
	} cases[] = {
		{ "bgl", 3, { 8, 8, 8 }, 0, 2 }, { "bgl", 3, { 8, 4, 2 }, 1, 4 },
		{ "bgl", 3, { 5, 4, 3 }, 6, 7 }, { "kncube", 2, { 6, 6 }, 2, 3 },
		{ "kncube", 4, { 2, 2, 3, 1 }, 0, 5 }, { "tofu", 3, { 3, 2, 1 }, 0, 6 },
		{ "xt", 3, { 4, 4, 4 }, 4, 8 },
	};
	struct torus_config config;
	struct plan_boxes boxes;
	u64 links, between;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		config_make(&config, cases[i].arch, cases[i].ndims, cases[i].dims, cases[i].mesh,
			    cases[i].domains);
		count_links(&config, &links, &between);
		plan_boxes_cut(&boxes, &config);
		assert_int_equal(boxes.links, links);
		assert_int_equal(boxes.part_links, between);
		assert_int_equal(boxes.rank_links, 0);
	}
}

static void test_boxes_of_ranks(void **state)
{
	static const u32 dims[] = { 8, 8, 8 };
	struct torus_ranks ranks = { .count = 2 };
	struct torus_config config;
	struct plan_boxes boxes;

	config_make(&config, "bgl", 3, dims, 0, 4);
	config.threads = 2;
	config.ranks = &ranks;
	plan_boxes_cut(&boxes, &config);
	/* two halves of the last dimension, each of them two: planes of 64 links on either side */
	assert_int_equal(boxes.rank_nodes, 256);
	assert_int_equal(boxes.part_nodes, 128);
	assert_int_equal(boxes.rank_links, 2 * 64);
	assert_int_equal(boxes.pair_links, 2 * 64);
	assert_int_equal(boxes.own_links, 2 * 64);
	assert_int_equal(boxes.neighbors, 1);
	assert_true(boxes.part_links > boxes.rank_links);
}

/* -------------------------------------------------------------------- smaller */

static void check_scale(const char *arch, u32 ndims, const u32 *dims, double nodes,
			const u32 *wanted)
{
	struct torus_config config, small;
	u32 i;

	config_make(&config, arch, ndims, dims, 0, 1);
	assert_true(plan_scale(&small, &config, nodes));
	assert_true(small.geo.nodes <= nodes);
	for (i = 0; i < ndims; i++)
		assert_int_equal(small.geo.shape[i], wanted[i]);
}

static void test_scale_in_proportion(void **state)
{
	check_scale("bgl", 3, (u32[]){ 32, 32, 32 }, 4096, (u32[]){ 16, 16, 16 });
	/* 12 and not 14: packets that go half-way round load links alike */
	check_scale("bgl", 3, (u32[]){ 16, 16, 16 }, 2800, (u32[]){ 12, 12, 12 });
	check_scale("bgl", 3, (u32[]){ 64, 32, 16 }, 4096, (u32[]){ 32, 16, 8 });
	check_scale("tofu", 3, (u32[]){ 8, 8, 8 }, 1000, (u32[]){ 4, 4, 4 });
	/* a hypercube has fewer dimensions */
	check_scale("kncube", 10, (u32[]){ 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 }, 256,
		    (u32[]){ 2, 2, 2, 2, 2, 2, 2, 2, 1, 1 });
}

static void test_distance(void **state)
{
	struct torus_config config;
	double spread;

	config_make(&config, "kncube", 3, (u32[]){ 8, 8, 4 }, 0, 1);
	near(plan_distance(&config.geo, TORUS_PATTERN_UNIFORM, &spread), 5, 1 / 1e9);
	near(spread, 2.5, 1 / 1e9);
	near(plan_distance(&config.geo, TORUS_PATTERN_NEIGHBOR, &spread), 1, 1 / 1e9);
	near(spread, 3, 1 / 1e9);
	config_make(&config, "kncube", 2, (u32[]){ 8, 8 }, 1, 1);
	/* of a mesh (n^2 - 1) / 3 n links in the mean, and its middle has twice a ring's load */
	near(plan_distance(&config.geo, TORUS_PATTERN_UNIFORM, &spread),
	     63 / 24.0 + 2, 1 / 1e9);
	near(spread, (63 / 24.0 + 2) / 4, 1 / 1e9);
}

/* ------------------------------------------------------------------ the course */

static const struct plan_load some = {
	.rate = 0.02, .distance = 20, .first = 1, .enters = 0.001, .offered = 0.001,
	.slow = 600, .fast = 300, .busy = 0.9,
};

static void test_course_becomes_steady(void **state)
{
	struct plan_course brief, run, longer;

	plan_course(&run, &some, 1e6);
	plan_course(&longer, &some, 2e6);
	near(longer.hops - run.hops, 0.02 * 1e6, 1);
	near(run.last, 0.02, 0.001);
	/* Little's law: hops behind the first, times the ticks from one to the next */
	near(run.held, 0.019 * 600, 0.03 * 0.019 * 600);
	/* it is not full: packets end as fast as they enter, of the first ways too */
	plan_course(&brief, &some, 5e4);
	near(brief.packets, 0.001 * 5e4, 1);
	/* a packet alone makes one hop as it enters, and one in 300 ticks from then on */
	plan_course(&brief, &some, 600);
	near(brief.packets, 0.6, 1 / 1e6);
	near(brief.held, 0.6, 1 / 1e6);
	near(brief.hops, 0.6 * (1 + 1), 0.05);
	assert_true(brief.weighed < 0.1 * brief.hops);
}

static void test_course_of_more_than_fits(void **state)
{
	struct plan_load full = some;
	struct plan_course run;

	full.offered = 2 * full.enters;
	plan_course(&run, &full, 1e5);
	assert_true(run.held <= 0.019 * 600 + 1 / 1e9);
	assert_true(run.packets < 1.4 * full.enters * 1e5);
}

/* ------------------------------------------------------------------- the model */

/* Constants of a machine that takes 100 ns a hop and as much as three for a packet. */
static void constants_make(struct plan_constants *c)
{
	static const u32 sizes[] = { 8, 16, 48 };
	struct plan_probe *probes[] = { &c->small, &c->middle, &c->large };
	u32 i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < 3; i++) {
		struct plan_probe *p = probes[i];
		double hops;

		config_make(&p->config, "bgl", 3, (u32[]){ sizes[i], sizes[i], sizes[i] }, 0, 1);
		hops = 0.02 * 1e4 * p->config.geo.nodes;
		p->first = (struct plan_cost){ 1e4, hops * 1.5 / 1e7, hops / 2, hops / 6 };
		p->last = (struct plan_cost){ 1e4, hops * 1.5 / 1e7, hops, hops / 6 };
		p->first.cpu_s = 1 / 1e7 * (p->first.hops + 3 * p->first.packets);
		p->last.cpu_s = 1 / 1e7 * (p->last.hops + 3 * p->last.packets);
		p->packets = 3 * p->config.geo.nodes;
		p->bytes = 1000 * p->config.geo.nodes;
		p->window_ticks = 20;
		p->packet_bytes = 48;
		p->wheel_bytes = 100 * p->config.geo.nodes;
		p->events = 5 * p->config.geo.nodes;
		p->later_bytes = 64 * p->config.geo.nodes;
		p->later_at = 5000;
		p->accepted = 1;
		p->start_bytes = sizeof(struct torus_fabric) + 56.0 * p->config.geo.nodes;
	}
	c->twin = c->middle;
	plan_grow(c);
}

static void test_hop_and_packet(void **state)
{
	struct plan_constants c;

	constants_make(&c);
	near(plan_packet_s(&c, 1000.0 * 4096) * 1e9, 300, 1);
	near(plan_hop_s(&c, 1000.0 * 4096, 0) * 1e9, 100, 1);
	near(plan_hop_s(&c, 1000.0 * 4096, 1) * 1e9, 100, 1);
	/* what takes twice as long at 48x48x48, and more beyond */
	c.large.first.cpu_s *= 2;
	c.large.last.cpu_s *= 2;
	plan_grow(&c);
	near(plan_growth(&c, 1000.0 * 48 * 48 * 48), 2, 1 / 1e9);
	near(plan_growth(&c, 1000.0 * 4096), 1, 1 / 1e9);
	near(plan_growth(&c, 1000.0 * 4096 * sqrt(27)), 1.5, 1 / 1e9);
	near(plan_growth(&c, 1000.0 * 48 * 48 * 48 * 27), 3, 1 / 1e9);
	near(plan_hop_s(&c, 1000.0 * 4096, 1) * 1e9, 100, 1);
	near(plan_packet_s(&c, 1000.0 * 48 * 48 * 48) * 1e9, 600, 1);
}

static void test_memory(void **state)
{
	struct plan_course course = { .held = 4, .last = 0.02 };
	struct plan_memory early, late;
	struct plan_constants c;
	struct torus_config config;
	struct plan_boxes boxes;

	constants_make(&c);
	config_make(&config, "bgl", 3, (u32[]){ 32, 32, 32 }, 0, 1);
	plan_boxes_cut(&boxes, &config);
	plan_memory(&early, &c, &config, &some, &course, &boxes, 4000);
	plan_memory(&late, &c, &config, &some, &course, &boxes, 6000);
	near(early.rest, (double)torus_config_bytes(&config) + 56 * 32768, 1);
	/* packets in pieces of 256 KB, events in slabs */
	near(early.run - early.rest, 32768.0 * 4 * 48 + 100 * 32768, (1 << 18) + (1 << 19));
	near(late.run - early.run, 64 * 32768, 1);
	near(late.all, late.run, 0);
	/* beyond the machine that has most events, those are 5 a node, of 11 bytes */
	config_make(&config, "bgl", 3, (u32[]){ 64, 64, 64 }, 0, 1);
	plan_memory(&late, &c, &config, &some, &course, &boxes, 4000);
	near(late.run - late.rest,
	     262144.0 * 4 * 48 + 100 * 110592 + 55 * (262144 - 110592), 1 << 21);
}

static void test_time_of_parts(void **state)
{
	struct plan_parallel p = { .nodes = 32768, .parts = 1, .ranks = 1, .cores = 2,
				   .part_nodes = 32768, .links = 98304,
				   .core_bytes = 4096000 };
	struct plan_course course;
	struct plan_constants c;
	struct plan_time one, two, far, few;

	constants_make(&c);
	plan_course(&course, &some, 2e6);
	plan_time(&one, &c, &some, &course, &p, 2e6, 5714286);
	near(one.wall, 32768 * 0.02 * 2e6 * 1.15 / 1e7, 0.05 * one.wall);
	near(one.window, 32768 * 0.02 * 20 * 1.15 / 1e7, 0.05 * one.window);
	p.parts = 2;
	p.part_nodes = 16384;
	plan_time(&two, &c, &some, &course, &p, 2e6, 5714286);
	/* each has half, and waits for the one that has more by chance */
	assert_true(two.wall > 0.5 * one.wall && two.wall < 0.6 * one.wall);
	assert_true(two.imbalance > 0);
	p.part_nodes = 20000;
	plan_time(&far, &c, &some, &course, &p, 2e6, 5714286);
	near(far.wall / two.wall, 20000 / 16384.0, 0.02);
	p.part_nodes = 16384;
	c.link = (struct plan_link){ .meet_s = 1 / 1e5, .mail_s = 1 / 1e7 };
	p.part_links = 9830.4;
	plan_time(&far, &c, &some, &course, &p, 2e6, 5714286);
	near(far.latency, 1 / 1e5, 1 / 1e9);
	near(far.compute / two.compute, 1 + 0.1 / 1.15, 0.01);
	/* two on one core take turns */
	p.cores = 1;
	plan_time(&few, &c, &some, &course, &p, 2e6, 5714286);
	near(few.compute, 2 * far.compute, 1 / 1e9);
	/* processes: two messages one after the other, and mail of what lies between */
	p.cores = 2;
	p.ranks = 2;
	p.own_links = 9830.4;
	p.pair_links = 9830.4;
	c.link = (struct plan_link){ .latency_s = 1 / 1e5, .bytes_s = 1e9 };
	plan_time(&far, &c, &some, &course, &p, 2e6, 5714286);
	near(far.latency, 2 / 1e5, 1 / 1e9);
	/* a tenth of 13107 hops a window, half of them each way, with 112 bytes each */
	near(far.message, 1310.7 / 2 * 112, 10);
	near(far.bandwidth, (far.message + 2 * 24) / 1e9, 1 / 1e8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boxes_are_the_fabrics),
		cmocka_unit_test(test_boxes_of_ranks),
		cmocka_unit_test(test_scale_in_proportion),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_course_becomes_steady),
		cmocka_unit_test(test_course_of_more_than_fits),
		cmocka_unit_test(test_hop_and_packet),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_time_of_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

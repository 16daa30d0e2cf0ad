// SPDX-License-Identifier: GPL-2.0
/*
 * Test the routes with the router itself: packets of all pairs at once use the chosen hints, in
 * a fabric whose dead nodes have disabled links.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "../select.h"
#include "core/link/control.h"

#define CHUNKS	8

struct live {
	struct torus_fabric *f;
	struct torus_route_map *map;
	struct rig_client *client;
	u32 expected;
};

static void disable(struct torus_fabric *f, u32 node, u32 dir)
{
	struct torus_error err;

	if (torus_link_disable(f, node, dir, true, &err))
		fail_msg("%s", err.text);
}

static void live_start(struct live *live, const char *shape, const char *settings, const u32 *dead,
		       u32 ndead)
{
	struct torus_fabric *f = rig_make(shape, settings);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 i, node, dir;

	live->f = f;
	live->expected = 0;
	assert_int_equal(torus_route_map_new(&live->map, g->dims, g->ndims, g->mesh), 0);
	for (i = 0; i < ndead; i++)
		assert_int_equal(torus_route_kill_node(live->map, dead[i]), 0);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			if (torus_geometry_neighbor(g, node, dir) != TORUS_NONE &&
			    !torus_route_link_alive(live->map, node, dir))
				disable(f, node, dir);
	live->client = calloc(f->nodes, sizeof(*live->client));
	for (node = 0; node < f->nodes; node++)
		rig_attach(&live->client[node], f, node, 0, false);
}

static void live_stop(struct live *live)
{
	u32 node;

	for (node = 0; node < live->f->nodes; node++)
		rig_client_free(&live->client[node]);
	free(live->client);
	torus_route_map_free(live->map);
	torus_fabric_destroy(live->f);
}

static void live_send(struct live *live, u32 from, u32 to, u8 hints, bool dynamic)
{
	struct rig_client *c = &live->client[from];
	struct rig_message *m = rig_send(c, to, 0, CHUNKS, dynamic, live->expected++);
	struct bgl_header h;

	bgl_header_unpack(&h, m->bytes);
	h.hints = hints;
	bgl_header_pack(&h, m->bytes);
}

static void live_leg(struct live *live, u32 from, u32 to, const struct torus_route_leg *leg)
{
	if (leg->deterministic)
		live_send(live, from, to, leg->hints, false);
	if (leg->dynamic)
		live_send(live, from, to, leg->hints, true);
}

static u32 live_received(struct live *live)
{
	u32 node, i, sum = 0;

	rig_settle(live->f);
	for (node = 0; node < live->f->nodes; node++) {
		struct rig_client *c = &live->client[node];

		assert_int_equal(c->pulled, c->outs);
		assert_int_equal(c->refusals, 0);
		for (i = 0; i < c->ins; i++)
			assert_int_not_equal(rig_mark(c->in[i].bytes, CHUNKS), ~0u);
		sum += c->ins;
	}
	return sum;
}

/*
 * Send packets for all pairs of nodes. If a pair allows both, send deterministic and dynamic
 * packets. Send a packet over a relay as two legs.
 */
static void all_pairs(const char *shape, const char *settings, const u32 *dead, u32 ndead)
{
	u32 from, to, adaptive = 0, relay = 0;
	struct live live;

	live_start(&live, shape, settings, dead, ndead);
	for (to = 0; to < live.f->nodes; to++)
		for (from = 0; from < live.f->nodes; from++) {
			struct torus_route_choice c;

			if (from == to || !torus_route_node_alive(live.map, from) ||
			    !torus_route_node_alive(live.map, to))
				continue;
			assert_true(torus_route_choose(live.map, from, to, 0, NULL, &c));
			adaptive += c.kind == TORUS_ROUTE_ADAPTIVE;
			relay += c.kind == TORUS_ROUTE_RELAY;
			live_leg(&live, from, c.relay == TORUS_ROUTE_NONE ? to : c.relay,
				 &c.leg[0]);
			if (c.relay != TORUS_ROUTE_NONE)
				live_leg(&live, c.relay, to, &c.leg[1]);
		}
	assert_true(adaptive || relay);
	assert_int_equal(live_received(&live), live.expected);
	assert_int_equal(torus_fabric_in_flight(live.f), 0);
	rig_census(live.f);
	live_stop(&live);
}

static void test_three_dead(void **state)
{
	/* dead nodes 1,1,0, 2,3,1 and 0,2,3: in neighbouring planes, no two on one line */
	const u32 dead[] = { 1 + 4 * 1, 2 + 4 * 3 + 16 * 1, 0 + 4 * 2 + 16 * 3 };

	all_pairs("4x4x4", "vc_bytes=512", dead, COUNT(dead));
	all_pairs("4x4x4", "dynamic_vcs=1 vc_bytes=512 seed=3", dead, COUNT(dead));
	all_pairs("4x4x4", "domains=2", dead, COUNT(dead));
}

static void test_dead_on_a_mesh(void **state)
{
	const u32 dead[] = { 1 + 4 * 1, 2 + 4 * 2 + 16 * 2 };

	all_pairs("4mx4x4m", "vc_bytes=512", dead, COUNT(dead));
}

/* Test that a packet that enters a pocket of dead links really stays there. */
static void test_trapped(void **state)
{
	const u32 dead[] = { 2, 1 + 5 };
	struct live live;

	live_start(&live, "5x5x1", "", dead, COUNT(dead));
	live_send(&live, 0, 2 + 5 * 2, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP, true);
	/* send more packets until one of them enters the pocket */
	while (live_received(&live) == live.expected)
		live_send(&live, 0, 2 + 5 * 2, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP, true);
	assert_int_equal(torus_fabric_in_flight(live.f), 1);
	live_stop(&live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_dead),
		cmocka_unit_test(test_dead_on_a_mesh),
		cmocka_unit_test(test_trapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

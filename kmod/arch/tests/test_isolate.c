// SPDX-License-Identifier: GPL-2.0
/*
 * The key `isolate`: partitions share no buffer. The tests compare the machine's check of a packet
 * with the hops of its router, and on Blue Gene/L with all possible paths.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "arch/tests/engine_rig.h"
#include "arch/tests/xt_rig.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/channel.h"
#include "core/tests/draw.h"
#include "core/tests/live_params.h"

static void in_partition(struct torus_fabric *f, u32 node, u32 partition)
{
	struct torus_error err;

	assert_int_equal(torus_fabric_partition_set(f, node, partition, &err), 0);
}

/*
 * Put each node into partition 0, or with probability 1 / @in into partition 1, so that some paths
 * stay in one partition and others leave it.
 */
static void draw_partitions(struct torus_fabric *f, u32 in)
{
	u32 node;

	for (node = 0; node < f->nodes; node++)
		in_partition(f, node, !draw_below(in));
}

/* --------------------------------------------------------------- Blue Gene/L */

/*
 * Send a packet with hint bits @hints. Check that it arrives unless it is rejected. Return: the
 * code of the rejection.
 */
static u32 sent(struct rig_client *from, struct rig_client *to, u8 hints)
{
	struct rig_message *m = rig_send(from, to->node, 0, 1, true, 0);
	struct bgl_header h;
	u32 ins = to->ins;

	bgl_header_unpack(&h, m->bytes);
	h.hints = hints;
	bgl_header_pack(&h, m->bytes);
	rig_settle(from->f);
	assert_int_equal(to->ins - ins, !m->refused);
	return m->refused ? m->code : TORUS_REFUSE_NONE;
}

/*
 * A partition of 2x2x1 accepts packets on paths within its box, and rejects packets whose hints
 * lead round a ring. The key isolate is on by default on Blue Gene/L, and can be switched off.
 */
static void test_bgl_box(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b, c, d;
	struct torus_error err;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	rig_attach(&c, f, 2, 0, false);
	rig_attach(&d, f, 10, 0, false);
	in_partition(f, 6, 2);
	assert_int_equal(sent(&a, &d, 0), TORUS_REFUSE_ISOLATE);
	assert_int_equal(sent(&a, &c, 0), TORUS_REFUSE_NONE);
	in_partition(f, 0, 1);
	in_partition(f, 1, 1);
	in_partition(f, 4, 1);
	in_partition(f, 5, 1);
	assert_int_equal(sent(&a, &b, 0), TORUS_REFUSE_NONE);
	assert_int_equal(sent(&a, &b, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YP), TORUS_REFUSE_NONE);
	assert_int_equal(sent(&a, &b, TORUS_BGL_HINT_XM | TORUS_BGL_HINT_YP), TORUS_REFUSE_ISOLATE);
	assert_int_equal(sent(&a, &b, TORUS_BGL_HINT_XP | TORUS_BGL_HINT_YM), TORUS_REFUSE_ISOLATE);
	assert_int_equal(sent(&b, &a, TORUS_BGL_HINT_XM | TORUS_BGL_HINT_YM), TORUS_REFUSE_NONE);
	assert_int_equal(sent(&a, &c, 0), TORUS_REFUSE_PARTITION);
	assert_int_equal(f->domain[0].stats.refused, 4);
	assert_int_equal(torus_fabric_set(f, "isolate", "off", &err), 0);
	assert_int_equal(sent(&a, &b, TORUS_BGL_HINT_XM | TORUS_BGL_HINT_YP), TORUS_REFUSE_NONE);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&c);
	rig_client_free(&d);
	torus_fabric_destroy(f);
}

/* Check whether all paths that the hints permit stay in partition @own. */
static bool all_stay(const struct torus_fabric *f, u32 own, u32 at, u32 dest, u32 hints)
{
	u32 to[TORUS_DIMS_MAX], there[TORUS_DIMS_MAX], dir, next;

	torus_geometry_coords(&f->cfg.geo, dest, to);
	for (dir = 0; dir < BGL_DIRS; dir++) {
		if (!(hints & bgl_hint_bit(dir)))
			continue;
		next = torus_geometry_neighbor(&f->cfg.geo, at, dir);
		torus_geometry_coords(&f->cfg.geo, next, there);
		if (f->partition[next] != own ||
		    !all_stay(f, own, next, dest, there[TORUS_DIM(dir)] == to[TORUS_DIM(dir)] ?
						  hints & ~(u32)bgl_hint_bit(dir) : hints))
			return false;
	}
	return true;
}

/*
 * Draw hints to a destination: in each dimension plus or minus at random, or once round the ring if
 * the coordinates are equal.
 */
static u32 draw_hints(const struct torus_geometry *g, u32 src, u32 dst)
{
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, hints = 0;

	torus_geometry_coords(g, src, a);
	torus_geometry_coords(g, dst, b);
	for (dim = 0; dim < BGL_DIMS; dim++) {
		bool mesh = g->mesh >> dim & 1;

		if (a[dim] == b[dim] && (mesh || draw_below(8)))
			continue;
		hints |= bgl_hint_bit(2 * dim + (mesh ? a[dim] > b[dim] : draw_below(2)));
	}
	return hints;
}

static void test_bgl_ways(void **state)
{
	static const char *const shapes[] = { "4x3x5", "3x6mx4", "2x2x8", "9x2x2m" };
	u32 i, stay = 0, n = 0;

	for (i = 0; i < 40; i++) {
		struct torus_fabric *f = rig_make(shapes[i % COUNT(shapes)], "");
		u32 pair;

		draw_partitions(f, 2 + i);
		for (pair = 0; pair < 500; pair++) {
			u32 src = draw_below(f->nodes), dst = draw_below(f->nodes);
			u32 hints = draw_hints(&f->cfg.geo, src, dst);
			struct torus_packet p;
			bool right;

			if (!hints)
				continue;
			p = rig_packet_on(f, src, dst, 1, TORUS_BGL_D0, hints);
			right = all_stay(f, f->partition[src], src, dst, hints);
			assert_int_equal(torus_fabric_stays_in_partition(f, src, &p), right);
			stay += right;
			n++;
		}
		torus_fabric_destroy(f);
	}
	assert_true(stay > n / 8 && stay < n - n / 8);
}

/* A row broadcast may go once round a ring if all of the ring is in its partition. */
static void test_bgl_ring(void **state)
{
	struct torus_fabric *f = rig_make("4x2x1", "");
	struct torus_packet p = { .src = 1, .next = TORUS_NONE, .body = TORUS_NONE };

	in_partition(f, 5, 1);
	f->arch->deposit(f, &p, 1, 0, 4);
	assert_true(torus_fabric_stays_in_partition(f, 1, &p));
	in_partition(f, 0, 1);
	assert_false(torus_fabric_stays_in_partition(f, 1, &p));
	torus_fabric_destroy(f);
}

/* If a neighbour register is wrong, a packet can pass its destination, so the check rejects it. */
static void test_bgl_registers(void **state)
{
	struct torus_fabric *f = rig_make("8x2x1", "");
	struct torus_packet p = rig_packet_on(f, 0, 2, 1, TORUS_BGL_D0, TORUS_BGL_HINT_XP);
	u32 was = rig_reg(f, 1, "plus_neighbor");

	in_partition(f, 15, 1);
	assert_true(torus_fabric_stays_in_partition(f, 0, &p));
	rig_reg_set(f, 1, "plus_neighbor", was ^ 0x10000);
	assert_false(torus_fabric_stays_in_partition(f, 0, &p));
	rig_reg_set(f, 1, "plus_neighbor", was ^ 0x100);
	assert_true(torus_fabric_stays_in_partition(f, 0, &p));
	rig_reg_set(f, 1, "plus_neighbor", was);
	rig_reg_set(f, 5, "plus_neighbor", 0);
	assert_true(torus_fabric_stays_in_partition(f, 0, &p));
	torus_fabric_destroy(f);
}

/* --------------------------------------- machines with one path per packet */

/* Check whether the traced packet reached a node of another partition. */
static bool strayed(const struct torus_fabric *f, const struct rig_trace *trace, u32 own)
{
	u32 i, to;

	for (i = 0; i < trace->n; i++) {
		to = torus_geometry_neighbor(&f->cfg.geo, trace->step[i].node, trace->step[i].dir);
		if (f->partition[to] != own)
			return true;
	}
	return false;
}

/* Compare the check of random packets with the hops of their routers. */
static void check_hops(struct torus_fabric *f)
{
	struct rig_trace trace;
	u32 pair, stay = 0;

	draw_partitions(f, 10);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	for (pair = 0; pair < 300; pair++) {
		u32 src = draw_below(f->nodes), dst = draw_below(f->nodes);
		struct torus_packet p;

		if (src == dst)
			continue;
		p = rig_packet(f, src, dst, 1);
		trace.n = 0;
		rig_inject(f, 0, &p);
		rig_drain(f);
		assert_true(trace.n);
		assert_int_equal(torus_fabric_stays_in_partition(f, src, &p),
				 !strayed(f, &trace, f->partition[src]));
		stay += torus_fabric_stays_in_partition(f, src, &p);
	}
	assert_in_range(stay, 20, 280);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_xt_hops(void **state)
{
	struct torus_fabric *f;
	u32 i;

	for (i = 0; i < 6; i++)
		check_hops(xt_rig_make(i & 1 ? "3x4x5m" : "4x4x4", "isolate=on", true));
	/* the key is off by default on this machine */
	f = xt_rig_make("4x4x4", "", true);
	assert_false(f->isolate);
	torus_fabric_destroy(f);
}

static void test_tofu_hops(void **state)
{
	struct torus_fabric *f;
	u32 i;

	for (i = 0; i < 6; i++)
		check_hops(rig_make_arch("tofu", i & 1 ? "3x4x2" : "6x1x2",
					 i & 2 ? "isolate=on path=roundrobin" : "isolate=on"));
	f = rig_make_arch("tofu", "3x1x1", "");
	assert_false(f->isolate);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------- engines of Tofu */

/* Post an operation of the first program. Return: the code with which it was rejected, or 0. */
static u32 post(struct engine_pair *t, u32 op, u32 path)
{
	struct torus_tofu_command c = engine_transfer(t, op, 0, 0, 16);
	u32 n = t->a->outs;

	if (op == TORUS_TOFU_NOP) {
		c.local = 0;
		c.length = 0;
	}
	engine_post_by(t->a, 0, t->b, path, &c);
	rig_settle(t->f);
	return t->a->out[n].code;
}

/* Return the index of a node in a machine of two groups. */
static u32 place(u32 group, u32 slot)
{
	return group + 2 * slot;
}

/*
 * The nodes with a = 0 are one partition. A path over a relay with a = 1 is rejected, and so is a
 * path whose reply would leave the partition. Within a group, a reply also takes axis b before c,
 * so it passes other nodes than the request.
 */
static void test_tofu_command(void **state)
{
	struct torus_tofu_command c;
	struct torus_error err;
	struct engine_pair t;
	u32 slot;

	engine_pair_make(&t, "2x1x1", "isolate=on", place(1, 2), 64);
	for (slot = 0; slot < TOFU_GROUP; slot += 2) {
		in_partition(t.f, place(0, slot), 1);
		in_partition(t.f, place(1, slot), 1);
	}
	assert_int_equal(post(&t, TORUS_TOFU_PUT, 0), TORUS_REFUSE_NONE);
	assert_int_equal(engine_count(t.a, TORUS_TOFU_LCL_PUT), 1);
	assert_int_equal(post(&t, TORUS_TOFU_GET, 8), TORUS_REFUSE_NONE);
	assert_int_equal(engine_count(t.a, TORUS_TOFU_LCL_GET), 1);
	assert_int_equal(post(&t, TORUS_TOFU_PUT, 1), TORUS_REFUSE_ISOLATE);
	in_partition(t.f, place(0, 6), 0);
	assert_int_equal(post(&t, TORUS_TOFU_GET, 8), TORUS_REFUSE_ISOLATE);
	assert_int_equal(post(&t, TORUS_TOFU_GET, 0), TORUS_REFUSE_NONE);
	/*
	 * the partition changes after the command was accepted, so the operation completes with an
	 * error
	 */
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 16);
	engine_post_by(t.a, 0, t.b, 0, &c);
	assert_true(torus_nic_poll(t.f));
	in_partition(t.f, place(1, 0), 0);
	rig_settle(t.f);
	assert_int_equal(engine_find(t.a, TORUS_TOFU_LCL_PUT, 1)->code, TORUS_TOFU_PEER);
	in_partition(t.f, place(1, 0), 1);
	in_partition(t.f, place(1, 2), 0);
	assert_int_equal(post(&t, TORUS_TOFU_PUT, 0), TORUS_REFUSE_PARTITION);
	/* a NOP sends no packet, so its path does not matter */
	assert_int_equal(post(&t, TORUS_TOFU_NOP, 1), TORUS_REFUSE_NONE);
	in_partition(t.f, place(1, 2), 1);
	assert_int_equal(torus_fabric_set(t.f, "isolate", "off", &err), 0);
	assert_int_equal(post(&t, TORUS_TOFU_PUT, 1), TORUS_REFUSE_NONE);
	assert_int_equal(engine_count(t.a, TORUS_TOFU_LCL_PUT), 3);
	engine_pair_free(&t);
}

/* A gate's packet whose path leaves the partition is not sent. */
static void test_tofu_gate(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", "isolate=on");
	struct tofu_gate_setting setting = { .remote_source = TOFU_VBG_NULL };
	struct tofu_gates *a, *b;
	struct torus_error err;
	u64 value = 1, vbg;
	u32 stranger;

	assert_int_equal(tofu_barrier_open(f, NULL, NULL, &err), 0);
	a = tofu_barrier_gates(f, 0, 0, &err);
	b = tofu_barrier_gates(f, place(1, 0), 0, &err);
	assert_true(a && b);
	assert_int_equal(tofu_gates_alloc(a, 1, &vbg), TOFU_GATE_FINE);
	setting.gate = vbg;
	setting.local_source = vbg;
	setting.local_dest = vbg;
	setting.remote_dest = b->self;
	setting.path = TOFU_GATE_PATH_DEFAULT;
	for (stranger = 0; stranger < 2; stranger++) {
		in_partition(f, place(1, 0), stranger);
		assert_int_equal(tofu_gates_set(a, &setting), TOFU_GATE_FINE);
		assert_int_equal(tofu_gates_start(a, a->self, TOFU_OP_SUM, &value, 1),
				 TOFU_GATE_FINE);
		rig_drain(f);
		assert_int_equal(f->domain[0].stats.dropped[TORUS_DROP_NO_ROUTE], stranger);
	}
	rig_empty(f);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bgl_box),
		cmocka_unit_test(test_bgl_ways),
		cmocka_unit_test(test_bgl_ring),
		cmocka_unit_test(test_bgl_registers),
		cmocka_unit_test(test_xt_hops),
		cmocka_unit_test(test_tofu_hops),
		cmocka_unit_test(test_tofu_command),
		cmocka_unit_test(test_tofu_gate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

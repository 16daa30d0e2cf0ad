// SPDX-License-Identifier: GPL-2.0
/* Synthetic sources: the injection FIFOs that they fill, and the packets. */
#include "arch/tests/bgl_rig.h"
#include "core/workload/workload.h"
#include "core/nic/inject_queue.h"
#include "core/run/windows.h"

#define ONE		(1ull << 32)
#define FIFOS		8	/* FIFOs per node; each fourth is a priority FIFO */
#define FIFOS_MAX	24	/* FIFOs per node of Tofu */
#define NORMAL		6

static const u32 normal[NORMAL] = { 0, 1, 2, 4, 5, 6 };

static struct torus_traffic offered(u32 pattern, u32 percent, u64 cycles)
{
	return (struct torus_traffic){
		.pattern = pattern, .size_min = 256, .size_max = 256,
		.load = percent * ONE / 100, .warmup = cycles / 4, .cycles = cycles,
	};
}

static struct torus_result result_of(const char *shape, const char *settings,
				     const struct torus_traffic *t)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_result r;

	rig_start(f, t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	torus_fabric_destroy(f);
	return r;
}

/*
 * By default sources fill all normal FIFOs in turn. Fewer FIFOs, or another order, give another
 * run.
 */
static void test_default(void **state)
{
	static const char *const loops[] = { "", "injection=infinite " };
	const struct torus_traffic t = offered(TORUS_PATTERN_UNIFORM, 120, 4000);
	char settings[80];
	u32 i;

	for (i = 0; i < COUNT(loops); i++) {
		u64 hash = result_of("4x4x4", loops[i], &t).hash;

		snprintf(settings, sizeof(settings), "%ssource_fifos=6 source_order=turn",
			 loops[i]);
		assert_true(result_of("4x4x4", settings, &t).hash == hash);
		snprintf(settings, sizeof(settings), "%ssource_fifos=5", loops[i]);
		assert_true(result_of("4x4x4", settings, &t).hash != hash);
		snprintf(settings, sizeof(settings), "%ssource_order=direction", loops[i]);
		assert_true(result_of("4x4x4", settings, &t).hash != hash);
	}
}

/* Return a bit for each FIFO that had a packet at any node when it was sampled. */
static u32 filled_of(const char *arch, u32 fifos, const char *settings, u32 pattern)
{
	struct torus_traffic t = offered(pattern, 200, 6000);
	struct torus_fabric *f = rig_make_arch(arch, fifos == FIFOS ? "4x4x4" : "2x2x2", settings);
	u32 used = 0, node, i, room[FIFOS_MAX];
	bool more;

	for (i = 0; i < fifos; i++)
		room[i] = torus_fifo_room(f, 0, i);
	rig_start(f, &t);
	do {
		more = rig_step(f, 20, 1);
		for (node = 0; node < f->nodes; node++)
			for (i = 0; i < fifos; i++)
				used |= (torus_fifo_room(f, node, i) < room[i]) << i;
	} while (more);
	torus_fabric_destroy(f);
	return used;
}

static u32 filled(const char *settings, u32 pattern)
{
	return filled_of("bgl", FIFOS, settings, pattern);
}

/* By default, sources of a machine with four FIFO groups fill the FIFOs of two groups. */
static void test_groups(void **state)
{
	assert_int_equal(filled_of("tofu", FIFOS_MAX, "", TORUS_PATTERN_UNIFORM), 0xfff);
	assert_int_equal(filled_of("tofu", FIFOS_MAX, "source_fifos=24", TORUS_PATTERN_UNIFORM),
			 0xffffff);
}

/* source_fifos=N fills the first N normal FIFOs, and no priority FIFO. */
static void test_fifos(void **state)
{
	char settings[80];
	u32 n, mask = 0;

	for (n = 1; n <= NORMAL; n++) {
		mask |= 1u << normal[n - 1];
		snprintf(settings, sizeof(settings), "source_fifos=%u", n);
		assert_int_equal(filled(settings, TORUS_PATTERN_UNIFORM), mask);
		snprintf(settings, sizeof(settings), "source_fifos=%u injection=infinite", n);
		assert_int_equal(filled(settings, TORUS_PATTERN_UNIFORM), mask);
		snprintf(settings, sizeof(settings), "source_fifos=%u source_order=direction", n);
		assert_int_equal(filled(settings, TORUS_PATTERN_UNIFORM), mask);
	}
}

/*
 * Tornado packets move equally far in each dimension, always in the plus direction. Therefore
 * source_order=direction selects the FIFO of the first direction.
 */
static void test_direction(void **state)
{
	assert_int_equal(filled("source_order=direction", TORUS_PATTERN_TORNADO), 1u << normal[0]);
	assert_int_equal(filled("source_order=turn", TORUS_PATTERN_TORNADO), 0x77);
	assert_int_equal(filled("source_order=direction", TORUS_PATTERN_NEIGHBOR), 0x77);
}

/**
 * struct sent - the packets of each source by sequence number
 * @dst: destination nodes plus 1; 0: no such packet
 * @born: ticks at which the packets were generated
 */
struct sent {
	u32 dst[64][256];
	u64 born[64][256];
};

static u32 packets_of(struct sent *sent, const char *settings, const struct torus_traffic *t)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct rig_trace trace;
	u32 i, n;

	memset(sent, 0, sizeof(*sent));
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	rig_start(f, t);
	rig_finish(f, 0, 1);
	n = trace.n;
	for (i = 0; i < n; i++) {
		const struct rig_step *s = &trace.step[i];

		assert_true(s->seq < 256);
		assert_int_equal(sent->dst[s->src][s->seq], 0);
		sent->dst[s->src][s->seq] = s->dst + 1;
		sent->born[s->src][s->seq] = s->born;
	}
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
	return n;
}

/* With each order of FIFOs, the sources send the same packets, and each packet once. */
static void test_same_packets(void **state)
{
	static struct sent turn, direction;
	struct torus_traffic t = offered(TORUS_PATTERN_UNIFORM, 30, 8000);
	u32 n = packets_of(&turn, "", &t);

	assert_true(n > 64 * 10);
	assert_int_equal(packets_of(&direction, "source_order=direction", &t), n);
	assert_memory_equal(&turn, &direction, sizeof(turn));
	packets_of(&direction, "source_order=direction injection=infinite source_fifos=3", &t);
	assert_memory_equal(&turn, &direction, sizeof(turn));

	t = (struct torus_traffic){ .pattern = TORUS_PATTERN_ALLTOALL, .size_min = 64,
				    .size_max = 64, .packets = 2 };
	n = packets_of(&turn, "inject_packet=20 receive_packet=10", &t);
	assert_int_equal(n, 64 * 63 * 2);
	assert_int_equal(packets_of(&direction, "source_order=direction inject_packet=20", &t), n);
	assert_memory_equal(turn.dst, direction.dst, sizeof(turn.dst));
}

/* With each order of FIFOs, injected and waiting packets add up to the generated packets. */
static void test_generated(void **state)
{
	struct torus_traffic t = offered(TORUS_PATTERN_NEIGHBOR, 150, 6000);
	struct torus_result turn = result_of("4x4x4", "", &t);
	struct torus_result direction = result_of("4x4x4", "source_order=direction", &t);

	assert_true(direction.backlog > 0);
	assert_int_equal(turn.injected + turn.backlog, direction.injected + direction.backlog);
	assert_int_equal(turn.win_generated, direction.win_generated);
	t = (struct torus_traffic){ .pattern = TORUS_PATTERN_UNIFORM, .size_min = 256,
				    .size_max = 256, .packets = 20 };
	direction = result_of("4x4x4", "source_order=direction", &t);
	assert_int_equal(direction.injected, 64 * 20);
	assert_int_equal(direction.backlog, 0);
}

/*
 * "Six normal-priority FIFOs, which are sufficient for nearest-neighbor connectivity": with
 * source_order=direction all links are busy. With the default order, packets of several FIFOs wait
 * for one link while other links are idle.
 */
static void test_neighbours(void **state)
{
	const struct torus_traffic t = offered(TORUS_PATTERN_NEIGHBOR, 120, 30000);
	struct torus_result turn = result_of("4x4x4", "", &t);
	struct torus_result direction = result_of("4x4x4", "source_order=direction", &t);

	assert_in_range(turn.win_busy[0] * 1000 / (t.cycles * turn.dim_links[0]), 580, 680);
	assert_in_range(direction.win_busy[0] * 1000 / (t.cycles * turn.dim_links[0]), 990, 1000);
}

static void test_refused(void **state)
{
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;

	rig_config(&cfg, "bgl", "4x4x4", "source_fifos=7");
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), -ERANGE);
	assert_says(err.text, "source_fifos 7 bgl 6");
	rig_config(&cfg, "kncube", "4x4", "");
	assert_int_equal(torus_config_set(&cfg, "source_fifos", "1", &err), 0);
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), -EINVAL);
	assert_says(err.text, "source_fifos 1 buffers finite");
}

/* Reading the results during an overloaded run does not change the final counts. */
static void test_results_read_often(void **state)
{
	static const char *const orders[] = { "", "source_order=direction", "source_fifos=2" };
	const struct torus_traffic t = offered(TORUS_PATTERN_UNIFORM, 180, 8000);
	struct torus_fabric *often, *once;
	struct torus_result a, b;
	u64 at, i;

	for (i = 0; i < COUNT(orders); i++) {
		for (at = 500; at < 10000; at += 3100) {
			often = rig_make("4x2x2", orders[i]);
			once = rig_make("4x2x2", orders[i]);
			rig_start(often, &t);
			rig_start(once, &t);
			do
				torus_traffic_result(often, &a);
			while (torus_fabric_clock(often) < at && torus_traffic_step(often, 3, 1));
			while (torus_fabric_clock(once) < at)
				torus_traffic_step(once, 3, 1);
			torus_traffic_result(once, &b);
			assert_true(b.backlog > 0 || at < 6000);
			assert_memory_equal(&a, &b, sizeof(a));
			torus_fabric_destroy(often);
			torus_fabric_destroy(once);
		}
	}
}

/* A packet that a processor prepares when the workload is stopped is not injected. */
static void test_stopped(void **state)
{
	static const struct torus_traffic t = { .pattern = TORUS_PATTERN_UNIFORM, .size_min = 256,
						.size_max = 256, .packets = 100 };
	struct torus_fabric *f = rig_make("4x4x4", "inject_packet=50 receive_packet=1");
	struct torus_error err;
	u64 injected;

	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	torus_traffic_pause(f, 3000);
	torus_traffic_step(f, 0, 1);
	torus_traffic_stop(f);
	injected = f->domain[0].stats.injected;
	assert_true(torus_fabric_in_flight(f) > 0);
	torus_fabric_run(f, 100000, 0, 1);
	assert_int_equal(f->domain[0].stats.injected, injected);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default),
		cmocka_unit_test(test_fifos),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_same_packets),
		cmocka_unit_test(test_generated),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_results_read_often),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

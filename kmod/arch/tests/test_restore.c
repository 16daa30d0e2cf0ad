// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric that is restored from a whole file, as the module does. It continues like an
 * uninterrupted run, with pending faults and routing tables. The fabric that is the restore's
 * template does not change. Damaged files are rejected.
 */
#include "arch/tests/bgl_rig.h"
#include "arch/tests/snapshot_rig.h"
#include "arch/tests/xt_rig.h"
#include "core/run/snapshot.h"
#include "core/run/measure.h"
#include "core/run/routing_tables.h"

#define OPTIONS	"{\"arch\":\"of a test\"}"

static struct torus_traffic workload(bool closed)
{
	struct torus_traffic t = {
		.load = closed ? 0 : 3ull << 30, .packets = closed ? 40 : 0,
		.warmup = closed ? 0 : 1500, .cycles = closed ? 0 : 5000,
		.size_min = 32, .size_max = 64,
	};

	return t;
}

/* Inject faults that begin and end at given ticks, and one without an end. */
static void fault(struct torus_fabric *f)
{
	const struct torus_fault down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 0, .at = f->clock + 700, .lasts = 900,
	}, late = {
		.what = TORUS_FAULT_DELAY, .node = TORUS_NONE, .dir = 1, .delay = 30,
		.lasts = 1200,
	}, noisy = {
		.what = TORUS_FAULT_CORRUPT, .node = 3, .dir = TORUS_NONE, .corrupt = 4,
	};

	rig_fault(f, &down);
	rig_fault(f, &late);
	rig_fault(f, &noisy);
}

/* Run to the end of the workload, or to tick @tick. */
static void run_to(struct torus_fabric *f, u64 tick)
{
	if (tick && f->clock >= tick)
		return;
	if (tick)
		torus_traffic_pause(f, tick);
	while (torus_traffic_step(f, 0, 1))
		if (tick && f->clock >= tick)
			return;
}

static struct torus_fabric *make(const char *arch, const char *shape, const char *settings)
{
	return strcmp(arch, "xt") ? rig_make_arch(arch, shape, settings) :
				    xt_rig_make(shape, settings, false);
}

static struct snapshot_file save(struct torus_fabric *f)
{
	struct snapshot_file m = { 0 };
	struct torus_snapshot snap;
	struct torus_error err;

	torus_snapshot_init(&snap, &snapshot_to, &m, &err);
	if (torus_fabric_snapshot_file(&snap, f, OPTIONS, strlen(OPTIONS)))
		fail_msg("%s", err.text);
	torus_snapshot_free(&snap);
	return m;
}

static int restore(struct snapshot_file *m, struct torus_fabric *like,
		   const struct torus_traffic *t,
		   struct torus_fabric **out, struct torus_error *err)
{
	struct torus_snapshot snap;

	m->at = 0;
	*out = NULL;
	err->text[0] = '\0';
	torus_snapshot_init(&snap, &snapshot_from, m, err);
	torus_fabric_restore(&snap, like, t, NULL, 0, out);
	torus_snapshot_free(&snap);
	return snap.status;
}

static struct torus_result finish(struct torus_fabric *f)
{
	struct torus_result r;

	run_to(f, 0);
	torus_traffic_result(f, &r);
	/* allocated memory depends on the history of a fabric */
	r.memory = 0;
	torus_fabric_destroy(f);
	return r;
}

/*
 * Start a workload and run it to tick @tick. If @faulty is not 0, inject the faults at tick
 * @faulty.
 */
static struct torus_fabric *start(struct torus_fabric *f, bool closed, u64 faulty, u64 tick)
{
	struct torus_traffic t = workload(closed);
	struct torus_error err;

	if (torus_traffic_start(f, &t, &err))
		fail_msg("%s", err.text);
	if (faulty) {
		run_to(f, faulty);
		fault(f);
	}
	run_to(f, tick);
	return f;
}

static void test_continues_restored(void **state)
{
	static const struct {
		const char *arch;
		const char *shape;
		const char *settings;
		bool closed;
		bool faults;
	} runs[] = {
		{ "kncube", "4x4x3", "", false, false },
		{ "kncube", "4x4", "buffers=finite routing=adaptive", true, false },
		{ "bgl", "4x4x2", "", false, true },
		{ "bgl", "4x3x2", "crc=full", true, true },
		{ "xt", "4x4x3", "", false, true },
		{ "xt", "4x3x4", "", true, false },
		{ "tofu", "2x2x2", "", false, true },
		{ "tofu", "2x1x2", "path=hash", true, false },
	};
	u64 ticks[] = { 1, 333, 901, 1100, 1600, 1777, 2500 }, faulty;
	struct torus_fabric *f, *like, *again;
	struct torus_result whole, other;
	char one[128], many[128];
	struct torus_traffic t;
	struct torus_error err;
	struct snapshot_file m, n;
	size_t i, j;

	for (i = 0; i < COUNT(runs); i++) {
		snprintf(one, sizeof(one), "%s seed=5", runs[i].settings);
		snprintf(many, sizeof(many), "%s seed=5 domains=3", runs[i].settings);
		t = workload(runs[i].closed);
		/* faults that are injected during the run are known only from the file */
		faulty = runs[i].faults ? 900 : 0;
		whole = finish(start(make(runs[i].arch, runs[i].shape, one), runs[i].closed, faulty,
				     1));
		for (j = 0; j < COUNT(ticks); j++) {
			u64 at = faulty && ticks[j] > faulty ? faulty : 0;

			if (faulty && !at)
				continue;
			f = start(make(runs[i].arch, runs[i].shape, one), runs[i].closed, at,
				  ticks[j]);
			m = save(f);
			other = finish(f);
			assert_memory_equal(&other, &whole, sizeof(whole));
			like = make(runs[i].arch, runs[i].shape, many);
			if (restore(&m, like, &t, &again, &err))
				fail_msg("%s %s at %llu: %s", runs[i].arch, runs[i].settings,
					 ticks[j], err.text);
			assert_int_equal(like->clock, 0);
			assert_null(like->workload);
			torus_fabric_destroy(like);
			n = save(again);
			assert_int_equal(m.n, n.n);
			assert_memory_equal(m.bytes, n.bytes, m.n);
			other = finish(again);
			assert_memory_equal(&other, &whole, sizeof(whole));
			free(m.bytes);
			free(n.bytes);
		}
	}
}

/* Staged routing tables are saved. Of two staged tables, one is in use at the time of the save. */
static void test_tables(void **state)
{
	const struct xt_plan plans[] = {
		{ .dateline = { 3, 3, 2 }, .one = true }, { .dateline = { 3, 3, 2 } },
	};
	struct torus_traffic t = workload(false);
	struct torus_fabric *f[3], *again;
	struct torus_result whole, other;
	struct torus_error err;
	struct snapshot_file m;
	size_t bytes, i, j;
	void *image;

	for (i = 0; i < 3; i++) {
		f[i] = xt_rig_make("4x4x3", "seed=9", false);
		for (j = 0; j < 2; j++) {
			image = xt_rig_image(f[i], &plans[j], &bytes);
			if (torus_fabric_routes_load(f[i], image, bytes, 1000 + 1500 * j, &err))
				fail_msg("%s", err.text);
			test_free(image);
		}
	}
	whole = finish(start(f[0], false, 0, 1));
	start(f[1], false, 0, 1800);
	m = save(f[1]);
	torus_fabric_destroy(f[1]);
	if (restore(&m, f[2], &t, &again, &err))
		fail_msg("%s", err.text);
	other = finish(again);
	assert_memory_equal(&other, &whole, sizeof(whole));
	/* the template still has all of its tables */
	other = finish(start(f[2], false, 0, 1));
	assert_memory_equal(&other, &whole, sizeof(whole));
	free(m.bytes);
}

/* A fabric had live links before a reset: its packets are wide, but no link is live. */
static void test_after_reset(void **state)
{
	struct torus_fabric *f = rig_make_arch("bgl", "4x2x2", "seed=4"), *like, *again;
	struct torus_traffic t = workload(false);
	struct torus_result once, other;
	struct torus_error err;
	struct snapshot_file m;

	fault(f);
	assert_int_equal(torus_fabric_reset(f, 4, &err), 0);
	start(f, false, 0, 1200);
	m = save(f);
	once = finish(f);
	like = rig_make_arch("bgl", "4x2x2", "seed=4");
	if (restore(&m, like, &t, &again, &err))
		fail_msg("%s", err.text);
	torus_fabric_destroy(like);
	other = finish(again);
	assert_memory_equal(&other, &once, sizeof(once));
	free(m.bytes);
}

/* The pointers of resend FIFOs survive a reset of the counters in a saved state, too. */
static void test_after_counters_reset(void **state)
{
	struct torus_fabric *f = rig_make_arch("bgl", "4x2x2", ""), *like, *again;
	struct torus_traffic t = workload(false);
	struct torus_error err;
	struct snapshot_file m;
	u32 node, moved = 0;

	start(f, false, 0, 1200);
	torus_fabric_counters_reset(f);
	m = save(f);
	like = rig_make_arch("bgl", "4x2x2", "");
	if (restore(&m, like, &t, &again, &err))
		fail_msg("%s", err.text);
	for (node = 0; node < f->nodes; node++) {
		assert_int_equal(rig_reg(again, node, "resend_x"), rig_reg(f, node, "resend_x"));
		moved += rig_reg(f, node, "resend_x") != 0;
	}
	assert_true(moved);
	torus_fabric_destroy(again);
	torus_fabric_destroy(like);
	torus_fabric_destroy(f);
	free(m.bytes);
}

/* A file with one flipped bit, and a truncated file, is rejected, and creates no fabric. */
static void test_damage(void **state)
{
	struct torus_fabric *f = start(rig_make_arch("bgl", "4x4x2", ""), false, 900, 1300), *out;
	struct torus_fabric *like = rig_make_arch("bgl", "4x4x2", "");
	u32 tries = rig_soak() ? 10000 : 100, i;
	struct torus_traffic t = workload(false);
	struct snapshot_file whole = save(f), m;
	struct torus_result once, other;
	struct torus_error err;
	u64 rng = 3;

	once = finish(f);
	for (i = 0; i < tries; i++) {
		m = snapshot_copy(&whole);
		if (i & 1)
			m.n = torus_random_below(&rng, (u32)m.n);
		else
			m.bytes[torus_random_below(&rng, (u32)m.n)] ^=
				(u8)(1u << torus_random_below(&rng, 8));
		assert_int_not_equal(restore(&m, like, &t, &out, &err), 0);
		assert_says(err.text, "state");
		assert_int_equal(like->clock, 0);
		free(m.bytes);
	}
	assert_int_equal(restore(&whole, like, &t, &out, &err), 0);
	other = finish(out);
	assert_memory_equal(&other, &once, sizeof(once));
	torus_fabric_destroy(like);
	free(whole.bytes);
}

/*
 * A file with random wrong numbers and right CRCs is rejected, or the continued run does not crash.
 */
static void test_wrong(void **state)
{
	static const char *const archs[] = { "bgl", "xt", "tofu" };
	u32 tries = rig_soak() ? 5000 : 60, i, j, no = 0;
	struct torus_traffic t = workload(false);
	struct torus_fabric *f, *like, *out;
	struct torus_error err;
	struct snapshot_file whole, m;
	u64 rng = 8;
	size_t w;

	for (w = 0; w < COUNT(archs); w++) {
		f = start(make(archs[w], "3x2x2", ""), false, 900, 1300);
		whole = save(f);
		torus_fabric_destroy(f);
		like = make(archs[w], "3x2x2", "");
		for (i = 0; i < tries; i++) {
			m = snapshot_copy(&whole);
			/*
			 * overwrite data that the fabric has once, not per node: live links and
			 * faults
			 */
			for (j = 1 + torus_random_below(&rng, 3); j; j--)
				m.bytes[94 + torus_random_below(&rng, 600)] =
					(u8)torus_random_below(&rng, 256);
			snapshot_seal(&m);
			if (restore(&m, like, &t, &out, &err)) {
				assert_says(err.text, "state");
				no++;
			} else {
				run_to(out, out->clock + 2000);
				torus_fabric_destroy(out);
			}
			free(m.bytes);
		}
		torus_fabric_destroy(like);
		free(whole.bytes);
	}
	assert_true(no > 0);
}

/*
 * A fault at a link that the file does not list as live is rejected, and so is a fault at a node
 * that does not exist.
 */
static void test_wrong_faults(void **state)
{
	const struct torus_fault down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 0, .at = 2000, .lasts = 100,
	};
	struct torus_fabric *f = rig_make_arch("bgl", "4x2x2", ""), *like, *out;
	struct torus_traffic t = workload(false);
	struct torus_error err;
	struct snapshot_file m;
	/*
	 * three section heads; version; options; tick, mark; three flags; live links; count; flag;
	 * offset in the fault
	 */
	size_t node = 3 * sizeof(struct snapshot_head) + 4 + 4 + strlen(OPTIONS) + 16 + 3 + 16 * 4 +
		      4 + 1 + offsetof(struct torus_fault, node);

	rig_fault(f, &down);
	start(f, false, 0, 900);
	m = save(f);
	torus_fabric_destroy(f);
	like = rig_make_arch("bgl", "4x2x2", "");
	assert_int_equal(m.bytes[node], 1);
	m.bytes[node] = 2;
	snapshot_seal(&m);
	assert_int_equal(restore(&m, like, &t, &out, &err), -EINVAL);
	assert_says(err.text, "state section 2 fault link node");
	/* a node that does not exist */
	m.bytes[node] = 16;
	snapshot_seal(&m);
	assert_int_equal(restore(&m, like, &t, &out, &err), -EINVAL);
	assert_says(err.text, "state section 2 fault node 16");
	torus_fabric_destroy(like);
	free(m.bytes);
}

static void check_refused(struct snapshot_file *m, struct torus_fabric *like,
			  const struct torus_traffic *t, const char *text)
{
	struct torus_fabric *out;
	struct torus_error err;

	assert_int_not_equal(restore(m, like, t, &out, &err), 0);
	assert_says(err.text, text);
	torus_fabric_destroy(like);
}

/*
 * A template that is not a new fabric, and parameters that differ from those of the save, are
 * rejected.
 */
static void test_error_messages(void **state)
{
	struct torus_fabric *f = start(rig_make_arch("bgl", "4x2x2", ""), false, 0, 900), *like;
	struct torus_traffic t = workload(false), wrong = workload(true);
	struct snapshot_file m = save(f);

	torus_fabric_destroy(f);
	check_refused(&m, start(rig_make_arch("bgl", "4x2x2", ""), false, 0, 5), &t,
		      "state new fabric run");
	like = rig_make_arch("bgl", "4x2x2", "");
	rig_reg_set(like, 1, "arbitration", rig_reg(like, 1, "arbitration"));
	check_refused(&m, like, &t, "state new fabric register");
	like = rig_make_arch("bgl", "4x2x2", "");
	assert_int_equal(torus_fabric_partition_set(like, 3, 1, NULL), 0);
	check_refused(&m, like, &t, "state new fabric partition");
	check_refused(&m, rig_make_arch("bgl", "4x2x2", ""), &wrong, "state fabric");
	wrong.load = 0;
	wrong.packets = 0;
	check_refused(&m, rig_make_arch("bgl", "4x2x2", ""), &wrong, "load packet");
	free(m.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_continues_restored),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_after_reset),
		cmocka_unit_test(test_after_counters_reset),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_wrong_faults),
		cmocka_unit_test(test_error_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

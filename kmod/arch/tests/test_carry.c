// SPDX-License-Identifier: GPL-2.0
/*
 * A run that is saved at some tick and goes on in another fabric, in other domains, ends as the
 * unbroken one; what is saved does not depend on domains; what is damaged is refused.
 */
#include "arch/tests/bgl_rig.h"
#include "arch/tests/carry_rig.h"
#include "arch/tests/xt_rig.h"
#include "core/run/carry.h"
#include "core/run/measure.h"
#include "core/state/latency.h"

#define LOAD(percent)	((u64)(percent) * (1ull << 32) / 100)

static int carry(struct torus_fabric *f, struct memory *m, const struct torus_carrier_ops *ops,
		 struct torus_error *err)
{
	struct torus_carrier c;

	m->at = 0;
	torus_carrier_init(&c, ops, m, err);
	torus_carrier_file(&c);
	torus_fabric_carry(&c, f);
	torus_carrier_last(&c);
	torus_carrier_free(&c);
	return c.status;
}

static struct memory save(struct torus_fabric *f)
{
	struct memory m = { 0 };
	struct torus_error err;

	if (carry(f, &m, &to_memory, &err))
		fail_msg("%s", err.text);
	return m;
}

/**
 * struct scene - a run
 * @arch: machine
 * @shape: its shape
 * @settings: parameters
 * @traffic: the workload, of which the rest is uniform
 * @faults: links err
 * @statistics: histograms are kept
 */
struct scene {
	const char *arch;
	const char *shape;
	const char *settings;
	struct torus_traffic traffic;
	bool faults;
	bool statistics;
};

#define CLOSED(n)	.packets = (n), .size_min = 64, .size_max = 256
#define OPEN(percent)	.load = LOAD(percent), .warmup = 1500, .cycles = 5000, .size_min = 64, \
			.size_max = 256
#define XT_OPEN		.load = LOAD(60), .warmup = 3000, .cycles = 9000, .size_min = 16, \
			.size_max = 72

static const struct scene scenes[] = {
	{ .arch = "kncube", .shape = "5x4x3", .settings = "",
	  .traffic = { OPEN(70) } },
	{ .arch = "kncube", .shape = "4x4", .settings = "",
	  .traffic = { CLOSED(40) }, .statistics = true },
	{ .arch = "kncube", .shape = "4x4x4", .settings = "buffers=finite routing=adaptive",
	  .traffic = { OPEN(90) } },
	{ .arch = "kncube", .shape = "4x4mx3", .settings = "buffers=finite routing=valiant",
	  .traffic = { OPEN(60) }, .statistics = true },
	{ .arch = "kncube", .shape = "3x3x3x3",
	  .settings = "buffers=finite escape=dateline arbitration=rr",
	  .traffic = { OPEN(90) } },
	{ .arch = "bgl", .shape = "4x4x4", .settings = "",
	  .traffic = { OPEN(95) }, .statistics = true },
	{ .arch = "bgl", .shape = "4x3x5", .settings = "routing=deterministic bubble=plain",
	  .traffic = { CLOSED(30) } },
	{ .arch = "bgl", .shape = "4x4mx4", .settings = "",
	  .traffic = { OPEN(60) }, .faults = true },
	{ .arch = "bgl", .shape = "4x4x2", .settings = "crc=full",
	  .traffic = { CLOSED(40) }, .faults = true, .statistics = true },
	{ .arch = "bgl", .shape = "4x4x4", .settings = "ber=0.00002 control=simulated",
	  .traffic = { OPEN(50) } },
	{ .arch = "bgl", .shape = "3x3x3",
	  .settings = "unblocking=on arbiter_gap=1 vc_delay=10 control=simulated",
	  .traffic = { OPEN(80) } },
	{ .arch = "bgl", .shape = "4x4x2",
	  .settings = "escape=dateline dynamic_vcs=4 escape_order=direction",
	  .traffic = { OPEN(90) } },
	{ .arch = "bgl", .shape = "4x4x2",
	  .settings = "inject_packet=100 receive_packet=120 receive_chunk=9",
	  .traffic = { OPEN(60) } },
	{ .arch = "bgl", .shape = "4x4x2", .settings = "injection=infinite source_order=direction",
	  .traffic = { OPEN(120) } },
	{ .arch = "bgl", .shape = "4x4x4", .settings = "",
	  .traffic = { .packets = 60, .size_min = 256, .size_max = 256,
		       .pattern = TORUS_PATTERN_LINEFILL } },
	{ .arch = "bgl", .shape = "4x4x2", .settings = "",
	  .traffic = { OPEN(50), .reply = 128, .outstanding = 3 }, .statistics = true },
	{ .arch = "bgl", .shape = "4x4x2", .settings = "",
	  .traffic = { OPEN(40), .burst = 5, .arrivals = 1 }, .faults = true },
	{ .arch = "xt", .shape = "4x4x3", .settings = "",
	  .traffic = { XT_OPEN } },
	{ .arch = "xt", .shape = "4x3x4", .settings = "arbitration=rr",
	  .traffic = { .packets = 60, .size_min = 16, .size_max = 72 },
	  .faults = true, .statistics = true },
	{ .arch = "tofu", .shape = "2x2x3", .settings = "",
	  .traffic = { OPEN(70) } },
	{ .arch = "tofu", .shape = "2x2x2", .settings = "path=roundrobin tnis=6",
	  .traffic = { CLOSED(40) }, .faults = true },
	{ .arch = "tofu", .shape = "2x2x2", .settings = "path=hash inject_packet=30",
	  .traffic = { OPEN(50), .reply = 64 }, .statistics = true },
};

static void faults(struct torus_fabric *f)
{
	const struct torus_fault down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 0, .at = 900, .lasts = 2500,
	}, all = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_CORRUPT_ACK | TORUS_FAULT_DELAY,
		.node = TORUS_NONE, .dir = TORUS_NONE, .corrupt = 3, .corrupt_ack = 1,
		.delay = 70, .at = 1500, .lasts = 1500,
	}, noisy = {
		.what = TORUS_FAULT_BER, .node = 3, .dir = TORUS_NONE, .ber = ~0ull / 3000,
	}, escaped = {
		.what = TORUS_FAULT_ESCAPE, .node = 2, .dir = TORUS_NONE, .escape = 50,
	};

	rig_fault(f, &down);
	rig_fault(f, &all);
	rig_fault(f, &noisy);
	rig_fault(f, &escaped);
}

static struct torus_fabric *make(const struct scene *s, u32 domains)
{
	struct torus_traffic t = s->traffic;
	struct torus_fabric *f;
	char settings[256];

	snprintf(settings, sizeof(settings), "%s seed=11 domains=%u", s->settings, domains);
	f = strcmp(s->arch, "xt") ? rig_make_arch(s->arch, s->shape, settings) :
				    xt_rig_make(s->shape, settings, false);
	if (s->faults)
		faults(f);
	if (s->statistics)
		assert_int_equal(torus_latencies_start(f), 0);
	rig_start(f, &t);
	return f;
}

/* Until the workload's end, or a tick. */
static bool run_to(struct torus_fabric *f, u64 tick)
{
	if (tick)
		torus_traffic_pause(f, tick);
	while (torus_traffic_step(f, 0, 1))
		if (tick && f->clock >= tick)
			return true;
	return false;
}

struct outcome {
	struct torus_result result;
	struct torus_latencies *latencies;
	u64 links;
};

/* Every counter of every link, mixed. */
static u64 links(struct torus_fabric *f)
{
	struct torus_link_counters c;
	u64 sum = 0;
	u32 node, dir;
	size_t i;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			torus_link_counters(f, node, dir, &c);
			for (i = 0; i < sizeof(c) / sizeof(u64); i++)
				sum = torus_mix(sum ^ ((u64 *)&c)[i]);
		}
	return sum;
}

/* To the end, and the fabric's. */
static struct outcome finish(struct torus_fabric *f)
{
	struct outcome o = { 0 };

	run_to(f, 0);
	torus_traffic_result(f, &o.result);
	/* memory is as fabrics have grown */
	o.result.memory = 0;
	o.latencies = torus_latencies_take(f);
	o.links = links(f);
	torus_fabric_destroy(f);
	return o;
}

static void same(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->result.hash, b->result.hash);
	assert_int_equal(a->result.events, b->result.events);
	assert_memory_equal(&a->result, &b->result, sizeof(a->result));
	assert_int_equal(a->links, b->links);
	assert_int_equal(!a->latencies, !b->latencies);
	if (!a->latencies)
		return;
	assert_memory_equal(&a->latencies->source, &b->latencies->source,
			    sizeof(a->latencies->source));
	assert_memory_equal(&a->latencies->total, &b->latencies->total,
			    sizeof(a->latencies->total));
	assert_memory_equal(a->latencies->by_class, b->latencies->by_class,
			    sizeof(a->latencies->by_class));
	assert_memory_equal(a->latencies->network, b->latencies->network,
			    a->latencies->hops * sizeof(a->latencies->network[0]));
	assert_memory_equal(a->latencies->received, b->latencies->received,
			    a->latencies->nodes * sizeof(u64));
}

static void equal(const struct memory *a, const struct memory *b)
{
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->bytes, b->bytes, a->n);
}

/* Saved at @tick in one division, read into another, saved again, read into a third. */
static void broken(const struct scene *s, u64 tick, const struct outcome *whole)
{
	struct torus_fabric *one = make(s, 1), *other = make(s, 5), *third;
	struct memory saved, again, apart;
	struct torus_error err;
	struct outcome o;

	assert_true(run_to(one, tick));
	assert_true(run_to(other, tick));
	saved = save(one);
	apart = save(other);
	equal(&saved, &apart);
	torus_fabric_destroy(other);
	/* to be saved has changed nothing */
	o = finish(one);
	same(&o, whole);
	torus_latencies_free(o.latencies);

	other = make(s, 3);
	if (carry(other, &saved, &from_memory, &err))
		fail_msg("%s %s %s: %s", s->arch, s->shape, s->settings, err.text);
	again = save(other);
	equal(&saved, &again);
	run_to(other, tick + 777);
	free(again.bytes);
	free(apart.bytes);
	apart = save(other);
	o = finish(other);
	same(&o, whole);
	torus_latencies_free(o.latencies);

	third = make(s, 2);
	if (carry(third, &apart, &from_memory, &err))
		fail_msg("%s", err.text);
	o = finish(third);
	same(&o, whole);
	torus_latencies_free(o.latencies);
	free(saved.bytes);
	free(apart.bytes);
}

static void test_scenes(void **state)
{
	u64 rng = 5;
	size_t i;
	u32 n;

	for (i = 0; i < COUNT(scenes); i++) {
		struct outcome whole = finish(make(&scenes[i], 1));

		assert_int_equal(whole.result.done, 1);
		for (n = 0; n < (rig_soak() ? 50 : 2); n++) {
			u64 tick = 1 + torus_random_below(&rng, (u32)(whole.result.clock - 900));

			broken(&scenes[i], tick, &whole);
		}
		torus_latencies_free(whole.latencies);
	}
}

/* Read into a fabric of its own: refused in words, or told so. */
static bool refused(const struct scene *s, struct memory *m, struct torus_error *err, bool go_on)
{
	struct torus_fabric *f = make(s, 2);
	bool no;

	err->text[0] = '\0';
	no = carry(f, m, &from_memory, err);
	if (no)
		assert_memory_equal(err->text, "state: ", 7);
	else if (go_on)
		run_to(f, f->clock + 300);
	torus_fabric_destroy(f);
	return no;
}

/* The scene's state at a tick. */
static struct memory state_of(const struct scene *s, u64 tick)
{
	struct torus_fabric *f = make(s, 1);
	struct memory m;

	assert_true(run_to(f, tick));
	m = save(f);
	torus_fabric_destroy(f);
	return m;
}

/* One bit anywhere, and every way to end too early. */
static void test_damage(void **state)
{
	struct memory whole = state_of(&scenes[0], 700), m;
	u32 tries = rig_soak() ? 10000 : 60, i;
	struct torus_error err;
	u64 rng = 3;

	for (i = 0; i < tries; i++) {
		m = copy_of(&whole);
		m.bytes[torus_random_below(&rng, (u32)m.n)] ^=
			(u8)(1u << torus_random_below(&rng, 8));
		assert_true(refused(&scenes[0], &m, &err, false));
		free(m.bytes);
		m = copy_of(&whole);
		m.n = torus_random_below(&rng, (u32)m.n);
		assert_true(refused(&scenes[0], &m, &err, false));
		free(m.bytes);
	}
	free(whole.bytes);
}

/* Numbers that cannot be, behind CRCs that are right: refused, or harmless. */
static void test_wrong(void **state)
{
	static const size_t which[] = { 0, 2, 5, 7, 10, 12, 14, 15, 17, 18, 19, 21 };
	u32 tries = rig_soak() ? 2000 : 25, i, j, n, no = 0;
	struct torus_error err;
	u64 rng = 9;
	size_t w;

	for (w = 0; w < COUNT(which); w++) {
		const struct scene *s = &scenes[which[w]];
		struct memory whole = state_of(s, 1200);

		for (i = 0; i < tries; i++) {
			struct memory m = copy_of(&whole);

			n = 1 + torus_random_below(&rng, 4);
			for (j = 0; j < n; j++)
				m.bytes[76 + torus_random_below(&rng, (u32)m.n - 76)] =
					(u8)torus_random_below(&rng, 256);
			seal(&m);
			no += refused(s, &m, &err, true);
			free(m.bytes);
		}
		free(whole.bytes);
	}
	assert_true(no > 0);
}

/* What there is a word for. */
static void test_words(void **state)
{
	const struct scene other = {
		.arch = "kncube", .shape = "5x4x3", .settings = "processing=23",
		.traffic = scenes[0].traffic,
	};
	struct memory whole = state_of(&scenes[0], 700), m;
	struct torus_error err;
	struct head head;

	assert_true(refused(&other, &whole, &err, false));
	assert_string_equal(err.text, "state: of a fabric that was made otherwise");

	m = copy_of(&whole);
	m.n = 10;
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: the file ends within section 0");
	m.n = whole.n;
	m.bytes[0] ^= 1;
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: the file holds none");
	memcpy(&head, whole.bytes, sizeof(head));
	head.what = __builtin_bswap32(head.what);
	memcpy(m.bytes, &head, sizeof(head));
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: written by a machine of other byte order");
	memcpy(m.bytes, whole.bytes, m.n);
	m.bytes[5] ^= 1;
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: the head of section 0 is damaged");
	seal(&m);
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: section 0 is not what follows here");
	memcpy(m.bytes, whole.bytes, m.n);
	m.bytes[sizeof(head)]++;
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: section 0 is damaged");
	seal(&m);
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: of version 3, and not 2");
	free(m.bytes);

	/* a byte less in the first section; a tick, a number of packets, in the second */
	m = copy_of(&whole);
	m.n--;
	memmove(m.bytes + sizeof(head), m.bytes + sizeof(head) + 1, m.n - sizeof(head));
	m.bytes[offsetof(struct head, bytes)] = 3;
	seal(&m);
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: section 0 ends too early");
	free(m.bytes);
	m = copy_of(&whole);
	m.bytes[59] = 0x80;
	seal(&m);
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: section 1: tick 9223372036854776508 cannot be");
	m.bytes[59] = 0;
	m.bytes[75]++;
	seal(&m);
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: its packets or tokens do not add up");
	free(m.bytes);

	/* a byte behind the last section */
	m = copy_of(&whole);
	m.bytes = realloc(m.bytes, ++m.n);
	m.bytes[m.n - 1] = 0;
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: something follows the last section");
	/* the last section has a byte, and the first has one less */
	m.bytes[whole.n - sizeof(head) + offsetof(struct head, bytes)] = 1;
	seal(&m);
	assert_true(refused(&scenes[0], &m, &err, false));
	assert_string_equal(err.text, "state: section 4 has 1 bytes too many");
	free(m.bytes);
	free(whole.bytes);
}

static int memory_full(void *file, const void *bytes, u32 n)
{
	return -ENOSPC;
}

static int memory_broken(void *file, void *bytes, u32 n)
{
	return -EIO;
}

/* What cannot be kept, and files that cannot be written or read. */
static void test_refused(void **state)
{
	static const struct torus_carrier_ops full = { .write = memory_full };
	static const struct torus_carrier_ops broken_file = { .read = memory_broken };
	struct torus_fabric *f = rig_make("2x2x2", "");
	struct memory m = { 0 };
	struct torus_error err;

	assert_int_equal(carry(f, &m, &to_memory, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "state: the fabric has none to keep: it has no workload");
	rig_load(f, 50, 64, 64, 1000);
	rig_reg_set(f, 1, "arbitration", rig_reg(f, 1, "arbitration"));
	assert_int_equal(carry(f, &m, &to_memory, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "state: the fabric has none to keep: "
			    "registers of it have been written");
	torus_fabric_destroy(f);

	f = rig_make("2x2x2", "");
	rig_load(f, 50, 64, 64, 1000);
	assert_int_equal(carry(f, &m, &full, &err), -ENOSPC);
	assert_string_equal(err.text, "state: section 0 cannot be written");
	assert_int_equal(carry(f, &m, &broken_file, &err), -EIO);
	assert_string_equal(err.text, "state: section 0 cannot be read");
	torus_fabric_destroy(f);
	free(m.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* Runs that are saved to files in memory, restored and continued. */
#include "arch/tests/snapshot_rig.h"
#include "arch/tests/xt_rig.h"
#include "core/base/crc.h"
#include "core/run/snapshot.h"
#include "core/run/measure.h"

#define LOAD(percent)	((u64)(percent) * (1ull << 32) / 100)

static int memory_write(void *file, const void *bytes, u32 n)
{
	struct snapshot_file *m = file;

	if (m->n + n > m->cap) {
		m->cap = 2 * (m->n + n);
		m->bytes = realloc(m->bytes, m->cap);
		assert_non_null(m->bytes);
	}
	memcpy(m->bytes + m->n, bytes, n);
	m->n += n;
	return 0;
}

static int memory_read(void *file, void *bytes, u32 n)
{
	struct snapshot_file *m = file;
	size_t left = m->n - m->at;

	n = n < left ? n : (u32)left;
	memcpy(bytes, m->bytes + m->at, n);
	m->at += n;
	return (int)n;
}

const struct torus_snapshot_ops snapshot_to = { .write = memory_write };
const struct torus_snapshot_ops snapshot_from = { .read = memory_read };

int snapshot_whole(struct torus_fabric *f, struct snapshot_file *m,
		   const struct torus_snapshot_ops *ops, struct torus_error *err)
{
	struct torus_snapshot snap;

	m->at = 0;
	torus_snapshot_init(&snap, ops, m, err);
	torus_snapshot_file_header(&snap);
	torus_fabric_snapshot(&snap, f);
	torus_snapshot_finish(&snap);
	torus_snapshot_free(&snap);
	return snap.status;
}

struct snapshot_file snapshot_save(struct torus_fabric *f)
{
	struct snapshot_file m = { 0 };
	struct torus_error err;

	if (snapshot_whole(f, &m, &snapshot_to, &err))
		fail_msg("%s", err.text);
	return m;
}

#define CLOSED(n)	.packets = (n), .size_min = 64, .size_max = 256
#define OPEN(percent)	.load = LOAD(percent), .warmup = 1500, .cycles = 5000, .size_min = 64, \
			.size_max = 256
#define XT_OPEN		.load = LOAD(60), .warmup = 3000, .cycles = 9000, .size_min = 16, \
			.size_max = 72

const struct snapshot_scene snapshot_scenes[SNAPSHOT_SCENES] = {
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
	{ .arch = "kncube", .shape = "4x4", .settings = "",
	  .traffic = { CLOSED(300) } },
	{ .arch = "kncube", .shape = "5x4mx2", .settings = "",
	  .traffic = { .pattern = TORUS_PATTERN_TORNADO, CLOSED(200) } },
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

struct torus_fabric *snapshot_make(const struct snapshot_scene *s, u32 domains)
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

bool snapshot_run_to(struct torus_fabric *f, u64 tick)
{
	if (tick)
		torus_traffic_pause(f, tick);
	while (torus_traffic_step(f, 0, 1))
		if (tick && f->clock >= tick)
			return true;
	return false;
}

static u32 crc_of(const void *bytes, size_t n)
{
	return torus_crc32_value(torus_crc32c_update(TORUS_CRC32_INIT, bytes, n));
}

void snapshot_seal(struct snapshot_file *m)
{
	struct snapshot_head head;
	size_t at;

	for (at = 0; at + sizeof(head) <= m->n; at += sizeof(head) + head.bytes) {
		memcpy(&head, m->bytes + at, sizeof(head));
		if (head.bytes > m->n - at - sizeof(head))
			return;
		head.crc = crc_of(m->bytes + at + sizeof(head), head.bytes);
		head.check = crc_of(&head, offsetof(struct snapshot_head, check));
		memcpy(m->bytes + at, &head, sizeof(head));
	}
}

struct snapshot_file snapshot_copy(const struct snapshot_file *from)
{
	struct snapshot_file m = { .bytes = malloc(from->n), .n = from->n, .cap = from->n };

	assert_non_null(m.bytes);
	memcpy(m.bytes, from->bytes, from->n);
	return m;
}

bool snapshot_refused(const struct snapshot_scene *s, struct snapshot_file *m,
		      struct torus_error *err, bool go_on)
{
	struct torus_fabric *f = snapshot_make(s, 2);
	bool no;

	err->text[0] = '\0';
	no = snapshot_whole(f, m, &snapshot_from, err);
	if (no)
		assert_says(err->text, "state");
	else if (go_on)
		snapshot_run_to(f, f->clock + 300);
	torus_fabric_destroy(f);
	return no;
}

struct snapshot_file snapshot_state(const struct snapshot_scene *s, u64 tick)
{
	struct torus_fabric *f = snapshot_make(s, 1);
	struct snapshot_file m;

	assert_true(snapshot_run_to(f, tick));
	m = snapshot_save(f);
	torus_fabric_destroy(f);
	return m;
}

size_t snapshot_section(const struct snapshot_file *m, u32 number, size_t *bytes)
{
	struct snapshot_head head;
	size_t at = 0;

	for (;; at += sizeof(head) + head.bytes) {
		memcpy(&head, m->bytes + at, sizeof(head));
		*bytes = head.bytes;
		if (head.number == number)
			return at + sizeof(head);
	}
}

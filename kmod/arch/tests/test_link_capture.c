// SPDX-License-Identifier: GPL-2.0
/*
 * Contents of a capture: each transmission of a packet on a link once, with the bytes that arrive.
 * The machine's own CRCs agree with the recorded errors.
 */
#include "arch/tests/xt_rig.h"
#include "core/base/node_number.h"
#include "core/link/fault.h"
#include "core/link/capture.h"
#include "core/state/trace.h"

/* Events that were recorded for a link. */
struct capture_link {
	u64 sent;
	u64 again;
	u64 wrong;
	u64 lost;
	u64 tick;
};

struct recorder {
	struct torus_tracer tracer;
	struct torus_fabric *f;
	struct capture_link *links;
	struct capture_link sum;
	u64 escaped;
	u64 invalid;
	u64 most;
};

static u32 crc_in(const struct torus_wire *wire, const u8 *bytes)
{
	const u8 *at = bytes + (wire->crc_at ? wire->crc_at : wire->bytes - 1 - wire->crc_bytes);
	u32 i, crc = 0;

	for (i = 0; i < wire->crc_bytes; i++)
		crc = crc << 8 | at[i];
	return crc;
}

/* Check that the machine's CRCs of the bytes agree with the flags of the record. */
static void check_crcs(const struct torus_arch *arch, const struct torus_wire *wire, u8 *bytes)
{
	u32 len = wire->bytes - 1 - (wire->crc_at ? 0 : wire->crc_bytes), trailer, i;
	u8 valid = bytes[wire->bytes - 1];

	if (!arch->image) {
		assert_int_equal(wire->bytes % arch->chunk_bytes, 0);
		return;
	}
	assert_int_equal(len % arch->chunk_bytes, 0);
	/* the valid byte is 0 or 255, except for up to three wrong bits */
	assert_int_equal(__builtin_popcount(valid) < 4, !!(wire->flags & TORUS_WIRE_INVALID));
	trailer = crc_in(wire, bytes);
	for (i = 0; wire->crc_at && i < wire->crc_bytes; i++)
		bytes[wire->crc_at + i] = 0;
	if (wire->flags & TORUS_WIRE_HEADER) {
		assert_false(arch->intact(bytes));
	} else {
		bool right = arch->crc(bytes, len) == trailer;

		assert_true(arch->intact(bytes));
		if (wire->flags & TORUS_WIRE_CRC)
			assert_false(right && valid == 0xff);
		else
			assert_true(right);
	}
}

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct recorder *r = (struct recorder *)tracer;
	const struct torus_geometry *geo = &d->f->cfg.geo;
	struct torus_wire wire;
	u8 bytes[TORUS_LINK_CAPTURE_BYTES];
	struct capture_link *l;

	if (!torus_link_capture_wanted(d, what, node, dir))
		return;
	torus_link_capture_record(d, what, node, dir, vc, p, &wire, bytes);
	l = &r->links[node * d->f->dirs + dir];
	assert_int_equal(wire.node, torus_node_number(geo, node));
	assert_int_equal(torus_node_index(geo, wire.peer),
			 torus_geometry_neighbor(geo, node, dir));
	assert_int_equal(wire.src, torus_node_number(geo, p->src));
	assert_int_equal(wire.dst, torus_node_number(geo, p->dst));
	assert_int_equal(wire.seq, p->seq);
	assert_string_equal(wire.arch, d->f->arch->name);
	assert_true(wire.tick > l->tick || (!l->sent && !wire.tick));
	l->tick = wire.tick;
	if (!(wire.flags & TORUS_WIRE_AGAIN)) {
		assert_int_equal(wire.attempt, 1);
		assert_int_equal(wire.link_seq, (u16)(l->sent - l->again));
	} else {
		assert_true(wire.attempt > 1);
		l->again++;
		r->sum.again++;
	}
	l->sent++;
	r->sum.sent++;
	r->most = wire.attempt > r->most ? wire.attempt : r->most;
	r->escaped += !!(wire.flags & TORUS_WIRE_ESCAPED);
	r->invalid += !!(wire.flags & TORUS_WIRE_INVALID);
	l->wrong += !!(wire.flags & (TORUS_WIRE_HEADER | TORUS_WIRE_CRC));
	r->sum.lost += !!(wire.flags & TORUS_WIRE_LOST);
	check_crcs(d->f->arch, &wire, bytes);
}

/* Check the recorded events of the links against their counters. */
static void check_against_counters(struct recorder *r)
{
	struct torus_link_counters c;
	u32 node, dir, vc;

	for (node = 0; node < r->f->nodes; node++)
		for (dir = 0; dir < r->f->dirs; dir++) {
			struct capture_link *l = &r->links[node * r->f->dirs + dir];
			u64 packets = 0;

			if (torus_geometry_neighbor(&r->f->cfg.geo, node, dir) == TORUS_NONE)
				continue;
			torus_link_counters(r->f, node, dir, &c);
			for (vc = 0; vc < TORUS_VCS_MAX; vc++)
				packets += c.packets[vc];
			assert_int_equal(l->sent, packets + c.resends);
			assert_int_equal(l->again, c.resends);
			/*
			 * after a lost packet, the receiver counts no CRC errors of the packets
			 * that it discards
			 */
			assert_true(l->wrong >= c.crc_header_errors + c.crc_packet_errors);
			r->sum.wrong += l->wrong;
		}
}

static struct recorder recorded(const char *arch, const char *shape, const char *settings,
				u32 bytes, u32 packets, u64 down)
{
	struct torus_fabric *f = strcmp(arch, "xt") ? rig_make_arch(arch, shape, settings) :
						      xt_rig_make(shape, settings, false);
	struct recorder r = {
		.tracer.event = on_event, .f = f,
		.links = calloc((size_t)f->nodes * f->dirs, sizeof(struct capture_link)),
	};
	struct torus_result result;
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		f->domain[i].tracer = &r.tracer;
	if (down) {
		struct torus_fault fault = {
			.what = TORUS_FAULT_STATE | TORUS_FAULT_CORRUPT, .corrupt = 50,
			.at = 100, .lasts = down,
		};

		assert_int_equal(torus_fault_set(f, &fault, NULL), 0);
	}
	rig_packets(f, packets, bytes, bytes);
	result = rig_finish(f, 0, 1);
	assert_int_equal(result.done, 1);
	assert_int_equal(result.delivered, result.injected);
	check_against_counters(&r);
	free(r.links);
	torus_fabric_destroy(f);
	return r;
}

/* On links without faults each packet is recorded once, without an error. */
static void test_links_without_faults(void **state)
{
	assert_true(recorded("bgl", "4x2x2", "", 256, 20, 0).sum.sent > 100);
	assert_true(recorded("xt", "3x3x2", "", 72, 20, 0).sum.sent > 100);
	assert_true(recorded("tofu", "2x2x1", "", 256, 20, 0).sum.sent > 100);
	assert_true(recorded("kncube", "4x4", "", 256, 20, 0).sum.sent > 100);
	assert_true(recorded("kncube", "4x4", "buffers=finite", 256, 20, 0).sum.sent > 100);
}

static void test_errors(void **state)
{
	struct recorder r = recorded("bgl", "4x2x2", "ber=0.00001", 256, 100, 0);

	assert_true(r.sum.wrong > 20 && r.sum.again >= r.sum.wrong && r.most > 1);
	/* enough packets, so that some of them are both INVALID and damaged */
	assert_true(recorded("bgl", "4x2x2", "ber=0.0002", 256, 100, 0).sum.wrong > 500);
	r = recorded("xt", "3x3x2", "ber=0.00001", 72, 100, 0);
	assert_true(r.sum.wrong > 20 && r.sum.again >= r.sum.wrong && r.most > 1);
	r = recorded("tofu", "2x2x1", "ber=0.00001", 256, 100, 0);
	assert_true(r.sum.wrong > 20 && r.sum.again >= r.sum.wrong && r.most > 1);
}

/*
 * While a link is down, packets are lost and retransmitted until it is up. Then it corrupts
 * packets. Some of the corrupted packets continue over later links, which are not live.
 */
static void test_down(void **state)
{
	struct recorder r = recorded("bgl", "4x2x2", "", 256, 20, 20000);

	assert_true(r.sum.lost > 1 && r.sum.again >= r.sum.lost && r.most > 2);
	assert_true(r.sum.wrong == 50 && r.invalid > 0);
}

static void test_domains(void **state)
{
	struct recorder one = recorded("bgl", "4x4x2", "ber=0.00001", 256, 30, 0);
	struct recorder five = recorded("bgl", "4x4x2", "ber=0.00001 domains=5", 256, 30, 0);

	assert_memory_equal(&one.sum, &five.sum, sizeof(one.sum));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links_without_faults),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_down),
		cmocka_unit_test(test_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

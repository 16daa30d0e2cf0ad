// SPDX-License-Identifier: GPL-2.0
/*
 * Machines with other sizes than Blue Gene/L: windows of hundreds of packets, and packets that take
 * longer than a turn of the wheel. Values beyond the limits of the core are rejected, not
 * truncated.
 */
#include "arch/arch.h"
#include "arch/bgl/arch.h"
#include "arch/bgl/bgl.h"
#include "arch/kncube/arch.h"
#include "arch/kncube/kncube.h"
#include "arch/tests/bgl_rig.h"

#define WINDOW		256			/* number of packets of one chunk in a window */
#define WINDOW_BYTES	(WINDOW * 32)
/* Link delay in ticks, longer than the transmission of a window. */
#define FAR		30000

static struct torus_arch wide;

static void wide_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	torus_arch_bgl.timing(f, node, dir, t);
	/* a packet starts only if there is space for one of full size */
	t->window_bytes = WINDOW_BYTES + 256 - 32;
}

/* Create a Blue Gene/L fabric whose resend FIFOs and receive buffers hold WINDOW packets. */
static struct torus_fabric *wide_open(const char *seed)
{
	const u32 dims[] = { 4, 1, 1 };
	struct torus_config cfg;
	struct torus_error err;
	struct torus_fabric *f;

	wide = torus_arch_bgl;
	wide.timing = wide_timing;
	torus_config_init(&cfg, &wide);
	assert_int_equal(torus_config_shape(&cfg, 3, dims, 0, &err), 0);
	assert_int_equal(torus_config_set(&cfg, "vc_bytes", "4096", &err), 0);
	assert_int_equal(torus_config_set(&cfg, "timeout", "4000", &err), 0);
	cfg.seed = strtoul(seed, NULL, 10);
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), 0);
	return f;
}

/* Return the maximum number of packets in a resend FIFO at present. */
static u32 wide_unacknowledged(struct torus_fabric *f)
{
	u32 node, dir, most = 0;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < 2; dir++) {
			u32 held = torus_link_at(f->domain, node, dir)->bytes / 32;

			most = held > most ? held : most;
		}
	return most;
}

/*
 * Run with a window of 256 packets on links that lose packets and acknowledgements. Sequence
 * numbers of 8 bits would limit the window to half of that.
 */
static void wide_run(const char *seed, u32 what, u32 lost)
{
	const struct torus_fault far = {
		.what = TORUS_FAULT_DELAY | what, .node = TORUS_NONE, .dir = TORUS_NONE,
		.delay = FAR, .corrupt = lost, .drop_ack = lost, .ber = ~0ull / 1000000,
	};
	struct torus_fabric *f = wide_open(seed);
	u32 most = 0, held, node, dir;
	struct torus_result r;

	rig_fault(f, &far);
	rig_packets(f, 4000, 32, 32);
	while (rig_step(f, 20, 1)) {
		held = wide_unacknowledged(f);
		most = held > most ? held : most;
		rig_census(f);
	}
	assert_int_equal(most, WINDOW);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 4 * 4000);
	assert_int_equal(r.dropped, 0);
	if (what)
		assert_true(r.retransmitted > WINDOW);
	else
		assert_int_equal(r.retransmitted, 0);
	rig_at_rest(f);
	for (node = 0; node < 4; node++)
		for (dir = 0; dir < 2; dir++) {
			struct torus_link_view view = rig_view(f, node, dir);

			assert_int_equal(view.tx_crc, view.rx_crc);
		}
	torus_fabric_destroy(f);
}

static void test_window_of_256(void **state)
{
	wide_run("1", 0, 0);
}

static void test_window_of_256_with_losses(void **state)
{
	wide_run("2", TORUS_FAULT_DROP_ACK, 300);
	wide_run("3", TORUS_FAULT_CORRUPT, 300);
	wide_run("4", TORUS_FAULT_BER, 0);
	wide_run("5", TORUS_FAULT_BER | TORUS_FAULT_DROP_ACK | TORUS_FAULT_CORRUPT, 100);
}

/* The header of a packet on the link has the low bits of the sequence number. */
static void test_sequence_on_the_wire(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	struct torus_packet p = rig_packet(f, 0, 1, 1);
	u8 bytes[3][32] = {};

	torus_arch_bgl.image(&p, 0x34, bytes[0]);
	torus_arch_bgl.image(&p, 0x1234, bytes[1]);
	torus_arch_bgl.image(&p, 0x1235, bytes[2]);
	assert_memory_equal(bytes[0], bytes[1], 8);
	assert_memory_not_equal(bytes[0], bytes[2], 8);
	torus_fabric_destroy(f);
}

/* ---------------------------------------------- longer than a turn of the wheel */

static struct torus_fabric *far_open(const char *delay, u32 domains)
{
	const u32 dims[] = { 8 };
	struct torus_config cfg;
	struct torus_error err;
	struct torus_fabric *f;

	torus_config_init(&cfg, &torus_arch_kncube);
	assert_int_equal(torus_config_shape(&cfg, 1, dims, 0, &err), 0);
	assert_int_equal(torus_config_set(&cfg, "link_delay", delay, &err), 0);
	cfg.domains = domains;
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), 0);
	return f;
}

static struct torus_result far_run(const char *delay, u32 domains)
{
	struct torus_fabric *f = far_open(delay, domains);
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256, .packets = 20,
	};
	struct torus_result r;
	struct torus_error err;

	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 8 * 20);
	assert_true(r.conservation);
	torus_fabric_destroy(f);
	return r;
}

/*
 * A packet that takes up to a turn of the wheel on a link, a tick more, or many turns, arrives at
 * the right tick.
 */
static void test_packet_longer_than_a_turn(void **state)
{
	static const u32 delays[] = { 700, 767, 768, 769, 1791, 1792, 5000, 65536 };
	u32 i;

	for (i = 0; i < COUNT(delays); i++) {
		struct torus_traffic t = {
			.pattern = TORUS_PATTERN_TORNADO, .size_min = 256, .size_max = 256,
			.packets = 1,
		};
		struct torus_fabric *f;
		struct torus_result r;
		struct torus_error err;
		char text[16];

		snprintf(text, sizeof(text), "%u", delays[i]);
		f = far_open(text, 1);
		assert_int_equal(torus_traffic_start(f, &t, &err), 0);
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.delivered, 8);
		/*
		 * three links: each takes the packet's bytes, the delay and 22 ticks of the
		 * processing unit
		 */
		assert_int_equal(r.win_latency_max, 3 * (256 + delays[i] + 22));
		torus_fabric_destroy(f);
		assert_int_equal(far_run(text, 1).hash, far_run(text, 3).hash);
	}
}

/* Each lane of the wheel takes an event for a tick that is more than a turn away. */
static void test_lanes_longer_than_a_turn(void **state)
{
	const u64 far = 3 * TORUS_WHEEL_SIZE + 5;
	struct torus_wheel *w = torus_alloc(sizeof(*w));
	enum torus_lane lane;
	u64 at, found[TORUS_LANES] = {};

	torus_wheel_init(w, TORUS_BLOCK_EVENTS);
	w->now = 7;
	for (lane = TORUS_LANE_HEAD; lane < TORUS_LANE_DONE; lane++)
		torus_wheel_push_whole(w, lane, w->now + far, (struct torus_event){
			.kind = TORUS_EV_HEAD, .node = lane, .tokens = 60000 });
	for (lane = TORUS_LANE_DONE; lane < TORUS_LANES; lane++)
		torus_wheel_push_short(w, lane, w->now + far, (struct torus_short){
			.node = lane, .tokens = 60000 });
	while ((at = torus_wheel_next(w)) != ~0ull) {
		struct torus_block *blk, *next;
		u32 i;

		w->now = at;
		for (lane = TORUS_LANE_HEAD; lane < TORUS_LANES; lane++)
			assert_null(torus_wheel_take_lane(w, lane, at));
		for (blk = torus_wheel_take(w, at); blk; blk = next) {
			next = blk->next;
			for (i = 0; i < blk->n; i++) {
				const struct torus_event *ev = &blk->ev[i];

				if (ev->residue) {
					torus_wheel_push(w, at + ev->residue, *ev);
					continue;
				}
				assert_int_equal(found[ev->node], 0);
				found[ev->node] = at;
				assert_int_equal(ev->tokens, 60000);
			}
			torus_wheel_put(w, blk);
		}
	}
	for (lane = TORUS_LANE_HEAD; lane < TORUS_LANES; lane++)
		assert_int_equal(found[lane], 7 + far);
	torus_wheel_free(w);
	torus_free(w, sizeof(*w));
}

/* ------------------------------------------------------------- rejected sizes */

static void refused(const struct torus_arch *arch, const u32 *dims, u32 mesh, const char *words)
{
	struct torus_fabric *f;
	struct torus_config cfg;
	struct torus_error err;

	torus_config_init(&cfg, arch);
	assert_int_equal(torus_config_shape(&cfg, arch->dims_min, dims, mesh, &err), 0);
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), -ERANGE);
	assert_says(err.text, words);
}

static void test_refused(void **state)
{
	static const u32 small[] = { 2, 2, 2 }, line[] = { 65535, 16384 };
	struct torus_arch arch = torus_arch_bgl;

	arch.packet_chunks_max = 256;
	arch.chunk_bytes = 8;
	refused(&arch, small, 0, "bgl 256 chunk packet 255");
	arch = torus_arch_bgl;
	arch.packet_chunks_max = 66;
	refused(&arch, small, 0, "bgl 2116 byte packet 2112");
	arch = torus_arch_bgl;
	arch.groups = 257;
	refused(&arch, small, 0, "bgl 257 group 256");
	arch = torus_arch_bgl;
	arch.inject_fifos = 17;
	refused(&arch, small, 0, "bgl 17 injection FIFO 16");
	arch = torus_arch_bgl;
	arch.receive_fifos = 33;
	refused(&arch, small, 0, "bgl 33 reception FIFO 32");
	arch = torus_arch_bgl;
	arch.fifo_chunks = 65536;
	refused(&arch, small, 0, "bgl 65536 chunk FIFO 65535");
	arch = torus_arch_bgl;
	arch.header_bytes = 17;
	refused(&arch, small, 0, "bgl 17 header 16");
	arch = torus_arch_kncube;
	arch.dims_min = 2;
	refused(&arch, line, 3, "kncube 81917 link 65534");
}

/* torus_alloc() aligns memory of each size as the structs require. */
static void test_storage_alignment(void **state)
{
	static const size_t sizes[] = { 1, 8, 40, 63, 64, 65, 96, 192, 200, 4095, 4097, 100000,
					(1 << 17) - 1, 1 << 17, 1 << 20, (1 << 21) - 1, 3 << 20 };
	u32 i, j;

	for (i = 0; i < COUNT(sizes); i++) {
		u8 *p[3];

		for (j = 0; j < 3; j++) {
			p[j] = torus_alloc(sizes[i]);
			assert_non_null(p[j]);
			assert_int_equal((uintptr_t)p[j] % 64, 0);
			assert_int_equal(p[j][0] | p[j][sizes[i] - 1], 0);
			p[j][sizes[i] - 1] = 1;
		}
		for (j = 0; j < 3; j++)
			torus_free(p[j], sizes[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window_of_256),
		cmocka_unit_test(test_window_of_256_with_losses),
		cmocka_unit_test(test_sequence_on_the_wire),
		cmocka_unit_test(test_packet_longer_than_a_turn),
		cmocka_unit_test(test_lanes_longer_than_a_turn),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_storage_alignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

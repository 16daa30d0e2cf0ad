// SPDX-License-Identifier: GPL-2.0
/*
 * Links that err: whatever is corrupted, lost or down, every packet is delivered
 * once, every token comes back, and the two link CRCs of a link agree, but for
 * the one error that the packet CRC cannot see.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"

#define XP	0
#define XM	1

#define WATCH	(1u << TORUS_WATCH_HOP | 1u << TORUS_WATCH_DELIVER | 1u << TORUS_WATCH_DROP | \
		 1u << TORUS_WATCH_RESEND | 1u << TORUS_WATCH_ERROR)

#define TIMEOUT	1024	/* the machine's default */

/* A ring of four, packets from node 0 to node 1, all through one FIFO: one VC, one order. */
struct pair {
	struct torus_fabric *f;
	struct rig_trace trace;
	u32 first;
	u32 sent;
};

static void pair_open(struct pair *p, const char *settings, u32 seed)
{
	char text[256];

	snprintf(text, sizeof(text), "routing=deterministic seed=%u %s", seed, settings);
	p->f = rig_make("4x1x1", text);
	p->sent = 0;
	rig_watch(p->f, &p->trace, WATCH);
}

static void pair_send(struct pair *p, u32 packets, u32 chunks)
{
	while (packets--) {
		struct torus_packet packet = rig_packet(p->f, 0, 1, chunks);

		if (!p->sent++)
			p->first = packet.seq;
		rig_inject(p->f, 0, &packet);
	}
}

/* Everything has arrived, once and in order, and nothing is left behind. */
static void pair_close(struct pair *p)
{
	u32 i;

	rig_drain(p->f);
	assert_int_equal(rig_times(&p->trace, TORUS_WATCH_DELIVER, 1), p->sent);
	assert_int_equal(rig_times(&p->trace, TORUS_WATCH_DROP, TORUS_NONE), 0);
	for (i = 0; i < p->sent; i++)
		assert_int_equal(rig_find(&p->trace, TORUS_WATCH_DELIVER, 1, i)->seq, p->first + i);
	rig_at_rest(p->f);
	rig_trace_free(&p->trace);
	torus_fabric_destroy(p->f);
}

static void set(struct torus_fabric *f, u32 what, u32 number)
{
	const struct torus_fault fault = {
		.what = what, .node = 0, .dir = XP, .state = number, .corrupt = number,
		.escape = number, .drop_ack = number, .corrupt_ack = number, .delay = number,
	};

	rig_fault(f, &fault);
}

/* State down in ticks @at .. @at + @lasts. */
static void down(struct torus_fabric *f, u32 node, u32 dir, u64 at, u64 lasts)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_STATE, .node = node, .dir = dir, .at = at, .lasts = lasts,
	};

	rig_fault(f, &fault);
}

static void ber(struct torus_fabric *f, u64 rate, u64 at, u64 lasts)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE, .ber = rate,
		.at = at, .lasts = lasts,
	};

	rig_fault(f, &fault);
}

#define PER_MILLION	(~0ull / 1000000)	/* of a bit-error rate */

/* ------------------------------------------------------------- a live link at rest */

/* A link whose protocol is simulated behaves as one whose is not. */
static void test_live_link_without_faults(void **state)
{
	u32 live;
	u64 hash[2], clock[2];

	for (live = 0; live < 2; live++) {
		struct torus_fabric *f = rig_make("4x4x4", "seed=3");
		struct torus_result r;

		if (live)
			ber(f, 0, 0, 0);
		rig_packets(f, 200, 32, 256);
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.done, 1);
		assert_int_equal(r.delivered, 64 * 200);
		assert_int_equal(r.retransmitted, 0);
		hash[live] = r.hash;
		clock[live] = r.clock;
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
	assert_int_equal(hash[0], hash[1]);
	assert_true(clock[1] >= clock[0]);
}

/* -------------------------------------------------------------- corrupted packets */

static void test_resend_after_corrupted_packet(void **state)
{
	u32 seed, header = 0, body = 0;

	for (seed = 1; seed <= 60; seed++) {
		struct torus_link_counters c;
		struct pair p;

		pair_open(&p, "", seed);
		set(p.f, TORUS_FAULT_CORRUPT, 1);
		pair_send(&p, 3, 1);
		rig_drain(p.f);
		c = rig_link(p.f, 0, XP);
		assert_int_equal(c.crc_header_errors + c.crc_packet_errors, 1);
		assert_int_equal(c.escapes, 0);
		assert_int_equal(c.timeouts, 1);
		/* all that was unacknowledged, in order */
		assert_int_equal(c.resends, 3);
		assert_int_equal(c.sequence_errors, 2);
		assert_int_equal(c.packets[TORUS_BGL_BN], 3);
		assert_int_equal(c.busy_ticks, 6 * 46);
		header += c.crc_header_errors;
		body += c.crc_packet_errors;
		pair_close(&p);
	}
	/* 64 bits of the header, 224 others */
	assert_in_range(header, 4, 30);
	assert_int_equal(header + body, 60);
}

/* The second time too, and the third. */
static void test_resend_again(void **state)
{
	struct torus_link_counters c;
	struct pair p;

	pair_open(&p, "", 2);
	set(p.f, TORUS_FAULT_CORRUPT, 5);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.crc_header_errors + c.crc_packet_errors, 5);
	assert_int_equal(c.resends, 5);
	assert_int_equal(rig_view(p.f, 0, XP).corrupt, 0);
	pair_close(&p);
}

/* After the time-out that the register names, counted from the end of the transmission. */
static void test_resend_timeout(void **state)
{
	const struct rig_step *step;
	struct pair p;

	pair_open(&p, "", 2);
	rig_reg_set(p.f, 0, "timeout_x", 0x02bc0400);	/* 700 in plus direction */
	set(p.f, TORUS_FAULT_CORRUPT, 1);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	step = rig_find(&p.trace, TORUS_WATCH_RESEND, 0, 0);
	assert_non_null(step);
	assert_int_equal(step->at, 270 + 700);
	assert_int_equal(rig_find(&p.trace, TORUS_WATCH_DELIVER, 1, 0)->at, 970 + 20 + 256);
	pair_close(&p);
}

/* A seed with which the one corrupted packet is damaged in its header, or behind it. */
static u32 seed_with_damage(bool header, u32 chunks)
{
	u32 seed;

	for (seed = 1; ; seed++) {
		struct torus_link_counters c;
		struct pair p;

		pair_open(&p, "", seed);
		set(p.f, TORUS_FAULT_CORRUPT, 1);
		pair_send(&p, 1, chunks);
		rig_drain(p.f);
		c = rig_link(p.f, 0, XP);
		pair_close(&p);
		if (!!c.crc_header_errors == header)
			return seed;
		assert_true(seed < 1000);
	}
}

/* The header's own CRC: such a packet goes nowhere at all. */
static void test_header_error_found_early(void **state)
{
	struct torus_packet packet;
	struct pair p;

	pair_open(&p, "", seed_with_damage(true, 8));
	set(p.f, TORUS_FAULT_CORRUPT, 1);
	packet = rig_packet(p.f, 0, 2, 8);
	rig_inject(p.f, 0, &packet);
	torus_fabric_run(p.f, TIMEOUT, 0, 1);
	assert_int_equal(rig_link(p.f, 0, XP).crc_header_errors, 1);
	assert_int_equal(rig_link(p.f, 0, XP).crc_packet_errors, 0);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 1), 0);
	rig_drain(p.f);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_DELIVER, 2), 1);
	pair_close(&p);
}

/*
 * A bad tail behind a header that cut-through has already sent on: it is marked
 * invalid, discarded further down, and delivered once, when it has come again.
 */
static void test_cut_through_invalid(void **state)
{
	struct torus_packet packet;
	struct pair p;

	pair_open(&p, "", seed_with_damage(false, 8));
	set(p.f, TORUS_FAULT_CORRUPT, 1);
	packet = rig_packet(p.f, 0, 2, 8);
	rig_inject(p.f, 0, &packet);
	torus_fabric_run(p.f, 100, 0, 1);
	/* it is on its way to node 2, whatever its tail */
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 1), 1);
	rig_census(p.f);
	torus_fabric_run(p.f, TIMEOUT, 0, 1);
	assert_int_equal(rig_link(p.f, 0, XP).crc_packet_errors, 1);
	assert_int_equal(rig_link(p.f, 1, XP).invalid, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_DELIVER, TORUS_NONE), 0);
	rig_drain(p.f);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_DELIVER, 2), 1);
	assert_int_equal(rig_link(p.f, 0, XP).resends, 1);
	assert_int_equal(rig_link(p.f, 1, XP).resends, 0);
	assert_int_equal(rig_find(&p.trace, TORUS_WATCH_DELIVER, 2, 0)->hops, 2);
	pair_close(&p);
}

/* The same where it has to wait: its tail comes while it is still here. */
static void test_waiting_invalid_discarded(void **state)
{
	struct torus_packet packet, blocker;
	struct pair p;
	u32 i;

	pair_open(&p, "ack_delay=200", seed_with_damage(false, 8));
	set(p.f, TORUS_FAULT_CORRUPT, 1);
	/* four that have arrived at node 2 leave no room there until 256 + 200 */
	blocker = rig_packet_on(p.f, 0, 2, 8, TORUS_BGL_BN, 0);
	for (i = 0; i < 4; i++)
		rig_place(p.f, 2, XP, TORUS_BGL_BN, &blocker);
	packet = rig_packet(p.f, 0, 2, 8);
	rig_inject(p.f, 0, &packet);
	torus_fabric_run(p.f, 270, 0, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 1), 0);
	torus_fabric_run(p.f, TIMEOUT, 0, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 1), 0);
	assert_int_equal(rig_link(p.f, 0, XP).crc_packet_errors, 1);
	assert_int_equal(rig_link(p.f, 0, XP).invalid, 1);
	rig_census(p.f);
	rig_drain(p.f);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 1), 1);
	assert_int_equal(rig_times(&p.trace, TORUS_WATCH_DELIVER, 2), 5);
	pair_close(&p);
}

/* -------------------------------------------------------------- acknowledgements */

static void check_ack(u32 what)
{
	struct torus_link_counters c;
	struct pair p;

	pair_open(&p, "", 1);
	set(p.f, what, 1);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.ack_errors, 1);
	assert_int_equal(c.resends, 1);
	/* the receiver has it: it discards the second, and says so again */
	assert_int_equal(c.sequence_errors, 1);
	assert_int_equal(c.acks, 1);
	assert_int_equal(c.timeouts, 1);
	pair_close(&p);

	/* a later acknowledgement makes good for it */
	pair_open(&p, "", 1);
	set(p.f, what, 2);
	pair_send(&p, 4, 8);
	rig_drain(p.f);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.ack_errors, 2);
	assert_int_equal(c.resends, 0);
	assert_int_equal(c.acks, 2);
	pair_close(&p);
}

static void test_lost_ack(void **state)
{
	check_ack(TORUS_FAULT_DROP_ACK);
}

static void test_corrupted_ack(void **state)
{
	check_ack(TORUS_FAULT_CORRUPT_ACK);
}

/* Sequence numbers have 8 bits: what is acknowledged late must not be taken for new. */
static void test_sequence_wraps(void **state)
{
	struct pair p;
	u32 i;

	pair_open(&p, "", 1);
	for (i = 0; i < 150; i++) {
		if (i % 10 == 0)
			set(p.f, i % 20 ? TORUS_FAULT_DROP_ACK : TORUS_FAULT_CORRUPT, 1);
		pair_send(&p, 4, 1 + i % 8);
		rig_drain(p.f);
		rig_at_rest(p.f);
	}
	assert_int_equal(rig_link(p.f, 0, XP).packets[TORUS_BGL_BN], 600);
	pair_close(&p);
}

/* The resend FIFO holds 2 KB: without acknowledgement no more is sent. */
static void test_resend_window(void **state)
{
	static const u32 chunks[] = { 8, 5, 1 }, fifo[] = { 0, 1, 2, 4, 5, 6 };
	u32 i, j;

	for (i = 0; i < COUNT(chunks); i++) {
		struct pair p;
		u32 room, n = 0;

		pair_open(&p, "", 1);
		set(p.f, TORUS_FAULT_DELAY, 6000);
		for (j = 0; j < COUNT(fifo); j++)
			while (p.f->router->inject_room(p.f, 0, fifo[j]) >= chunks[i]) {
				struct torus_packet packet = rig_packet(p.f, 0, 1, chunks[i]);

				rig_inject(p.f, fifo[j], &packet);
				n++;
			}
		torus_fabric_run(p.f, 6000, 0, 1);
		/* a packet starts while there is room for the longest */
		room = (2048 - 256) / (chunks[i] * 32) + 1;
		/* nor are there tokens for more: the bubble VC is entered thrice */
		room = room < 3 ? room : 3;
		assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 0), room);
		rig_trace_free(&p.trace);
		torus_fabric_destroy(p.f);

		/* on dynamic VCs there are */
		p.f = rig_make("4x1x1", "vc_bytes=4096");
		rig_watch(p.f, &p.trace, WATCH);
		set(p.f, TORUS_FAULT_DELAY, 20000);
		for (j = 0; j < COUNT(fifo); j++)
			while (p.f->router->inject_room(p.f, 0, fifo[j]) >= chunks[i]) {
				struct torus_packet packet = rig_packet(p.f, 0, 1, chunks[i]);

				rig_inject(p.f, fifo[j], &packet);
			}
		torus_fabric_run(p.f, 20000, 0, 1);
		room = (2048 - 256) / (chunks[i] * 32) + 1;
		assert_int_equal(rig_times(&p.trace, TORUS_WATCH_HOP, 0), room);
		assert_true(torus_link_at(p.f->domain, 0, XP)->bytes <= 2048);
		rig_drain(p.f);
		assert_int_equal(rig_times(&p.trace, TORUS_WATCH_DELIVER, 1), n);
		assert_int_equal(rig_link(p.f, 0, XP).resends, 0);
		rig_at_rest(p.f);
		rig_trace_free(&p.trace);
		torus_fabric_destroy(p.f);
	}
}

/* ------------------------------------------------------------------ state, delay */

static void test_down_for_a_while(void **state)
{
	static const u64 at[] = { 0, 10, 100, 290, 300, 310, 400 };
	u32 i;

	for (i = 0; i < COUNT(at); i++) {
		struct torus_link_counters c;
		struct pair p;

		pair_open(&p, "", 1);
		down(p.f, 0, XP, at[i], 5000);
		assert_int_equal(rig_view(p.f, 0, XP).up, at[i] != 0);
		pair_send(&p, 3, 8);
		torus_fabric_run(p.f, 4000, 0, 1);
		assert_false(rig_view(p.f, 0, XP).up);
		rig_census(p.f);
		rig_drain(p.f);
		c = rig_link(p.f, 0, XP);
		assert_true(c.resends > 0);
		assert_true(c.timeouts > 0);
		assert_true(rig_view(p.f, 0, XP).up);
		assert_true(rig_find(&p.trace, TORUS_WATCH_DELIVER, 1, 2)->at >= at[i] + 5000);
		pair_close(&p);
	}
}

/* Tokens that come back over a link that is down wait for it, and are missed nowhere. */
static void test_down_keeps_tokens(void **state)
{
	struct pair p;
	u32 i;

	pair_open(&p, "", 1);
	pair_send(&p, 3, 8);
	/* the first token is due at 20 + 256 + 20 */
	down(p.f, 0, XP, 280, 3000);
	torus_fabric_run(p.f, 2000, 0, 1);
	assert_int_equal(rig_reg(p.f, 0, "tokens_xp") >> 8 & 0xff, 8);
	rig_census(p.f);
	for (i = 0; i < 8; i++) {
		torus_fabric_run(p.f, 2000 + 200 * i, 0, 1);
		rig_census(p.f);
	}
	pair_close(&p);
}

/* After so many time-outs the sender gives up, until the link's state changes. */
static void test_parked_link_wakes(void **state)
{
	struct torus_link_counters c;
	struct pair p;

	pair_open(&p, "retries=3", 1);
	set(p.f, TORUS_FAULT_STATE, 0);
	pair_send(&p, 2, 8);
	/* nothing happens any more: an idle fabric costs nothing */
	torus_fabric_run(p.f, 100000, 0, 1);
	assert_false(torus_fabric_pending(p.f));
	assert_true(rig_view(p.f, 0, XP).parked);
	c = rig_link(p.f, 0, XP);
	assert_int_equal(c.timeouts, 4);
	assert_int_equal(c.resends, 2 * 3);
	assert_int_equal(torus_fabric_in_flight(p.f), 2);
	assert_int_equal(torus_watchdog_check(p.f, NULL), TORUS_VERDICT_WAITING);
	rig_census(p.f);
	set(p.f, TORUS_FAULT_STATE, 1);
	assert_false(rig_view(p.f, 0, XP).parked);
	pair_close(&p);
}

/* A fault that ends by itself wakes it as well. */
static void test_parked_link_wakes_at_the_end(void **state)
{
	struct pair p;

	pair_open(&p, "retries=2", 1);
	down(p.f, 0, XP, 0, 50000);
	pair_send(&p, 2, 8);
	torus_fabric_run(p.f, 40000, 0, 1);
	assert_true(rig_view(p.f, 0, XP).parked);
	pair_send(&p, 1, 3);
	rig_drain(p.f);
	assert_true(rig_find(&p.trace, TORUS_WATCH_DELIVER, 1, 0)->at > 50000);
	pair_close(&p);
}

/* The last retry goes while it is down, the time-out comes when it is up: it must not be parked. */
static void test_up_before_the_last_timeout(void **state)
{
	struct pair p;

	pair_open(&p, "retries=3", 1);
	/* sent at 0, again at 1294, 2318, 3342 */
	down(p.f, 0, XP, 0, 3800);
	pair_send(&p, 1, 8);
	torus_fabric_run(p.f, 100000, 0, 1);
	assert_false(rig_view(p.f, 0, XP).parked);
	pair_close(&p);
}

static void test_delay(void **state)
{
	struct pair p;

	pair_open(&p, "", 1);
	set(p.f, TORUS_FAULT_DELAY, 777);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	assert_int_equal(rig_find(&p.trace, TORUS_WATCH_DELIVER, 1, 0)->at, 20 + 777 + 256);
	assert_int_equal(rig_link(p.f, 0, XP).resends, 0);
	pair_close(&p);
}

/* ------------------------------------------------------------------- error rates */

/* Each of @n packets of every source exactly once. */
static void check_each_once(const struct rig_trace *t, u32 nodes, u32 packets)
{
	u8 *seen = calloc(nodes, packets);
	u32 i, delivered = 0;

	for (i = 0; i < t->n; i++) {
		const struct rig_step *s = &t->step[i];

		assert_int_not_equal(s->what, TORUS_WATCH_DROP);
		if (s->what != TORUS_WATCH_DELIVER)
			continue;
		assert_int_equal(s->node, s->dst);
		assert_true(s->seq < packets);
		assert_int_equal(seen[s->src * packets + s->seq]++, 0);
		delivered++;
	}
	assert_int_equal(delivered, nodes * packets);
	free(seen);
}

static void check_ber(const char *shape, const char *settings, u32 packets, u32 max)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_fabric_counters c;
	struct rig_trace trace;
	struct torus_result r;
	u64 seen = 0;

	rig_watch(f, &trace, 1u << TORUS_WATCH_DELIVER | 1u << TORUS_WATCH_DROP);
	rig_packets(f, packets, 32, max);
	/* a census at every window */
	while (rig_step(f, 4, 1)) {
		rig_census(f);
		seen++;
	}
	assert_true(seen > 10);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	torus_fabric_counters(f, &c);
	assert_true(c.resends > 0);
	assert_true(c.crc_errors > 0);
	assert_int_equal(c.links_differ, 0);
	check_each_once(&trace, f->nodes, packets);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_ber_dynamic(void **state)
{
	check_ber("4x4x4", "ber=1e-4", 60, 256);
}

static void test_ber_deterministic(void **state)
{
	check_ber("4x4x4", "ber=1e-4 routing=deterministic", 60, 256);
}

static void test_ber_shapes(void **state)
{
	check_ber("2x2x2", "ber=1e-4", 100, 256);
	check_ber("8x8x1", "ber=1e-4", 60, 256);
	check_ber("5mx3x2", "ber=1e-4 bubble=full", 60, 128);
	check_ber("3x3x3", "ber=3e-4 crc=full", 60, 96);
}

/* Bad enough that most acknowledgements and tokens go through and most packets do not. */
static void test_ber_high(void **state)
{
	check_ber("3x3x3", "ber=2e-3 retries=1000000", 20, 64);
}

/* Tokens whose message was lost are told again. */
static void test_token_repeat(void **state)
{
	u32 seed;

	for (seed = 1; seed <= 20; seed++) {
		struct pair p;
		u32 i;

		pair_open(&p, "ber=2e-3", seed);
		for (i = 0; i < 20; i++) {
			pair_send(&p, 3, 1);
			rig_drain(p.f);
			rig_at_rest(p.f);
		}
		pair_close(&p);
	}
}

/* The rate is a rate: bits in error over bits sent. */
static void test_ber_rate(void **state)
{
	struct torus_link_counters c;
	u64 bits = 0, errors = 0;
	struct pair p;
	u32 i;

	pair_open(&p, "", 4);
	ber(p.f, 10 * PER_MILLION, 0, 0);
	for (i = 0; i < 20000; i++) {
		pair_send(&p, 1, 8);
		rig_drain(p.f);
		p.trace.n = 0;
	}
	c = rig_link(p.f, 0, XP);
	errors = c.crc_header_errors + c.crc_packet_errors;
	bits = (20000 + c.resends) * 260 * 8;
	/* 416 expected, standard deviation 20 */
	assert_in_range(errors * 1000000000 / bits, 8000, 12000);
	p.sent = 0;
	pair_close(&p);
}

/* ----------------------------------------------------------------- the link CRCs */

static u32 count_differing(struct torus_fabric *f, u32 *node, u32 *dir)
{
	u32 n, d, differ = 0;

	for (n = 0; n < f->nodes; n++)
		for (d = 0; d < f->dirs; d++) {
			struct torus_link_view v = rig_view(f, n, d);

			if (v.peer == TORUS_NONE)
				continue;
			assert_true(v.rest);
			if (v.tx_crc != v.rx_crc) {
				*node = n;
				*dir = d;
				differ++;
			}
		}
	return differ;
}

/* Both ends of every used link agree, whatever was sent again. */
static void test_link_crc_agrees(void **state)
{
	static const char *const settings[] = { "crc=full", "crc=full ber=1e-4" };
	u32 i, node, dir, used;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("4x4x4", settings[i]);

		rig_packets(f, 50, 32, 256);
		assert_int_equal(rig_finish(f, 0, 1).done, 1);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		for (used = 0, node = 0; node < f->nodes; node++)
			for (dir = 0; dir < f->dirs; dir++)
				used += rig_view(f, node, dir).tx_crc != 0;
		assert_int_equal(used, 384);
		torus_fabric_destroy(f);
	}
}

/* An error that CRC-24 misses is believed, and makes that link's two CRCs differ. */
static void test_escape_differs(void **state)
{
	struct torus_fabric_counters c;
	u32 i, node = 0, dir = 0;

	for (i = 0; i < 6; i++) {
		struct torus_fabric *f = rig_make("4x4x4", i & 1 ? "crc=full" : "crc=full ber=1e-4");
		const struct torus_fault other = {
			.what = TORUS_FAULT_CORRUPT, .node = TORUS_NONE, .dir = TORUS_NONE,
			.corrupt = 1,
		};
		const struct torus_fault fault = {
			.what = TORUS_FAULT_ESCAPE, .node = 11 * i, .dir = i, .escape = 1,
			.at = i > 2 ? 3000 : 0,
		};

		rig_fault(f, &fault);
		rig_fault(f, &other);
		rig_packets(f, 80, 32, 256);
		assert_int_equal(rig_finish(f, 0, 1).done, 1);
		assert_int_equal(count_differing(f, &node, &dir), 1);
		assert_int_equal(node, fault.node);
		assert_int_equal(dir, fault.dir);
		assert_int_equal(rig_link(f, node, dir).escapes, 1);
		torus_fabric_counters(f, &c);
		assert_int_equal(c.links_differ, 1);
		assert_int_equal(c.delivered, 64 * 80);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

/* ----------------------------------------------------------------------- replay */

static void faulty(struct torus_fabric *f)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_DELAY | TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK,
		.node = 5, .dir = 2, .delay = 300, .corrupt = 4, .drop_ack = 3, .at = 4000,
		.lasts = 9000,
	};

	ber(f, 50 * PER_MILLION, 2000, 20000);
	down(f, 7, 3, 1500, 6000);
	down(f, 21, XM, 20000, 3000);
	rig_fault(f, &fault);
}

static u64 faulty_run(const char *settings, bool reset)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct torus_fabric_counters c;
	struct torus_error err;
	struct torus_result r;

	if (reset) {
		faulty(f);
		rig_packets(f, 20, 32, 256);
		rig_step(f, 30, 1);
		assert_int_equal(torus_fabric_reset(f, f->cfg.seed, &err), 0);
	}
	faulty(f);
	rig_packets(f, 150, 32, 256);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 64 * 150);
	torus_fabric_counters(f, &c);
	assert_true(c.resends > 10);
	rig_at_rest(f);
	torus_fabric_destroy(f);
	return r.hash;
}

/* Faults set `at` a tick and `for` a while: a faulty run replays. */
static void test_replay(void **state)
{
	u64 hash = faulty_run("seed=9", false);

	assert_int_equal(faulty_run("seed=9", false), hash);
	assert_int_equal(faulty_run("seed=9", true), hash);
	assert_int_not_equal(faulty_run("seed=10", false), hash);
}

/* Computing every CRC at every hop changes nothing. */
static void test_crc_full_same_hash(void **state)
{
	assert_int_equal(faulty_run("seed=9 crc=full", false), faulty_run("seed=9", false));
	assert_int_equal(faulty_run("seed=4 crc=full ber=1e-4", false),
			 faulty_run("seed=4 ber=1e-4", false));
}

/* A fault that is set while packets are on the link: none of them is lost or counted twice. */
static void test_fault_set_mid_run(void **state)
{
	u32 at, node, dir;

	for (at = 1; at <= 12; at++) {
		struct torus_fabric *f = rig_make("4x4x4", at & 1 ? "crc=full" : "domains=3");
		struct torus_result r;

		rig_packets(f, 60, 32, 256);
		torus_fabric_run(f, 137 * at, 0, 1);
		ber(f, 50 * PER_MILLION, 0, 0);
		rig_census(f);
		while (rig_step(f, 3, 1)) {
			rig_census(f);
			if (at % 3 == 0 && torus_fabric_clock(f) < 12000)
				down(f, at, at % 6, 0, 700);
		}
		torus_traffic_result(f, &r);
		assert_int_equal(r.done, 1);
		assert_int_equal(r.delivered, 64 * 60);
		assert_true(r.retransmitted > 0);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

/* Hot counters are folded into 64 bits before they wrap: nothing can be told from it. */
static void test_fold(void **state)
{
	struct torus_link_counters c[2];
	struct torus_result r[2];
	u32 fold, node, dir;

	for (fold = 0; fold < 2; fold++) {
		struct torus_fabric *f = rig_make("4x4x4", "crc=full");

		down(f, 9, 2, 3000, 2000);
		rig_packets(f, 60, 32, 256);
		do {
			if (fold)
				f->domain[0].fold_at = 0;
			if (torus_fabric_clock(f) > 2000 && !f->ber) {
				/* sequence numbers go on from the counters */
				f->ber = 1;
				ber(f, 20 * PER_MILLION, 0, 0);
			}
		} while (rig_step(f, 2, 1));
		torus_traffic_result(f, &r[fold]);
		c[fold] = rig_link(f, 5, 3);
		assert_int_equal(!!f->domain[0].folded, fold);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
	assert_int_equal(r[0].hash, r[1].hash);
	assert_int_equal(r[0].win_busy[0], r[1].win_busy[0]);
	assert_memory_equal(&c[0], &c[1], sizeof(c[0]));
}

/* `for` gives back what was set for good. */
static void test_for_returns_to_base(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "ber=1e-6");
	u64 base = rig_view(f, 3, 1).ber;

	assert_int_equal(base, f->ber);
	ber(f, 1000 * PER_MILLION, 100, 500);
	/* a fault that nobody waits for does not move the clock */
	rig_drain(f);
	assert_int_equal(torus_fabric_clock(f), 0);
	rig_packets(f, 40, 32, 256);
	rig_step(f, 1, 1);
	assert_true(torus_fabric_clock(f) < 90);
	torus_fabric_run(f, 90, 0, 1);
	assert_int_equal(rig_view(f, 3, 1).ber, base);
	torus_fabric_run(f, 300, 0, 1);
	assert_int_equal(rig_view(f, 3, 1).ber, 1000 * PER_MILLION);
	torus_fabric_run(f, 700, 0, 1);
	assert_int_equal(rig_view(f, 3, 1).ber, base);
	torus_fabric_destroy(f);
}

/* What a link cannot be is refused in words. */
static void test_bad_faults(void **state)
{
	static const struct {
		struct torus_fault fault;
		int code;
		const char *word;
	} bad[] = {
		{ { .what = TORUS_FAULT_BER, .node = 64, .dir = 0 }, -EINVAL, "node 64" },
		{ { .what = TORUS_FAULT_BER, .node = 0, .dir = 6 }, -EINVAL, "direction 6" },
		{ { .node = 0, .dir = 0 }, -EINVAL, "no fault" },
		{ { .what = TORUS_FAULT_STATE, .state = 2 }, -EINVAL, "state 2" },
		{ { .what = TORUS_FAULT_DELAY, .delay = 1 << 25 }, -ERANGE, "delay" },
		{ { .what = TORUS_FAULT_BER, .node = 3, .dir = XP }, -ENOLINK, "3,0,0" },
		{ { .what = TORUS_FAULT_BER, .at = ~0ull - 5, .lasts = 10 }, -ERANGE, "time" },
	};
	struct torus_fabric *f = rig_make("4mx4x4", "");
	struct torus_error err;
	u32 i;

	for (i = 0; i < COUNT(bad); i++) {
		assert_int_equal(torus_fault_set(f, &bad[i].fault, &err), bad[i].code);
		assert_non_null(strstr(err.text, bad[i].word));
	}
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live_link_without_faults),
		cmocka_unit_test(test_resend_after_corrupted_packet),
		cmocka_unit_test(test_resend_again),
		cmocka_unit_test(test_resend_timeout),
		cmocka_unit_test(test_header_error_found_early),
		cmocka_unit_test(test_cut_through_invalid),
		cmocka_unit_test(test_waiting_invalid_discarded),
		cmocka_unit_test(test_lost_ack),
		cmocka_unit_test(test_corrupted_ack),
		cmocka_unit_test(test_sequence_wraps),
		cmocka_unit_test(test_resend_window),
		cmocka_unit_test(test_down_for_a_while),
		cmocka_unit_test(test_down_keeps_tokens),
		cmocka_unit_test(test_parked_link_wakes),
		cmocka_unit_test(test_parked_link_wakes_at_the_end),
		cmocka_unit_test(test_up_before_the_last_timeout),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_ber_dynamic),
		cmocka_unit_test(test_ber_deterministic),
		cmocka_unit_test(test_ber_shapes),
		cmocka_unit_test(test_ber_high),
		cmocka_unit_test(test_token_repeat),
		cmocka_unit_test(test_ber_rate),
		cmocka_unit_test(test_link_crc_agrees),
		cmocka_unit_test(test_escape_differs),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_crc_full_same_hash),
		cmocka_unit_test(test_fault_set_mid_run),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_for_returns_to_base),
		cmocka_unit_test(test_bad_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

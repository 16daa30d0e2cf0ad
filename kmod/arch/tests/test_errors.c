// SPDX-License-Identifier: GPL-2.0
/*
 * Whole machines with link errors: bit errors at any rate, lost and damaged acknowledgements,
 * delays, and links that are down for a while. Each packet arrives exactly once. Each link accepts
 * the packets that were sent, once and in order. The link CRCs of both ends agree, unless an error
 * escaped the packet CRC.
 */
#include <math.h>

#include "arch/tests/bgl_rig.h"

#define LEDGER		128	/* more packets than fit in a resend FIFO */
#define INVALID_MARK	(1ull << 63)

/* Packets that a link has sent for the first time and that its receiver has not accepted yet. */
struct sent_ledger {
	u64 sent[LEDGER];
	u32 first;
	u32 count;
};

/**
 * struct book - the packets that were sent, accepted and delivered
 * @tracer: hook of the core
 * @links: one ledger per sender and direction
 * @dirs: directions per node
 * @there: number of deliveries by source and sequence number
 * @packets: packets per source
 * @bits: number of bits that were sent for the first time
 * @accepted: packets that the receivers of live links have accepted
 * @delivered: packets that have been delivered
 */
struct book {
	struct torus_tracer tracer;
	struct sent_ledger *links;
	u32 dirs;
	u8 *there;
	u32 packets;
	u64 bits;
	u64 accepted;
	u64 delivered;
};

static u64 identity(const struct torus_packet *p)
{
	return (u64)p->src << 32 | p->seq |
	       (p->flags & TORUS_PACKET_INVALID ? INVALID_MARK : 0);
}

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct book *b = (struct book *)tracer;
	struct sent_ledger *l;
	u32 from;

	switch (what) {
	case TORUS_TRACE_HOP:
		l = &b->links[node * b->dirs + dir];
		assert_true(l->count < LEDGER);
		l->sent[(l->first + l->count++) % LEDGER] = identity(p);
		b->bits += (p->chunks * 32 + 4) * 8;
		break;
	case TORUS_TRACE_ACCEPT:
		from = torus_geometry_neighbor(&d->f->cfg.geo, node, TORUS_REVERSE(dir));
		l = &b->links[from * b->dirs + dir];
		if (!l->count || l->sent[l->first] != identity(p))
			fail_msg("tick %llu, link %u %u: accepted %u of %u, not the next one",
				 (unsigned long long)d->now, from, dir, p->seq, p->src);
		l->first = (l->first + 1) % LEDGER;
		l->count--;
		b->accepted++;
		break;
	case TORUS_TRACE_DELIVER:
		assert_true(p->seq < b->packets);
		assert_int_equal(node, p->dst);
		assert_int_equal(b->there[p->src * b->packets + p->seq]++, 0);
		b->delivered++;
		break;
	}
}

static void book_open(struct book *b, struct torus_fabric *f, u32 packets)
{
	u32 i;

	*b = (struct book){
		.tracer.event = on_event, .dirs = f->dirs, .packets = packets,
		.links = calloc((size_t)f->nodes * f->dirs, sizeof(struct sent_ledger)),
		.there = calloc(f->nodes, packets),
	};
	/* all domains share one tracer, because a single thread runs one domain after the other */
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].tracer = &b->tracer;
}

static void book_close(struct book *b, struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->nodes * f->dirs; i++)
		assert_int_equal(b->links[i].count, 0);
	assert_int_equal(b->delivered, (u64)f->nodes * b->packets);
	free(b->links);
	free(b->there);
}

/* Inject @count random faults on random links at random ticks, from @seed. */
static void sow(struct torus_fabric *f, u64 seed, u32 count, u64 until)
{
	u64 rng = torus_random_seed(seed, 21, count);
	u32 i;

	for (i = 0; i < count; i++) {
		struct torus_fault fault = {
			.node = torus_random_below(&rng, f->nodes),
			.dir = torus_random_below(&rng, f->dirs),
			.at = torus_random_below(&rng, (u32)until),
		};
		u32 n = 1 + torus_random_below(&rng, 4);

		switch (torus_random_below(&rng, 6)) {
		case 0:
			fault.what = TORUS_FAULT_CORRUPT;
			fault.corrupt = n;
			break;
		case 1:
			fault.what = TORUS_FAULT_DROP_ACK;
			fault.drop_ack = n;
			break;
		case 2:
			fault.what = TORUS_FAULT_CORRUPT_ACK;
			fault.corrupt_ack = n;
			break;
		case 3:
			fault.what = TORUS_FAULT_DELAY;
			fault.delay = torus_random_below(&rng, 3000);
			fault.lasts = 1 + torus_random_below(&rng, 4000);
			break;
		case 4:
			fault.what = TORUS_FAULT_STATE;
			fault.lasts = 1 + torus_random_below(&rng, 20000);
			break;
		case 5:
			/* several faults at once */
			fault.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK |
				     TORUS_FAULT_CORRUPT_ACK | TORUS_FAULT_BER;
			fault.corrupt = n;
			fault.drop_ack = n;
			fault.corrupt_ack = n;
			fault.ber = ~0ull / 2000;
			fault.lasts = 5000;
			break;
		}
		rig_fault(f, &fault);
	}
}

/**
 * struct errors_run - a finite workload
 * @shape: dimensions of the fabric
 * @settings: parameters of the fabric
 * @pattern: TORUS_PATTERN_*
 * @packets: packets per node, or per pair
 * @faults: number of faults in addition to bit errors
 * @until: all faults begin before this tick
 * @escapes: number of links on which one error escapes the packet CRC
 */
struct errors_run {
	const char *shape;
	const char *settings;
	u32 pattern;
	u32 packets;
	u32 faults;
	u64 until;
	u32 escapes;
};

/* Return the @i-th link on which an error escapes; each @i gives a different link. */
static u32 escape_link(const struct torus_fabric *f, u32 i)
{
	return (i * 37 + 5) % (f->nodes * f->dirs);
}

static void check_crcs(struct torus_fabric *f, const struct errors_run *what)
{
	u32 node, dir, i, waiting = 0;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_link_view v = rig_view(f, node, dir);
			bool escaped = false;

			for (i = 0; i < what->escapes; i++)
				escaped |= escape_link(f, i) == node * f->dirs + dir;
			assert_true(v.rest);
			/*
			 * the link has sent no packet since the fault was set, so no error could
			 * escape
			 */
			waiting += v.escape;
			escaped &= !v.escape;
			if ((v.tx_crc != v.rx_crc) != escaped ||
			    rig_link(f, node, dir).escapes != escaped)
				fail_msg("%s %s: link %u %u: CRCs %08x %08x, %llu escaped of %u",
					 what->shape, what->settings, node, dir, v.tx_crc, v.rx_crc,
					 (unsigned long long)rig_link(f, node, dir).escapes,
					 escaped);
		}
	assert_true(waiting <= what->escapes / 50);
}

static u64 run(const struct errors_run *what, const char *ber, u32 domains)
{
	bool pairs = what->pattern == TORUS_PATTERN_ALLTOALL;
	const struct torus_traffic t = {
		.pattern = what->pattern, .size_min = 32, .size_max = 256,
		.packets = what->packets,
	};
	struct torus_result r;
	struct torus_fabric *f;
	struct book book;
	char text[256];
	double errors;
	u32 i;

	snprintf(text, sizeof(text), "%s crc=full ber=%s domains=%u", what->settings, ber,
		 domains);
	f = rig_make(what->shape, text);
	sow(f, f->cfg.seed, what->faults, what->until);
	for (i = 0; i < what->escapes; i++)
		rig_fault(f, &(struct torus_fault){
			.what = TORUS_FAULT_ESCAPE, .escape = 1, .at = 20 * (i % 64),
			.node = escape_link(f, i) / f->dirs, .dir = escape_link(f, i) % f->dirs,
		});
	book_open(&book, f, what->packets * (pairs ? f->nodes - 1 : 1));
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.injected, r.delivered);
	assert_int_equal(r.dropped, 0);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	/* process the remaining events: acknowledgements, and ends of faults */
	rig_drain(f);
	rig_at_rest(f);
	assert_true(book.accepted >= r.hops_total || !f->links_live);
	errors = book.bits * strtod(ber, NULL);
	if (errors > 20 || what->faults > 20)
		assert_true(r.retransmitted > 0);
	check_crcs(f, what);
	book_close(&book, f);
	torus_fabric_destroy(f);
	return r.hash;
}

static const char *const rates[] = { "1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4" };

/* Run a workload at each bit-error rate, with one domain and with several. */
static void check(const struct errors_run *what)
{
	u32 i, domains;

	for (i = 0; i < COUNT(rates); i++) {
		u64 hash = run(what, rates[i], 1);

		for (domains = 2; domains <= 3; domains++)
			assert_int_equal(run(what, rates[i], domains), hash);
	}
}

static void check_all(const struct errors_run *what, size_t n)
{
	while (n--)
		check(what++);
}

#define UNIFORM		TORUS_PATTERN_UNIFORM
#define ALLTOALL	TORUS_PATTERN_ALLTOALL

static void test_bit_errors(void **state)
{
	static const struct errors_run runs[] = {
		{ "4x4x4", "", UNIFORM, 60, 0, 0, 0 },
		{ "4x4x4", "routing=deterministic", ALLTOALL, 1, 0, 0, 0 },
	};

	check_all(runs, COUNT(runs));
}

static void test_any_fault(void **state)
{
	static const struct errors_run runs[] = {
		{ "4x4x4", "", ALLTOALL, 2, 150, 12000, 0 },
		{ "4x4x4", "seed=9 routing=deterministic", UNIFORM, 100, 300, 10000, 0 },
		{ "5x3x2", "seed=3 timeout=400", UNIFORM, 100, 150, 10000, 0 },
		{ "4x4x4", "seed=4 escape=dateline dynamic_vcs=4", UNIFORM, 60, 150, 9000, 0 },
	};

	check_all(runs, COUNT(runs));
}

/* Acknowledgements that wait for a link go before its retransmissions. */
static void test_control_packets(void **state)
{
	static const struct errors_run runs[] = {
		{ "4x4x4", "control=simulated", UNIFORM, 60, 150, 9000, 0 },
		{ "4x4x4", "control=simulated seed=2", ALLTOALL, 1, 300, 5000, 0 },
		{ "4x4x4", "control=simulated seed=3", UNIFORM, 60, 0, 0, 30 },
	};

	check_all(runs, COUNT(runs));
}

/*
 * The CRCs of a link's two ends differ exactly on the links where an error escaped the packet CRC.
 */
static void test_escapes(void **state)
{
	static const struct errors_run runs[] = {
		{ "4x4x4", "", ALLTOALL, 2, 0, 0, 1 },
		{ "4x4x4", "seed=2", ALLTOALL, 2, 0, 0, 9 },
		{ "4x4x4", "seed=4 routing=deterministic", ALLTOALL, 3, 0, 0, 40 },
	};

	check_all(runs, COUNT(runs));
}

/* Test one midplane. With TORUS_SOAK test each rate, all-to-all traffic and more seeds. */
static void test_8x8x8(void **state)
{
	static const struct errors_run one = { "8x8x8", "", UNIFORM, 8, 500, 5000, 0 };
	static const struct errors_run runs[] = {
		{ "8x8x8", "", ALLTOALL, 1, 2000, 20000, 0 },
		{ "8x8x8", "seed=2", UNIFORM, 50, 3000, 20000, 0 },
		{ "8x8x8", "seed=3", UNIFORM, 50, 3000, 20000, 0 },
		{ "8x8x8", "seed=4 routing=deterministic", UNIFORM, 50, 3000, 20000, 0 },
		{ "8x8x8", "seed=5", UNIFORM, 50, 0, 0, 60 },
		{ "8x8x8", "seed=6", UNIFORM, 50, 0, 0, 500 },
	};

	run(&one, "1e-5", 1);
	if (rig_soak())
		check_all(runs, COUNT(runs));
}

/* ------------------------------------------------------------------ go-back-N */

/* Count the packets that both links of a saturated pair deliver. */
static double goodput(const char *settings, u32 size)
{
	struct torus_fabric *f = rig_make("2x1x1", settings);
	struct torus_result r;

	rig_load(f, 150, size, size, 4000000);
	r = rig_finish(f, 0, 1);
	assert_true(r.backlog > 0);
	torus_fabric_destroy(f);
	return (double)r.win_delivered;
}

/*
 * Closed form of go-back-N with a time-out. An error wastes all transmissions that begin before the
 * oldest packet times out. The timer starts at the acknowledgement before that packet, or at the
 * packet itself if it is a retransmission.
 */
static double closed_form(double ber, u32 size)
{
	double wire = size + 14, p = -expm1(8 * (size + 4) * log1p(-ber));
	double first = ceil((1024 + 40) / wire), again = ceil((wire + 1024) / wire);

	return (1 - p) / (1 - p + p * ((1 - p) * first + p * again));
}

static void test_go_back_n(void **state)
{
	static const u32 sizes[] = { 256, 96, 32 };
	u32 i, j;

	for (i = 0; i < COUNT(sizes); i++) {
		double whole = goodput("", sizes[i]);

		for (j = 3; j < COUNT(rates); j++) {
			double want = closed_form(strtod(rates[j], NULL), sizes[i]), got;
			char text[32];

			snprintf(text, sizeof(text), "ber=%s", rates[j]);
			got = goodput(text, sizes[i]) / whole;
			print_message("# %u bytes, %s: %.4f, closed form %.4f\n", sizes[i],
				      rates[j], got, want);
			assert_true(fabs(got / want - 1) < 0.03);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bit_errors),
		cmocka_unit_test(test_any_fault),
		cmocka_unit_test(test_control_packets),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_8x8x8),
		cmocka_unit_test(test_go_back_n),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

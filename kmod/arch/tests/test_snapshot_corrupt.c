// SPDX-License-Identifier: GPL-2.0
/*
 * Files of saved states with right CRCs and wrong numbers. Numbers that could corrupt a run are
 * rejected.
 */
#include "arch/kncube/kncube.h"
#include "arch/tests/snapshot_rig.h"
#include "core/link/internal.h"
#include "core/workload/processor.h"
#include "core/workload/workload.h"

/* Overwrite one number of a section by a random value, often one that is too large. */
static void spoil(struct snapshot_file *m, u64 *rng)
{
	u32 width = 1u << torus_random_below(rng, 4), near = torus_random_below(rng, 2) ? 256 : ~0u;
	u64 value = 0;
	size_t bytes, at = snapshot_section(m, 1 + torus_random_below(rng, 3), &bytes);

	if (bytes < width)
		return;
	at += torus_random_below(rng, (u32)(bytes - width + 1 < near ? bytes - width + 1 : near));
	memcpy(&value, m->bytes + at, width);
	switch (torus_random_below(rng, 5)) {
	case 0:
		value = 0;
		break;
	case 1:
		value = ~0ull;
		break;
	case 2:
		value++;
		break;
	case 3:
		value--;
		break;
	default:
		value = torus_mix(*rng);
	}
	memcpy(m->bytes + at, &value, width);
}

/*
 * A file with random wrong numbers and right CRCs is rejected, or the continued run does not crash.
 */
static void test_wrong(void **state)
{
	u32 tries = rig_soak() ? 2000 : 20, i, j, n, no = 0;
	struct torus_error err;
	u64 rng = 9;
	size_t w;

	for (w = 0; w < SNAPSHOT_SCENES; w++) {
		struct snapshot_file whole = snapshot_state(&snapshot_scenes[w], 1200);

		for (i = 0; i < tries; i++) {
			struct snapshot_file m = snapshot_copy(&whole);

			n = 1 + torus_random_below(&rng, 4);
			for (j = 0; j < n; j++)
				spoil(&m, &rng);
			snapshot_seal(&m);
			no += snapshot_refused(&snapshot_scenes[w], &m, &err, true);
			free(m.bytes);
		}
		free(whole.bytes);
	}
	assert_true(no > 0);
}

/*
 * For each machine, overwrite bytes of the records of nodes, one at a time: with TORUS_SOAK each of
 * the first 1600. The file is rejected, or the continued run does not crash.
 */
static void test_wrong_node(void **state)
{
	static const size_t which[] = { 2, 5, 10, 17, 19 };
	static const u8 values[] = { 0xff, 0x7f, 0 };
	size_t w, at, first, bytes, step = rig_soak() ? 1 : 23;
	struct torus_error err;
	u32 no = 0, i;

	for (w = 0; w < COUNT(which); w++) {
		const struct snapshot_scene *s = &snapshot_scenes[which[w]];
		struct snapshot_file whole = snapshot_state(s, 1200), m;

		first = snapshot_section(&whole, 2, &bytes);
		for (at = 0; at < 1600; at += step)
			for (i = 0; i < COUNT(values); i++) {
				m = snapshot_copy(&whole);
				m.bytes[first + at] = values[i];
				snapshot_seal(&m);
				no += snapshot_refused(s, &m, &err, true);
				free(m.bytes);
			}
		free(whole.bytes);
	}
	assert_true(no > 0);
}

/* Return a packet that a pending event brings to a node. */
static struct torus_packet *on_its_way(struct torus_fabric *f)
{
	const struct torus_block *blk;
	u32 tick, lane, i;

	for (tick = 0; tick < TORUS_WHEEL_SIZE; tick++)
		for (lane = TORUS_LANE_ANY; lane <= TORUS_LANE_HEAD; lane++)
			for (blk = *torus_wheel_list(&f->domain->wheel, lane, f->clock + tick); blk;
			     blk = blk->next)
				for (i = 0; i < blk->n; i++)
					if (blk->ev[i].kind <= TORUS_EV_LINK_HEAD)
						return torus_packet_at(f->domain, blk->ev[i].pkt);
	fail_msg("no packet is on its way");
	return NULL;
}

static void made_younger(struct torus_fabric *f)
{
	struct torus_packet *p = on_its_way(f);

	p->born = f->clock + 1;
}

static void entered_before(struct torus_fabric *f)
{
	struct torus_packet *p = on_its_way(f);

	p->born = p->entered + 1;
}

static void other_bytes(struct torus_fabric *f)
{
	struct torus_packet *p = on_its_way(f);

	p->tail_at ^= 1;
}

static void own_bytes(struct torus_fabric *f)
{
	struct torus_packet *p = on_its_way(f);

	p->body = torus_bodies_get(&f->domain->bodies);
}

static void over_the_edge(struct torus_fabric *f)
{
	struct kncube_bound *h = (struct kncube_bound *)on_its_way(f)->header;

	/* dimension y is a mesh */
	h->ways |= 3u << 2;
}

/*
 * Find the first short event of a lane for which @fits returns true. Return: NULL if there is
 * none.
 */
static struct torus_short *find_short(struct torus_fabric *f, enum torus_lane lane,
				      bool (*fits)(struct torus_fabric *f,
						   const struct torus_short *ev,
						   const struct torus_short *to),
				      const struct torus_short *to)
{
	struct torus_block *blk;
	u32 tick, i;

	for (tick = 0; tick < TORUS_WHEEL_SIZE; tick++)
		for (blk = *torus_wheel_list(&f->domain->wheel, lane, f->clock + tick); blk;
		     blk = blk->next)
			for (i = 0; i < blk->n; i++)
				if (fits(f, &blk->shorts[i], to))
					return &blk->shorts[i];
	return NULL;
}

static bool leaves_buffer(struct torus_fabric *f, const struct torus_short *ev,
			  const struct torus_short *to)
{
	return ev->queue < f->dirs * f->vcs;
}

/* Corrupt a state: a packet leaves a buffer with more chunks than it brought. */
static void leaves_with_more(struct torus_fabric *f)
{
	struct torus_short *leaves = find_short(f, TORUS_LANE_DONE, leaves_buffer, NULL);

	assert_non_null(leaves);
	leaves->tokens += 200;
}

/* Check whether an event returns tokens for the buffer that event @leaves frees. */
static bool goes_back(struct torus_fabric *f, const struct torus_short *ev,
		      const struct torus_short *leaves)
{
	u32 dir = leaves->queue / f->vcs;

	return ev->dir == dir && ev->vc == leaves->queue % f->vcs && ev->tokens > 1 &&
	       ev->node == torus_geometry_neighbor(&f->cfg.geo, leaves->node, TORUS_REVERSE(dir));
}

static bool leaves_while_another_goes_back(struct torus_fabric *f, const struct torus_short *ev,
					   const struct torus_short *to)
{
	return leaves_buffer(f, ev, to) && find_short(f, TORUS_LANE_TOKEN, goes_back, ev);
}

/*
 * Corrupt a state: move a token from an event that returns it to a packet that leaves the same
 * buffer. The sum of tokens stays right.
 */
static void leaves_with_anothers(struct torus_fabric *f)
{
	struct torus_short *leaves = find_short(f, TORUS_LANE_DONE, leaves_while_another_goes_back,
						NULL);

	assert_non_null(leaves);
	leaves->tokens++;
	find_short(f, TORUS_LANE_TOKEN, goes_back, leaves)->tokens--;
}

static bool brings_tokens(struct torus_fabric *f, const struct torus_short *ev,
			  const struct torus_short *to)
{
	return ev->tokens > 1;
}

static void loses_a_token(struct torus_fabric *f)
{
	struct torus_short *token = find_short(f, TORUS_LANE_TOKEN, brings_tokens, NULL);

	assert_non_null(token);
	token->tokens--;
}

/* Return the first event of kind @kind. The test fails if there is none. */
static struct torus_event *find_event(struct torus_fabric *f, enum torus_event_kind kind)
{
	struct torus_block *blk;
	u32 tick, lane, i;

	for (tick = 0; tick < TORUS_WHEEL_SIZE; tick++)
		for (lane = TORUS_LANE_ANY; lane < TORUS_LANE_DONE; lane++)
			for (blk = *torus_wheel_list(&f->domain->wheel, lane, f->clock + tick); blk;
			     blk = blk->next)
				for (i = 0; i < blk->n; i++)
					if (blk->ev[i].kind == kind)
						return &blk->ev[i];
	fail_msg("no event of kind %u", kind);
	return NULL;
}

/* Copy a packet, and count the copy in the statistics. */
static u32 one_like(struct torus_fabric *f, u32 pkt)
{
	struct torus_packet p = *torus_packet_at(f->domain, pkt);
	u32 more = torus_pool_get(&f->domain->pool);

	p.next = TORUS_NONE;
	p.body = TORUS_NONE;
	torus_pool_fill(&f->domain->pool, more, &p);
	f->domain->stats.injected++;
	torus_stats_enter(&f->domain->stats, &p, f->clock);
	return more;
}

/* Corrupt a state: more packets are received in a tick than a node has buses. */
static void received_at_once(struct torus_fabric *f)
{
	struct torus_event *head = find_event(f, TORUS_EV_HEAD);
	u32 i;

	for (i = 0; i < 500; i++)
		torus_wheel_push_whole(&f->domain->wheel, TORUS_LANE_RECEIVED, f->clock + 1,
				       (struct torus_event){
			.kind = TORUS_EV_RECEIVED, .pkt = one_like(f, head->pkt), .queue = 3,
		});
}

static void other_buffer(struct torus_fabric *f)
{
	struct torus_packet *p = torus_packet_at(f->domain,
						 find_event(f, TORUS_EV_LINK_HEAD)->pkt);

	p->slot = (u8)(f->dirs * f->vcs + 1);
}

/* Corrupt a state: add a copy of a packet that is not in the resend FIFO of its sender. */
static void extra_copy(struct torus_fabric *f)
{
	struct torus_event ev = *find_event(f, TORUS_EV_LINK_HEAD);
	struct torus_link *l = torus_link_at(f->domain, ev.node, ev.queue / f->vcs);

	ev.pkt = one_like(f, ev.pkt);
	f->domain->stats.injected--;
	torus_stats_leave(&f->domain->stats, torus_packet_at(f->domain, ev.pkt), f->clock);
	torus_packet_at(f->domain, ev.pkt)->link_seq = l->expected + 100;
	torus_packet_at(f->domain, ev.pkt)->flags = 0;
	ev.residue = 0;
	torus_wheel_push(&f->domain->wheel, f->clock + 1, ev);
}

static struct torus_link *find_kept(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->nodes * f->dirs; i++)
		if (f->links[i].live && f->links[i].head != TORUS_NONE)
			return &f->links[i];
	fail_msg("no resend FIFO has a packet");
	return NULL;
}

static void kept_with_other_crc(struct torus_fabric *f)
{
	torus_packet_at(f->domain, find_kept(f)->head)->tail_at ^= 1;
}

static void kept_with_other_number(struct torus_fabric *f)
{
	torus_packet_at(f->domain, find_kept(f)->head)->link_seq ^= 1;
}

static void expects_another(struct torus_fabric *f)
{
	find_kept(f)->next_seq += 5;
}

static void no_timer(struct torus_fabric *f)
{
	find_kept(f)->timer = false;
}

/* Corrupt a state: mark packets as INVALID that have no tail event. */
static void without_tails(struct torus_fabric *f)
{
	struct torus_packet *p;
	u32 node, slot, pkt;
	bool blocked;
	u64 waits;

	for (node = 0; node < f->nodes; node++)
		for (slot = 0; slot < f->dirs * f->vcs; slot++) {
			pkt = f->router->head(f, node, slot, &waits, &blocked);
			if (pkt == TORUS_NONE)
				continue;
			p = torus_packet_at(f->domain, pkt);
			p->flags |= TORUS_PACKET_INVALID;
		}
}

static void warm_before(struct torus_fabric *f)
{
	f->workload->traffic.warmup = 7;
}

static void relayed(struct torus_fabric *f)
{
	struct kncube_bound *h = (struct kncube_bound *)on_its_way(f)->header;

	h->ways |= KNCUBE_RELAYED;
}

static void delivered_twice(struct torus_fabric *f)
{
	f->domain->stats.histogram[40]++;
}

static void sleeps_for_good(struct torus_fabric *f)
{
	f->workload->sources[0].wake = f->clock + 12345;
}

static void link_free_later(struct torus_fabric *f)
{
	/* this word is link_free of struct kncube_node */
	u64 *words = torus_domain_node(f->domain, 0);

	words[3] = f->clock + 100000;
}

static void port_with_more(struct torus_fabric *f)
{
	f->processors[0].chunks[0]++;
}

static void one_more(struct torus_fabric *f)
{
	f->workload->sources[0].limit++;
}

static void beyond_numbers(struct torus_fabric *f)
{
	f->workload->sources[0].number = ~0ull;
}

static void before_window(struct torus_fabric *f)
{
	f->workload->phase = TORUS_PHASE_WARMUP;
}

/*
 * Each row corrupts a state in a way that no run can produce and that could corrupt a run: scene,
 * tick, function, and words of the error message.
 */
static void test_impossible_states(void **state)
{
	static const struct {
		u32 scene;
		u64 tick;
		void (*spoil)(struct torus_fabric *f);
		const char *words;
	} rows[] = {
		{ 5, 1200, made_younger, "packet source" },
		{ 5, 1200, entered_before, "packet source" },
		{ 8, 400, other_bytes, "CRC packet source" },
		{ 15, 1200, own_bytes, "byte packet" },
		{ 3, 1200, over_the_edge, "packet source" },
		{ 5, 1200, leaves_with_more, "chunk slot" },
		{ 5, 1200, leaves_with_anothers, "chunk slot" },
		{ 5, 1200, loses_a_token, "packet token" },
		{ 6, 400, one_more, "packet source" },
		{ 13, 1200, beyond_numbers, "source packet" },
		{ 5, 2500, before_window, "window" },
		{ 15, 1200, received_at_once, "packet bus slot" },
		{ 20, 1200, other_buffer, "buffer copy" },
		{ 18, 1200, extra_copy, "copy number" },
		{ 8, 400, kept_with_other_crc, "CRC packet source" },
		{ 18, 1200, kept_with_other_number, "packet number link" },
		{ 18, 1200, expects_another, "packet number link" },
		{ 18, 1200, no_timer, "timer direction" },
		{ 7, 1200, without_tails, "INVALID packet tail slot" },
		{ 15, 1200, warm_before, "phase tick" },
		{ 2, 1200, relayed, "packet source" },
		{ 5, 1200, delivered_twice, "deliveries" },
		{ 5, 1200, sleeps_for_good, "node tick" },
		{ 0, 1200, link_free_later, "link tick" },
		{ 12, 1200, port_with_more, "chunk reception FIFO" },
	};
	struct torus_error err;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		const struct snapshot_scene *s = &snapshot_scenes[rows[i].scene];
		struct torus_fabric *f = snapshot_make(s, 1);
		struct snapshot_file m = { 0 };

		assert_true(snapshot_run_to(f, rows[i].tick));
		rows[i].spoil(f);
		/* some errors are already detected while the file is written */
		if (!snapshot_whole(f, &m, &snapshot_to, &err) &&
		    !snapshot_refused(s, &m, &err, false))
			fail_msg("row %zu is accepted, not: %s", i, rows[i].words);
		if (!says(err.text, rows[i].words))
			fail_msg("row %zu: %s, not: %s", i, err.text, rows[i].words);
		torus_fabric_destroy(f);
		free(m.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_wrong_node),
		cmocka_unit_test(test_impossible_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

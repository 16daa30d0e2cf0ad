// SPDX-License-Identifier: GPL-2.0
/* The timing wheel delivers each event at its tick, however far in the future. */
#include "core/tests/rig.h"
#include "core/base/wheel.h"

/* A binary heap of (tick, name), the reference for the wheel */
struct event_heap {
	struct wheel_entry {
		u64 at;
		u32 name;
	} e[4096];
	u32 n;
};

static void heap_push(struct event_heap *h, u64 at, u32 name)
{
	u32 i = h->n++;

	for (; i && h->e[(i - 1) / 2].at > at; i = (i - 1) / 2)
		h->e[i] = h->e[(i - 1) / 2];
	h->e[i] = (struct wheel_entry){ at, name };
}

static void heap_pop(struct event_heap *h)
{
	struct wheel_entry last = h->e[--h->n];
	u32 i = 0, child;

	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && h->e[child + 1].at < h->e[child].at)
			child++;
		if (h->e[child].at >= last.at)
			break;
		h->e[i] = h->e[child];
		i = child;
	}
	h->e[i] = last;
}

static void push(struct torus_wheel *w, u64 at, u32 name)
{
	torus_wheel_push(w, at, (struct torus_event){ .node = name, .pkt = ~name });
}

/* Simulate the next tick as the router does; @out: [out] names of the events in it. */
static u32 step(struct torus_wheel *w, u32 *out)
{
	struct torus_block *blk, *next;
	u32 n = 0, i;

	w->now = torus_wheel_next(w);
	for (blk = torus_wheel_take(w, w->now); blk; blk = next) {
		next = blk->next;
		for (i = 0; i < blk->n; i++) {
			struct torus_event ev = blk->ev[i];

			assert_int_equal(ev.pkt, ~ev.node);
			if (ev.residue)
				torus_wheel_push(w, w->now + ev.residue, ev);
			else
				out[n++] = ev.node;
		}
		torus_wheel_put(w, blk);
	}
	return n;
}

/*
 * Simulate up to the next tick with events of the test. Return: the number of events, 0 if the
 * wheel is empty.
 */
static u32 next_events(struct torus_wheel *w, u32 *out)
{
	u32 n = 0;

	while (!n && torus_wheel_next(w) != ~0ull)
		n = step(w, out);
	return n;
}

static void test_wheel_order_by_tick(void **state)
{
	static const u64 at[] = { 0, 5, 3, 1023, 64, 63, 65, 1, 512, 128 };
	struct torus_wheel w;
	u32 out[16], i, seen = 0;
	u64 last = 0;

	torus_wheel_init(&w, TORUS_BLOCK_EVENTS);
	w.now = ~0ull;	/* one tick before tick 0 */
	assert_int_equal(torus_wheel_next(&w), ~0ull);
	for (i = 0; i < COUNT(at); i++)
		push(&w, at[i], i);
	assert_int_equal(w.pending, COUNT(at));
	while (w.pending) {
		assert_int_equal(next_events(&w, out), 1);
		assert_int_equal(w.now, at[out[0]]);
		assert_true(!seen || w.now > last);
		last = w.now;
		seen++;
	}
	assert_int_equal(seen, COUNT(at));
	assert_int_equal(torus_wheel_next(&w), ~0ull);
	torus_wheel_free(&w);
}

/* Push many events for one tick, with blocks of @events events. */
static void many_in_one_tick(u32 events)
{
	u32 *out = calloc(10000, sizeof(*out)), i, n;
	u8 *seen = calloc(10000, 1);
	struct torus_wheel w;

	torus_wheel_init(&w, events);
	for (i = 0; i < 10000; i++)
		push(&w, 700, i);
	assert_int_equal(torus_wheel_next(&w), 700);
	n = step(&w, out);
	assert_int_equal(n, 10000);
	for (i = 0; i < n; i++)
		assert_int_equal(seen[out[i]]++, 0);
	assert_int_equal(w.pending, 0);
	assert_int_equal(torus_wheel_next(&w), ~0ull);
	torus_wheel_free(&w);
	free(out);
	free(seen);
}

static void test_wheel_many_in_one_tick(void **state)
{
	static const u32 events[] = { 1, 3, 15, TORUS_BLOCK_EVENTS };
	u32 i;

	for (i = 0; i < COUNT(events); i++)
		many_in_one_tick(events[i]);
}

/*
 * An event further away than the wheel has a residue of ticks. Without it the event would occur
 * early.
 */
static void test_wheel_residue(void **state)
{
	static const u64 delay[] = {
		1, 1022, 1023, 1024, 1025, 2046, 2047, 2048, 5000, 1 << 20, 70000001,
	};
	u32 i, out[4];

	for (i = 0; i < COUNT(delay); i++) {
		struct torus_wheel w;
		u64 start = 123456789012ull + 37 * i;

		torus_wheel_init(&w, TORUS_BLOCK_EVENTS);
		w.now = start;
		push(&w, start + delay[i], i);
		assert_int_equal(next_events(&w, out), 1);
		assert_int_equal(w.now, start + delay[i]);
		assert_int_equal(w.pending, 0);
		torus_wheel_free(&w);
	}
}

/*
 * The residue has 32 bits. An event further away occurs early, and can be pushed again for its
 * tick.
 */
static void test_wheel_very_far(void **state)
{
	struct torus_wheel w;
	struct torus_block *blk;

	torus_wheel_init(&w, TORUS_BLOCK_EVENTS);
	push(&w, 1ull << 40, 1);
	w.now = torus_wheel_next(&w);
	assert_int_equal(w.now, TORUS_WHEEL_SIZE - 1);
	blk = torus_wheel_take(&w, w.now);
	assert_int_equal(blk->ev[0].residue, 0xffffffffu);
	torus_wheel_put(&w, blk);
	torus_wheel_free(&w);
}

static int by_name(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void test_wheel_random_against_heap(void **state)
{
	u32 rounds = rig_soak() ? 400000 : 40000, name = 0, got[4096], want[4096], n, m, i;
	struct event_heap *h = calloc(1, sizeof(*h));
	u64 rng = torus_random_seed(3, 1, 4);
	struct torus_wheel w;

	torus_wheel_init(&w, 3);
	while (rounds--) {
		u32 pushes = torus_random_below(&rng, 4);

		for (i = 0; i < pushes && h->n < 4000; i++) {
			u32 bits = 1 + torus_random_below(&rng, 13);
			u64 at = w.now + 1 + torus_random_below(&rng, 1u << bits);

			push(&w, at, name);
			heap_push(h, at, name++);
		}
		if (!h->n)
			continue;
		assert_true(torus_wheel_next(&w) <= h->e[0].at);
		n = next_events(&w, got);
		assert_int_equal(w.now, h->e[0].at);
		for (m = 0; h->n && h->e[0].at == w.now; m++) {
			want[m] = h->e[0].name;
			heap_pop(h);
		}
		assert_int_equal(n, m);
		qsort(got, n, sizeof(*got), by_name);
		qsort(want, m, sizeof(*want), by_name);
		assert_memory_equal(got, want, n * sizeof(*got));
		assert_int_equal(w.pending, h->n);
	}
	torus_wheel_free(&w);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wheel_order_by_tick),
		cmocka_unit_test(test_wheel_many_in_one_tick),
		cmocka_unit_test(test_wheel_residue),
		cmocka_unit_test(test_wheel_very_far),
		cmocka_unit_test(test_wheel_random_against_heap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

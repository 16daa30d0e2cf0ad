// SPDX-License-Identifier: GPL-2.0
/* Notices of clients do not depend on the division of a fabric into domains. */
#include <pthread.h>

#include "arch/tests/bgl_rig.h"
#include "core/run/windows.h"
#include "core/state/completion.h"

struct completion_worker {
	struct torus_fabric *f;
	u32 thread;
};

static void *work(void *arg)
{
	struct completion_worker *w = arg;

	torus_fabric_work(w->f, w->thread);
	return NULL;
}

static void run(struct torus_fabric *f, u64 until, u32 threads)
{
	struct completion_worker worker[4];
	pthread_t id[4];
	u32 i;

	for (i = 1; i < threads; i++) {
		worker[i] = (struct completion_worker){ f, i };
		assert_int_equal(pthread_create(&id[i], NULL, work, &worker[i]), 0);
	}
	torus_fabric_run(f, until, 0, threads);
	for (i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
}

static int compare_losses(const void *a, const void *b)
{
	const struct torus_lost_packet *l = a, *r = b;

	return l->number < r->number ? -1 : l->number > r->number;
}

struct completion_outcome {
	u64 hash;
	u64 clock;
	u32 losses;
	u64 loss_hash;
};

/*
 * Run clients, one of which leaves at a fixed tick and one of which reads slowly. A third of the
 * nodes has no client.
 */
static struct completion_outcome play(const char *settings, u32 threads)
{
	struct torus_fabric *f = rig_make("4x3x2", settings);
	struct torus_fabric_counters *all = calloc(1, sizeof(*all));
	struct rig_client *c = calloc(24, sizeof(*c));
	struct completion_outcome out = { 0 };
	u64 rng = 7, at;
	u32 i, j;

	for (i = 0; i < 24; i++)
		if (i % 3)
			rig_attach(&c[i], f, i, 0, false);
	for (i = 0; i < 24; i++)
		for (j = 0; i % 3 && j < 60; j++) {
			u32 dst = (u32)(torus_random(&rng) >> 32) % 24;

			rig_send(&c[i], dst == i ? (i + 1) % 24 : dst, 0, 1 + j % 8, j & 1,
				 RIG_MARK(i, j));
		}
	c[7].credits = 5;
	c[8].credits = 0;
	for (at = 0; at < 12; at++) {
		torus_nic_poll(f);
		run(f, at * 400, threads);
		if (at == 3)
			torus_nic_leave(f, 7, 0);
		if (at == 5)
			c[8].credits = 3;
		if (at == 8)
			c[8].credits = RIG_RING;
	}
	rig_settle(f);
	rig_ends(c, 24);
	for (i = 0; i < 24; i++) {
		if (c[i].losses)
			qsort(c[i].loss, c[i].losses, sizeof(*c[i].loss),
			      compare_losses);
		for (j = 0; j < c[i].losses; j++) {
			const struct torus_lost_packet *l = &c[i].loss[j];

			assert_true(l->node % 3 == 0 || l->node == 7);
			assert_int_equal(l->node, l->dst);
			out.loss_hash += torus_mix(torus_mix(l->tick) + l->number * 64 + i +
						   torus_mix(l->reason * 100 + l->node));
		}
		out.losses += c[i].losses;
	}
	assert_true(rig_losses_by(&c[1], TORUS_DROP_NO_LISTENER) > 0);
	torus_fabric_counters(f, all);
	out.hash = all->hash;
	out.clock = torus_fabric_clock(f);
	rig_at_rest(f);
	for (i = 0; i < 24; i++)
		if (i % 3)
			rig_client_free(&c[i]);
	torus_fabric_destroy(f);
	free(all);
	free(c);
	return out;
}

/* Notices, and the tick at which each packet completes, are equal with each number of domains. */
static void test_domains(void **state)
{
	static const char *const settings[] = {
		"domains=1", "domains=2", "domains=3", "domains=4",
		"domains=1 ber=1e-4", "domains=4 ber=1e-4",
	};
	struct completion_outcome one, other;
	u32 i, threads;

	one = play(settings[0], 1);
	assert_true(one.losses > 100);
	for (i = 1; i < 4; i++)
		for (threads = 1; threads <= i + 1; threads += i) {
			other = play(settings[i], threads);
			assert_memory_equal(&one, &other, sizeof(one));
		}
	one = play(settings[4], 1);
	other = play(settings[5], 4);
	assert_memory_equal(&one, &other, sizeof(one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

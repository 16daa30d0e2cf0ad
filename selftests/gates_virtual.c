// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates in virtual time: when a process finds its barrier ended is a matter of clocks, not
 * of when it was let run.
 */
#include <sys/mman.h>
#include <signal.h>
#define FABRIC		"tgv"
#include "gates.h"
#include "kselftest_harness.h"

#define MEMBERS		8
#define BARRIERS	12
#define BUSY		3
#define INJECT_TICKS	30
/* What a member posts before one of its barriers: its clock moves, and it does not look. */
#define POSTS		150
#define POSTER		1
#define POSTED		6

/* @vain: of each member, how often it polled each barrier in vain */
struct outcome {
	unsigned int vain[MEMBERS][BARRIERS];
	uint64_t hash;
	uint64_t latency;
};

struct all {
	struct shared chain;
	struct outcome outcome;
};

static int virtual_add(unsigned int domains)
{
	struct torus_nl_param params[] = {
		{ .key = "time", .text = "virtual", .is_text = true },
		{ .key = "programs", .value = MEMBERS },
		{ .key = "inject_packet", .value = INJECT_TICKS },
	};
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 2, 1, 1 },
		.domains = domains, .has_domains = true, .params = params, .nparams = 3,
	};

	fabric_del(FABRIC);
	return nl_with(ask_add, &spec, NULL, 0);
}

/* This member computes: it looks for notices that nobody sends, each time at a later clock. */
static int compute(utofu_vcq_hdl_t vcq, unsigned int looks)
{
	void *cbdata;
	int ret = UTOFU_ERR_NOT_FOUND;

	while (looks-- && ret == UTOFU_ERR_NOT_FOUND)
		ret = utofu_poll_tcq(vcq, 0, &cbdata);
	return ret != UTOFU_ERR_NOT_FOUND;
}

static int post(utofu_vcq_hdl_t vcq)
{
	unsigned int i;
	int ret = UTOFU_SUCCESS;

	for (i = 0; i < POSTS && ret == UTOFU_SUCCESS; i++)
		ret = utofu_nop(vcq, 0, NULL);
	return ret;
}

static int member(struct all *all, unsigned int rank)
{
	uint64_t gate;
	utofu_vcq_hdl_t vcq;
	unsigned int k;
	int ret, wrong;

	be_at(rank * 3);
	/* its FIFO group gives it a clock */
	wrong = utofu_create_vcq(rank % 4, 0, &vcq) != UTOFU_SUCCESS;
	wrong = join(&all->chain, MEMBERS, rank, rank % 4) != UTOFU_SUCCESS || wrong;
	gate = all->chain.ids[rank][0];
	for (k = 0; k < BARRIERS && !wrong; k++) {
		wrong = compute(vcq, (rank * 7 + k * 5) % 11) ||
			(rank == POSTER && k == POSTED && post(vcq)) || utofu_barrier(gate, 0);
		while (!wrong && (ret = utofu_poll_barrier(gate, 0)) != UTOFU_SUCCESS) {
			wrong = ret != UTOFU_ERR_NOT_COMPLETED;
			all->outcome.vain[rank][k]++;
		}
	}
	return wrong;
}

/* Programs that do nothing but keep the processors from the others, or their end. */
static void busy(pid_t pid[BUSY], bool on)
{
	unsigned int i;

	for (i = 0; i < BUSY; i++) {
		if (!on) {
			kill(pid[i], SIGKILL);
			status_of(pid[i]);
			continue;
		}
		pid[i] = start();
		while (!pid[i])
			;
	}
}

/* The members start from @first on; a member @stopped is stopped for a while. */
static bool play(unsigned int domains, unsigned int first, bool loaded, bool stopped,
		 struct outcome *outcome)
{
	struct torus_fabric_counters counters;
	struct all *all = shared_alloc(sizeof(*all));
	pid_t pid[MEMBERS], others[BUSY];
	bool good = all && !virtual_add(domains);
	unsigned int i;

	if (!good)
		return false;
	if (loaded)
		busy(others, true);
	for (i = 0; i < MEMBERS; i++) {
		pid[i] = start();
		if (!pid[i])
			_exit(member(all, (first + i) % MEMBERS));
	}
	if (stopped) {
		usleep(100000);
		kill(pid[3], SIGSTOP);
		usleep(500000);
		kill(pid[3], SIGCONT);
	}
	for (i = 0; i < MEMBERS; i++)
		good &= !status_of(pid[i]);
	if (loaded)
		busy(others, false);
	good &= !fabric_counters(FABRIC, &counters);
	*outcome = all->outcome;
	outcome->hash = counters.hash;
	outcome->latency = counters.latency_sum;
	munmap(all, sizeof(*all));
	return good && !fabric_del(FABRIC);
}

FIXTURE(clocks)
{
	struct outcome one;
};

FIXTURE_SETUP(clocks)
{
	ASSERT_TRUE(play(1, 0, false, false, &self->one));
}

FIXTURE_TEARDOWN(clocks)
{
	fabric_del(FABRIC);
}

TEST_F(clocks, barriers_take_as_many_polls_however_they_are_run)
{
	struct outcome other;
	unsigned int rank;

	ASSERT_TRUE(play(1, 5, false, true, &other));
	EXPECT_EQ(0, memcmp(&self->one, &other, sizeof(other)));
	ASSERT_TRUE(play(4, 3, true, false, &other));
	EXPECT_EQ(0, memcmp(&self->one, &other, sizeof(other)));
	/* all wait until the clock at which the last one enters */
	for (rank = 0; rank < MEMBERS; rank++)
		EXPECT_EQ(rank != POSTER,
			  self->one.vain[rank][POSTED] > POSTS * INJECT_TICKS / 400);
	EXPECT_NE(0, self->one.hash);
}

TEST_HARNESS_MAIN

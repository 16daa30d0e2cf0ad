// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates in virtual time: when a process finds its barrier ended is a matter of clocks, not
 * of when it was let run.
 */
#include <sys/mman.h>
#define FABRIC		"tgv"
#include "gates.h"
#include "programs.h"
#include "kselftest_harness.h"

#define MEMBERS		8
#define BARRIERS	12
/* What a member posts before one of its barriers: its clock moves, and it does not look. */
#define POSTS		150
#define POSTER		1
#define POSTED		6
#define STOPPER		3
#define STOPS_AT	4

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

static int member(struct all *all, unsigned int rank, bool stop)
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
		if (stop && k == STOPS_AT)
			raise(SIGSTOP);
		wrong = compute(vcq, (rank * 7 + k * 5) % 11) ||
			(rank == POSTER && k == POSTED && post(vcq)) || utofu_barrier(gate, 0);
		while (!wrong && (ret = utofu_poll_barrier(gate, 0)) != UTOFU_SUCCESS) {
			wrong = ret != UTOFU_ERR_NOT_COMPLETED;
			all->outcome.vain[rank][k]++;
		}
	}
	return wrong;
}

/*
 * The members start from @first on; @loaded: beside programs that keep the processors busy; @stop:
 * member STOPPER is stopped for a second in the midst of it.
 */
static bool play(unsigned int domains, unsigned int first, bool loaded, bool stop,
		 struct outcome *outcome)
{
	static const __u32 dims[3] = { 2, 1, 1 };
	struct torus_fabric_counters counters;
	struct all *all = shared_alloc(sizeof(*all));
	pid_t pid[MEMBERS], others[BUSY];
	bool good = all && !fabric_virtual_of(FABRIC, "tofu", dims, MEMBERS, domains);
	unsigned int i;

	if (!good)
		return false;
	if (loaded)
		busy(others, true);
	for (i = 0; i < MEMBERS; i++) {
		unsigned int rank = (first + i) % MEMBERS;

		pid[rank] = start();
		if (!pid[rank])
			_exit(member(all, rank, stop && rank == STOPPER));
	}
	if (stop)
		good = stopped_itself(pid[STOPPER]);
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

// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates in virtual time: the clock at which a process finds its barrier complete does not
 * depend on the scheduling of processes.
 */
#define FABRIC		"tgv"
#include "vtime_rig.h"
#include "kselftest_harness.h"

#define MEMBERS		8
#define BARRIERS	12
/*
 * Operations that member POSTER posts before barrier POSTED: they advance its clock, and it does
 * not poll meanwhile.
 */
#define POSTS		150
#define POSTER		1
#define POSTED		6
#define STOPPER		3
#define STOPS_AT	4

/* @vain: polls that found a barrier incomplete, per member and barrier */
struct gates_outcome {
	struct played played;
	unsigned int vain[MEMBERS][BARRIERS];
};

struct gates_all {
	struct gates_outcome outcome;
	struct gates_shared chain;
};

static int member(void *shared, unsigned int rank, bool stop)
{
	struct gates_all *all = shared;
	uint64_t gate;
	utofu_vcq_hdl_t vcq;
	unsigned int k;
	int ret, wrong;

	be_at(rank * 3);
	/* the VCQ's FIFO group gives the process a clock */
	wrong = utofu_create_vcq(rank % 4, 0, &vcq) != UTOFU_SUCCESS;
	wrong = join(&all->chain, MEMBERS, rank, rank % 4) != UTOFU_SUCCESS || wrong;
	gate = all->chain.ids[rank][0];
	for (k = 0; k < BARRIERS && !wrong; k++) {
		if (stop && k == STOPS_AT)
			raise(SIGSTOP);
		wrong = compute(vcq, (rank * 7 + k * 5) % 11) ||
			(rank == POSTER && k == POSTED && post(vcq, POSTS)) ||
			utofu_barrier(gate, 0);
		while (!wrong && (ret = utofu_poll_barrier(gate, 0)) != UTOFU_SUCCESS) {
			wrong = ret != UTOFU_ERR_NOT_COMPLETED;
			all->outcome.vain[rank][k]++;
		}
	}
	return wrong;
}

static const struct vtime_scene scene = {
	.members = MEMBERS, .stopper = STOPPER, .member = member,
	.shared = sizeof(struct gates_all), .outcome = sizeof(struct gates_outcome),
};

FIXTURE(clocks)
{
	struct gates_outcome one;
};

FIXTURE_SETUP(clocks)
{
	ASSERT_TRUE(play(&scene, &(struct vtime_way){ .domains = 1 }, &self->one));
}

FIXTURE_TEARDOWN(clocks)
{
	fabric_del(FABRIC);
}

TEST_F(clocks, barriers_take_as_many_polls_however_they_are_run)
{
	static const struct vtime_way ways[] = {
		{ .domains = 1, .first = 5, .stop = true },
		{ .domains = 4, .first = 3, .loaded = true },
	};
	struct gates_outcome other;
	unsigned int rank, i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		ASSERT_TRUE(play(&scene, &ways[i], &other));
		EXPECT_EQ(0, memcmp(&self->one, &other, sizeof(other)));
	}
	/* all other members wait until the clock at which POSTER enters */
	for (rank = 0; rank < MEMBERS; rank++)
		EXPECT_EQ(rank != POSTER,
			  self->one.vain[rank][POSTED] > POSTS * INJECT_TICKS / 400);
	EXPECT_NE(0, self->one.played.hash);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0
/*
 * Registered memory in virtual time: whether a put finds the memory registered depends on clocks
 * only, not on the scheduling of the memory's owner.
 */
#define FABRIC		"tmv"
#include "vtime_rig.h"
#include "kselftest_harness.h"

#define STAG		3
#define BYTES		4096
#define PUTS		60
/* Number of times that the owner registers and unregisters its memory. */
#define SPANS		20
#define STOPS_AT	7
/*
 * Operations that the owner posts before each change. They advance its clock beyond the fabric's
 * tick.
 */
#define POSTS		150
/* Polls after which a notice counts as missing. */
#define LOOKS_MAX	10000

enum rank { OWNER, WRITER, RANKS };

/* Results of the puts, and the number of polls that found no notice, per put. */
struct memory_outcome {
	struct played played;
	int codes[PUTS];
	unsigned int vain[PUTS];
};

/* @ready: set when the owner has registered memory, before virtual time has started */
struct memory_all {
	struct memory_outcome outcome;
	unsigned int ready;
};

static unsigned int posts = POSTS;
static unsigned char memory[BYTES] __attribute__((aligned(4096)));

static int next_mrq(utofu_vcq_hdl_t vcq, unsigned int *vain)
{
	struct utofu_mrq_notice notice;
	int ret;

	while ((ret = utofu_poll_mrq(vcq, 0, &notice)) == UTOFU_ERR_NOT_FOUND && *vain < LOOKS_MAX)
		(*vain)++;
	return ret;
}

/*
 * Run the owner: register and unregister its memory several times, and then wait for the writer's
 * last put.
 */
static int own(struct memory_all *all, bool stop)
{
	unsigned int k, vain = 0;
	utofu_stadd_t stadd;
	utofu_vcq_hdl_t vcq;
	int wrong;

	wrong = utofu_create_vcq_with_cmp_id(1, 2, 0, &vcq) ||
		utofu_reg_mem_with_stag(vcq, memory, BYTES, STAG + 1, 0, &stadd);
	__atomic_store_n(&all->ready, 1, __ATOMIC_SEQ_CST);
	for (k = 0; k < SPANS && !wrong; k++) {
		if (stop && k == STOPS_AT)
			raise(SIGSTOP);
		wrong = compute(vcq, 20 + k % 5 * 3) || post(vcq, posts) ||
			utofu_reg_mem_with_stag(vcq, memory, BYTES, STAG, 0, &stadd) ||
			compute(vcq, 20 + k % 7 * 5) || post(vcq, posts) ||
			utofu_dereg_mem(vcq, stadd, 0);
	}
	return wrong || next_mrq(vcq, &vain) != UTOFU_SUCCESS;
}

static int write_to(struct memory_all *all)
{
	const unsigned long local = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
	const unsigned long remote = UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE;
	uint8_t at[6] = { 1, 0, 0, 1, 0, 0 };
	utofu_stadd_t here, there, always;
	utofu_vcq_hdl_t vcq;
	utofu_vcq_id_t peer;
	unsigned int i, vain = 0;
	int wrong;

	/* at clock 0 the owner does not yet wait for processes that attach later */
	while (!__atomic_load_n(&all->ready, __ATOMIC_SEQ_CST))
		sched_yield();
	wrong = utofu_create_vcq(0, 0, &vcq) || utofu_reg_mem(vcq, memory, BYTES, 0, &here) ||
		utofu_construct_vcq_id(at, 1, 0, 2, &peer) ||
		utofu_query_stadd(peer, STAG, &there) || utofu_query_stadd(peer, STAG + 1, &always);
	for (i = 0; i < PUTS && !wrong; i++) {
		wrong = utofu_put(vcq, peer, here, there, 8, 0, local, NULL);
		if (!wrong)
			all->outcome.codes[i] = next_mrq(vcq, &all->outcome.vain[i]);
	}
	/*
	 * this put ends the owner's wait; its memory stays registered until the writer has the
	 * notice, too
	 */
	return wrong || utofu_put(vcq, peer, here, always, 8, 0, local | remote, NULL) ||
	       next_mrq(vcq, &vain) != UTOFU_SUCCESS;
}

static int member(void *all, unsigned int rank, bool stop)
{
	be_at(rank == OWNER ? 13 : 0);
	return rank == OWNER ? own(all, stop) : write_to(all);
}

static const struct vtime_scene scene = {
	.members = RANKS, .stopper = OWNER, .member = member,
	.shared = sizeof(struct memory_all), .outcome = sizeof(struct memory_outcome),
};

FIXTURE(clocks)
{
	struct memory_outcome one;
};

FIXTURE_SETUP(clocks)
{
	ASSERT_TRUE(play(&scene, &(struct vtime_way){ .domains = 1 }, &self->one));
}

FIXTURE_TEARDOWN(clocks)
{
	fabric_del(FABRIC);
}

TEST_F(clocks, puts_find_the_memory_or_not_however_they_are_run)
{
	static const struct vtime_way ways[] = {
		{ .domains = 1, .first = WRITER, .stop = true },
		{ .domains = 2, .loaded = true },
		{ .domains = 4, .first = WRITER, .loaded = true },
		{ .domains = 1, .signals = true },
	};
	unsigned int i, found = 0, missed = 0;
	struct memory_outcome other;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		ASSERT_TRUE(play(&scene, &ways[i], &other));
		EXPECT_EQ(0, memcmp(&self->one, &other, sizeof(other)));
	}
	for (i = 0; i < PUTS; i++) {
		found += self->one.codes[i] == UTOFU_SUCCESS;
		missed += self->one.codes[i] == UTOFU_ERR_MRQ_RMT_STADD;
	}
	EXPECT_EQ(PUTS, found + missed);
	EXPECT_NE(0, found);
	EXPECT_NE(0, missed);
}

/* Return: the index of the first put that found the memory, or PUTS. */
static unsigned int first_found(const struct memory_outcome *outcome)
{
	unsigned int i = 0;

	while (i < PUTS && outcome->codes[i] != UTOFU_SUCCESS)
		i++;
	return i;
}

TEST_F(clocks, memory_is_there_from_its_owners_clock_on)
{
	struct memory_outcome at_once;

	posts = 0;
	ASSERT_TRUE(play(&scene, &(struct vtime_way){ .domains = 1 }, &at_once));
	printf("# the first put to find it is %u where the owner has posted, else %u\n",
	       first_found(&self->one), first_found(&at_once));
	EXPECT_LT(first_found(&at_once), first_found(&self->one));
	EXPECT_LT(first_found(&self->one), PUTS);
}

TEST_HARNESS_MAIN

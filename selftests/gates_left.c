// SPDX-License-Identifier: GPL-2.0
/*
 * A member of a chain of barrier gates is killed. Each other member gets an error that names the
 * dead member's node. In virtual time the error arrives at the same clock in each run.
 */
#define FABRIC		"tgl"
#include "vtime_rig.h"
#include "kselftest_harness.h"

/* No header of the interface declares this function, so programs declare it themselves. */
void utofu_get_last_error(const char *text);

#define MEMBERS_MOST	8
#define NODE_STEP	5u

/*
 * Moment of the member's death: before it configures its gates, or before or after it enters the
 * second barrier.
 */
enum moment { UNSET, BEFORE, AFTER, MOMENTS };

/*
 * Results of a member for the two barriers that the dead member misses. @vain: polls that found the
 * barrier incomplete.
 */
struct left_seen {
	int start[2];
	int poll[2];
	unsigned int vain[2];
	unsigned int node[2];
};

/* @dead: set when the kernel has released the dead member's resources */
struct scene_left {
	struct left_seen seen[MEMBERS_MOST];
	struct gates_shared chain;
	struct gates_shared rest;
	unsigned int dead;
	unsigned int members;
	unsigned int victim;
	enum moment moment;
	bool timed;
};

static unsigned int node_of(unsigned int rank)
{
	return rank * NODE_STEP % 12;
}

static int wait_barrier(uint64_t gate, unsigned int *vain)
{
	int ret;

	for (*vain = 0; (ret = utofu_poll_barrier(gate, 0)) == UTOFU_ERR_NOT_COMPLETED; ++*vain)
		;
	return ret;
}

/* Return: the node in the text of the last error, or 999. */
static unsigned int named(void)
{
	char text[1024] = "";
	const char *at;

	utofu_get_last_error(text);
	at = strstr(text, "node ");
	return at ? (unsigned int)strtoul(at + strlen("node "), NULL, 10) : 999;
}

static bool pass(uint64_t gate)
{
	unsigned int vain;

	return !utofu_barrier(gate, 0) && !wait_barrier(gate, &vain);
}

static void die(struct scene_left *all, uint64_t gate, utofu_vcq_hdl_t vcq)
{
	if (all->timed)
		compute(vcq, 23);
	if (all->moment == AFTER)
		utofu_barrier(gate, 0);
	kill(getpid(), SIGKILL);
}

/*
 * Run the victim's part of join(), but allocate the gates without configuring them. Die when all
 * others have configured theirs; some may already have started a barrier.
 */
static void die_unset(struct scene_left *all, unsigned int rank)
{
	utofu_alloc_vbg(rank % 4, tofu_chain_gates(all->members, rank), 0, all->chain.ids[rank]);
	meet(&all->chain, all->members);
	while (__atomic_load_n(&all->chain.ready, __ATOMIC_SEQ_CST) < 2 * all->members - 1)
		sched_yield();
	meet(&all->chain, 2 * all->members);
	kill(getpid(), SIGKILL);
}

/*
 * Delay a member's second barrier. At least one member enters only after the victim's death:
 * otherwise a barrier that the victim has entered might complete.
 */
static void come(struct scene_left *all, unsigned int rank, utofu_vcq_hdl_t vcq)
{
	unsigned int last = all->members - 1 - (all->victim == all->members - 1);

	if (all->timed) {
		compute(vcq, rank * 7 % 11 + (rank == last ? 40 : 0));
		return;
	}
	while ((rank == last || rank % 2) && !__atomic_load_n(&all->dead, __ATOMIC_SEQ_CST))
		sched_yield();
}

/* The surviving members build a new chain and use it. */
static int go_on(struct scene_left *all, unsigned int rank)
{
	unsigned int rest = all->members - 1, i;

	if (utofu_free_vbg(all->chain.ids[rank], tofu_chain_gates(all->members, rank)))
		return 1;
	meet(&all->chain, 2 * all->members + rest);
	rank -= rank > all->victim;
	if (join(&all->rest, rest, rank, rank % 4))
		return 1;
	for (i = 0; i < 3; i++)
		if (!pass(all->rest.ids[rank][0]))
			return 1;
	return 0;
}

static int member(struct scene_left *all, unsigned int rank)
{
	struct left_seen *seen = &all->seen[rank];
	utofu_vcq_hdl_t vcq = 0;
	unsigned int i;
	uint64_t gate;

	be_at(node_of(rank));
	if (all->timed && utofu_create_vcq(rank % 4, 0, &vcq))
		return 1;
	if (all->moment == UNSET && rank == all->victim)
		die_unset(all, rank);
	if (join(&all->chain, all->members, rank, rank % 4))
		return 2;
	gate = all->chain.ids[rank][0];
	if (all->moment != UNSET && !pass(gate))
		return 3;
	if (rank == all->victim)
		die(all, gate, vcq);
	come(all, rank, vcq);
	for (i = 0; i < 2; i++) {
		seen->start[i] = utofu_barrier(gate, 0);
		seen->poll[i] = wait_barrier(gate, &seen->vain[i]);
		seen->node[i] = named();
	}
	/* in virtual time a process must not wait for others outside the fabric's clock */
	return all->timed ? 0 : go_on(all, rank);
}

static bool play_left(struct scene_left *all, unsigned int first)
{
	pid_t pid[MEMBERS_MOST];
	unsigned int i;
	bool good;

	for (i = 0; i < all->members; i++) {
		unsigned int rank = (first + i) % all->members;

		pid[rank] = start();
		if (!pid[rank])
			_exit(member(all, rank));
	}
	good = status_of(pid[all->victim]) == 256 + SIGKILL;
	__atomic_store_n(&all->dead, 1, __ATOMIC_SEQ_CST);
	for (i = 0; i < all->members; i++)
		if (i != all->victim)
			good &= !status_of(pid[i]);
	return good;
}

static bool all_notified(const struct scene_left *all)
{
	unsigned int rank, i;
	bool good = true;

	for (rank = 0; rank < all->members; rank++) {
		const struct left_seen *seen = &all->seen[rank];

		for (i = 0; i < 2 && rank != all->victim; i++)
			good &= !seen->start[i] && seen->poll[i] == UTOFU_ERR_BARRIER_OTHER &&
				seen->node[i] == node_of(all->victim);
	}
	return good;
}

FIXTURE(left)
{
	struct scene_left *all;
};

FIXTURE_SETUP(left)
{
	self->all = shared_alloc(sizeof(*self->all));
	ASSERT_NE(self->all, NULL);
}

FIXTURE_TEARDOWN(left)
{
	fabric_del(FABRIC);
	munmap(self->all, sizeof(*self->all));
}

static int tofu_add(void)
{
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 },
	};

	return nl_with(ask_add, &spec, NULL, 0);
}

static void set_scene(struct scene_left *all, unsigned int members, unsigned int victim,
		      enum moment moment)
{
	memset(all, 0, sizeof(*all));
	all->members = members;
	all->victim = victim;
	all->moment = moment;
}

TEST_F_TIMEOUT(left, all_are_told_and_go_on_without_the_dead_one, 3600)
{
	static const unsigned int sizes[] = { 3, 4, 7, 8 };
	enum moment moment;
	unsigned int i, k;

	ASSERT_EQ(tofu_add(), 0);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const unsigned int victims[] = { 0, sizes[i] / 2, sizes[i] - 1 };

		for (k = 0; k < 3 * MOMENTS; k++) {
			moment = (enum moment)(k % MOMENTS);
			set_scene(self->all, sizes[i], victims[k / MOMENTS], moment);
			EXPECT_TRUE(play_left(self->all, 0) && all_notified(self->all)) {
				TH_LOG("%u members, %u killed at moment %u", sizes[i],
				       victims[k / MOMENTS], moment);
			}
		}
	}
}

/* Play the scene in virtual time, with the domains, start order and load of @way. */
static bool play_timed(struct scene_left *all, const struct vtime_way *way)
{
	static const __u32 dims[3] = { 1, 1, 1 };
	pid_t others[BUSY];
	bool good;

	all->timed = true;
	if (fabric_virtual_of(FABRIC, "tofu", dims, all->members, way->domains))
		return false;
	if (way->loaded)
		busy(others, true);
	good = play_left(all, way->first);
	if (way->loaded)
		busy(others, false);
	return good && !fabric_del(FABRIC);
}

TEST_F_TIMEOUT(left, in_virtual_time_each_is_told_at_the_same_clock, 3600)
{
	static const struct vtime_way ways[] = {
		{ .domains = 1 },
		{ .domains = 4, .first = 2, .loaded = true },
		{ .domains = 2, .first = 1 },
	};
	static const struct { unsigned int members, victim; } scenes[] = { { 7, 3 }, { 4, 3 } };
	struct left_seen seen[MEMBERS_MOST];
	unsigned int i, k;

	for (k = 0; k < 4; k++) {
		for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
			set_scene(self->all, scenes[k / 2].members, scenes[k / 2].victim,
				  k % 2 ? AFTER : BEFORE);
			EXPECT_TRUE(play_timed(self->all, &ways[i]));
			EXPECT_TRUE(all_notified(self->all));
			if (!i)
				memcpy(seen, self->all->seen, sizeof(seen));
			EXPECT_EQ(0, memcmp(seen, self->all->seen, sizeof(seen)));
		}
		/* the first member to enter polled until the dead member's clock was reached */
		EXPECT_NE(0, seen[0].vain[0]);
	}
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates of programs, through libtofucom and through plain ioctls: barriers and reductions
 * of processes, owners of gates, and rejected requests.
 */
#include <sys/mman.h>
#include <signal.h>
#define FABRIC		"tg"
#include "gates.h"
#include "kselftest_harness.h"

#define MEMBERS		16
#define BARRIERS	200
#define BARRIERS_SOAK	10000
#define BARRIERS_MANY	20
#define BARRIERS_MANY_SOAK 1000
#define REDUCTIONS	12	/* per operation */

static int tofu_add(unsigned int groups)
{
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { groups, 1, 1 },
	};
	char words[256] = "";
	int ret = nl_with(ask_add, &spec, words, sizeof(words));

	if (ret)
		fprintf(stderr, "# fabric %s: %s\n", FABRIC, words);
	return ret;
}

static int wait_barrier(uint64_t gate)
{
	int ret;

	do
		ret = utofu_poll_barrier(gate, 0);
	while (ret == UTOFU_ERR_NOT_COMPLETED);
	return ret;
}

/*
 * Run @times barriers. Return: nonzero if a member left before the last one had entered, or if a
 * call failed.
 */
static int barriers_of(struct gates_shared *all, unsigned int members, unsigned int rank,
		       unsigned int times)
{
	int wrong = join(all, members, rank, rank % 4) != UTOFU_SUCCESS;
	uint64_t gate = all->ids[rank][0];
	unsigned int i, k;

	for (k = 1; k <= times && !wrong; k++) {
		__atomic_store_n(&all->entered[rank], k, __ATOMIC_SEQ_CST);
		wrong = utofu_barrier(gate, 0) != UTOFU_SUCCESS || wait_barrier(gate);
		for (i = 0; i < members; i++)
			wrong |= __atomic_load_n(&all->entered[i], __ATOMIC_SEQ_CST) < k;
	}
	return wrong;
}

static int barriers(struct gates_shared *all, unsigned int rank)
{
	return barriers_of(all, MEMBERS, rank, getenv("TORUS_SOAK") ? BARRIERS_SOAK : BARRIERS);
}

static int barriers_of_many(struct gates_shared *all, unsigned int rank)
{
	return barriers_of(all, MEMBERS_MANY, rank,
			   getenv("TORUS_SOAK") ? BARRIERS_MANY_SOAK : BARRIERS_MANY);
}

/* ------------------------------------------------------------- reductions */

static uint64_t value_of(unsigned int rank, unsigned int turn, unsigned int i)
{
	uint64_t x = (uint64_t)(rank + 1) << 40 ^ (uint64_t)(turn + 1) << 20 ^ i;

	x *= 0x9e3779b97f4a7c15ull;
	return x ^ x >> 29;
}

static void combine(enum utofu_reduce_op op, uint64_t *to, const uint64_t *from, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		switch (op) {
		case UTOFU_REDUCE_OP_BAND:
			to[i] &= from[i];
			break;
		case UTOFU_REDUCE_OP_BOR:
			to[i] |= from[i];
			break;
		case UTOFU_REDUCE_OP_BXOR:
			to[i] ^= from[i];
			break;
		case UTOFU_REDUCE_OP_MAX:
			to[i] = from[i] > to[i] ? from[i] : to[i];
			break;
		case UTOFU_REDUCE_OP_SUM:
			to[i] += from[i];
			break;
		default:
			if (i % 2)
				continue;
			if (from[i] > to[i] || (from[i] == to[i] && from[i + 1] < to[i + 1]))
				memcpy(&to[i], &from[i], 2 * sizeof(*to));
		}
	}
}

static void member_words(enum utofu_reduce_op op, unsigned int rank, unsigned int turn,
			 uint64_t *to)
{
	unsigned int i;

	for (i = 0; i < 6; i++) {
		to[i] = value_of(rank, turn, i);
		/* few different values, so that the index decides ties */
		if (op == UTOFU_REDUCE_OP_MAXLOC)
			to[i] = i % 2 ? rank : to[i] % 3;
	}
}

static int reduce_words(uint64_t gate, enum utofu_reduce_op op, unsigned int rank,
			unsigned int turn)
{
	unsigned int count = op == UTOFU_REDUCE_OP_MAXLOC ? 2 * (turn % 3 + 1) : turn % 6 + 1, i;
	uint64_t own[6], want[6], more[6], got[7] = { 0 };
	int ret;

	member_words(op, rank, turn, own);
	member_words(op, 0, turn, want);
	for (i = 1; i < MEMBERS; i++) {
		member_words(op, i, turn, more);
		combine(op, want, more, count);
	}
	got[count] = 77;
	if (utofu_reduce_uint64(gate, op, own, count, 0))
		return 1;
	do
		ret = utofu_poll_reduce_uint64(gate, 0, got);
	while (ret == UTOFU_ERR_NOT_COMPLETED);
	return ret || memcmp(got, want, count * sizeof(*got)) || got[count] != 77;
}

/* Use multiples of one half, whose sums are exact in a double, in any order. */
static int reduce_doubles(uint64_t gate, unsigned int rank, unsigned int turn)
{
	unsigned int count = turn % 3 + 1, i, r;
	double own[3], want[3] = { 0 }, got[3];
	int ret;

	for (i = 0; i < count; i++) {
		for (r = 0; r < MEMBERS; r++)
			want[i] += (double)(value_of(r, turn, i) % 100000) / 2 - 20000;
		own[i] = (double)(value_of(rank, turn, i) % 100000) / 2 - 20000;
	}
	if (utofu_reduce_double(gate, UTOFU_REDUCE_OP_BFPSUM, own, count, 0))
		return 1;
	do
		ret = utofu_poll_reduce_double(gate, 0, got);
	while (ret == UTOFU_ERR_NOT_COMPLETED);
	return ret || memcmp(got, want, count * sizeof(*got));
}

static int reductions(struct gates_shared *all, unsigned int rank)
{
	int wrong = join(all, MEMBERS, rank, 3 - rank % 4) != UTOFU_SUCCESS;
	unsigned int op, turn;

	for (turn = 0; turn < REDUCTIONS && !wrong; turn++) {
		for (op = UTOFU_REDUCE_OP_BAND; op <= UTOFU_REDUCE_OP_SUM; op++)
			wrong |= reduce_words(all->ids[rank][0], op, rank, turn);
		wrong |= reduce_doubles(all->ids[rank][0], rank, turn);
	}
	return wrong;
}

/* ------------------------------------------------------------------ tests */

FIXTURE(gates)
{
	struct gates_shared *all;
};

FIXTURE_SETUP(gates)
{
	self->all = mmap(NULL, sizeof(*self->all), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(self->all, MAP_FAILED);
	ASSERT_EQ(tofu_add(2), 0);
}

FIXTURE_TEARDOWN(gates)
{
	fabric_del(FABRIC);
}

/* Run @member in a process at each of @members nodes. Return: the number of failed processes. */
static int run(struct gates_shared *all, unsigned int members,
	       int (*member)(struct gates_shared *all, unsigned int rank))
{
	pid_t pid[MEMBERS_MANY];
	unsigned int i;
	int wrong = 0;

	for (i = 0; i < members; i++) {
		pid[i] = start();
		if (!pid[i]) {
			be_at(i);
			_exit(member(all, i));
		}
	}
	for (i = 0; i < members; i++)
		wrong += status_of(pid[i]) != 0;
	return wrong;
}

TEST_F_TIMEOUT(gates, no_member_leaves_before_the_last_has_entered, 3600)
{
	EXPECT_EQ(run(self->all, MEMBERS, barriers), 0);
}

TEST_F_TIMEOUT(gates, of_sixty_four_none_leaves_before_the_last_has_entered, 3600)
{
	ASSERT_EQ(fabric_del(FABRIC), 0);
	ASSERT_EQ(tofu_add(6), 0);
	EXPECT_EQ(run(self->all, MEMBERS_MANY, barriers_of_many), 0);
}

TEST_F(gates, reductions_are_what_a_loop_computes)
{
	EXPECT_EQ(run(self->all, MEMBERS, reductions), 0);
}

/* Two members disagree: one starts a barrier, the other a sum. */
static int disagree(struct gates_shared *all, unsigned int rank)
{
	uint64_t one = 1, gate;
	int ret = join(all, 2, rank, 0);

	gate = all->ids[rank][0];
	if (ret)
		return 1;
	if (utofu_poll_barrier(gate, 0) != UTOFU_ERR_NOT_PROCESSED)
		return 2;
	if (rank)
		meet(all, 6);	/* wait until the first member has started and polled */
	ret = rank ? utofu_reduce_uint64(gate, UTOFU_REDUCE_OP_SUM, &one, 1, 0) :
		     utofu_barrier(gate, 0);
	if (ret)
		return 3;
	if (!rank) {
		if (utofu_poll_barrier(gate, 0) != UTOFU_ERR_NOT_COMPLETED)
			return 4;
		if (utofu_barrier(gate, 0) != UTOFU_ERR_BUSY)
			return 5;
		meet(all, 6);
	}
	if (wait_barrier(gate) != UTOFU_ERR_BARRIER_MISMATCH)
		return 6;
	return utofu_poll_barrier(gate, 0) == UTOFU_ERR_NOT_PROCESSED ? 0 : 7;
}

TEST_F(gates, members_that_disagree_hear_of_it)
{
	EXPECT_EQ(run(self->all, 2, disagree), 0);
}

/* IDs have the layout that the uTofu interface defines, so programs may build IDs themselves. */
TEST_F(gates, ids_are_what_is_built_by_hand)
{
	uint64_t ids[3], hand;
	uint8_t at[6];

	be_at(12 + 1 + 2 * 2 + 6);	/* x 1, a 1, b 2, c 1 */
	ASSERT_EQ(utofu_query_my_coords(at), 0);
	ASSERT_EQ(utofu_alloc_vbg(2, 3, 0, ids), 0);
	hand = 2ull << 61 | (uint64_t)at[5] << 59 | (uint64_t)at[4] << 57 |
	       (uint64_t)at[3] << 56 | (uint64_t)at[2] << 48 | (uint64_t)at[1] << 40 |
	       (uint64_t)at[0] << 32;
	EXPECT_EQ(at[0] == 1 && at[3] == 1 && at[4] == 2 && at[5] == 1, 1);
	EXPECT_EQ(ids[0], hand);
	EXPECT_EQ(ids[1], hand | 16);
	EXPECT_EQ(ids[2], hand | 17);
	EXPECT_EQ(utofu_free_vbg(ids, 3), 0);
	EXPECT_EQ(utofu_free_vbg(ids, 1), UTOFU_ERR_INVALID_VBG_ID);
}

TEST_F(gates, all_or_none_are_allocated)
{
	utofu_tni_id_t *tnis;
	uint64_t ids[48];
	size_t count;

	be_at(0);
	ASSERT_EQ(utofu_get_barrier_tnis(&tnis, &count), 0);
	EXPECT_EQ(count, 4);
	EXPECT_EQ(tnis[3], 3);
	free(tnis);
	/* an engine has 32 relay gates */
	EXPECT_EQ(utofu_alloc_vbg(1, 34, 0, ids), UTOFU_ERR_FULL);
	EXPECT_EQ(utofu_alloc_vbg(1, 33, 0, ids), 0);
	EXPECT_EQ(utofu_alloc_vbg(1, 2, 0, ids), UTOFU_ERR_FULL);
	EXPECT_EQ(utofu_alloc_vbg(1, 1, 0, ids), 0);
	EXPECT_EQ(utofu_alloc_vbg(4, 1, 0, ids), UTOFU_ERR_INVALID_TNI_ID);
}

/* Allocate all start/end gates of TNI 0 and wait to be killed. */
static int holds_all(struct gates_shared *all, unsigned int rank)
{
	uint64_t id;
	int i;

	for (i = 0; i < 16; i++)
		if (utofu_alloc_vbg(0, 1, 0, &id))
			return 1;
	__atomic_store_n(&all->held, 1, __ATOMIC_SEQ_CST);
	for (;;)
		pause();
}

TEST_F(gates, gates_of_who_dies_are_free)
{
	uint64_t id;
	pid_t pid = start();

	be_at(0);
	if (!pid)
		_exit(holds_all(self->all, 0));
	while (!__atomic_load_n(&self->all->held, __ATOMIC_SEQ_CST))
		sched_yield();
	EXPECT_EQ(utofu_alloc_vbg(0, 1, 0, &id), UTOFU_ERR_FULL);
	kill(pid, SIGKILL);
	EXPECT_EQ(status_of(pid), 256 + SIGKILL);
	EXPECT_EQ(utofu_alloc_vbg(0, 1, 0, &id), 0);
}

TEST_F(gates, another_process_has_none_of_them)
{
	struct utofu_vbg_setting set = {
		.src_lcl_vbg_id = UTOFU_VBG_ID_NULL, .src_rmt_vbg_id = UTOFU_VBG_ID_NULL,
		.dst_lcl_vbg_id = UTOFU_VBG_ID_NULL, .dst_rmt_vbg_id = UTOFU_VBG_ID_NULL,
		.dst_path_coords = { UTOFU_PATH_COORD_NULL, 0, 0 },
	};
	uint64_t id, other;
	pid_t pid;

	be_at(0);
	ASSERT_EQ(utofu_alloc_vbg(0, 1, 0, &id), 0);
	set.vbg_id = id;
	EXPECT_EQ(utofu_set_vbg(&set, 1), UTOFU_ERR_INVALID_VBG_ID);	/* the gate has no source */
	/* the gate is not configured */
	EXPECT_EQ(utofu_barrier(id, 0), UTOFU_ERR_INVALID_VBG_ID);
	set.src_lcl_vbg_id = id ^ 1;
	EXPECT_EQ(utofu_set_vbg(&set, 1), UTOFU_ERR_INVALID_VBG_ID);
	set.src_lcl_vbg_id = UTOFU_VBG_ID_NULL;
	set.src_rmt_vbg_id = id | 200ull << 40;			/* y 200 does not exist */
	EXPECT_EQ(utofu_set_vbg(&set, 1), UTOFU_ERR_INVALID_VBG_ID);
	set.src_rmt_vbg_id = UTOFU_VBG_ID_NULL;
	set.src_lcl_vbg_id = id;
	set.dst_lcl_vbg_id = id;
	set.dst_path_coords[0] = 2;
	EXPECT_EQ(utofu_set_vbg(&set, 1), UTOFU_ERR_INVALID_PATH);
	set.dst_path_coords[0] = 1;
	EXPECT_EQ(utofu_set_vbg(&set, 1), 0);
	/* a chain of one gate */
	EXPECT_EQ(utofu_barrier(id, 0), 0);
	EXPECT_EQ(utofu_barrier(id, 0), UTOFU_ERR_BUSY);
	EXPECT_EQ(utofu_poll_barrier(id, 0), 0);
	pid = start();
	if (!pid)
		_exit(utofu_barrier(id, 0) != UTOFU_ERR_FATAL);
	EXPECT_EQ(status_of(pid), 0);
	EXPECT_EQ(utofu_alloc_vbg(0, 1, 0, &other), 0);
	EXPECT_NE(other, id);
	EXPECT_EQ(fabric_del(FABRIC), 0);
	EXPECT_EQ(utofu_barrier(id, 0), UTOFU_ERR_FATAL);
	EXPECT_EQ(utofu_poll_barrier(id, 0), UTOFU_ERR_FATAL);
}

/* A synthetic workload starts only if no program has barrier gates on the fabric. */
TEST_F(gates, a_workload_waits_for_programs)
{
	FILE *said;
	char words[200] = "";
	uint64_t id;

	be_at(0);
	ASSERT_EQ(utofu_alloc_vbg(0, 1, 0, &id), 0);
	said = popen("torusctl traffic " FABRIC " --pattern uniform --packets 1 2>&1", "r");
	ASSERT_NE(said, NULL);
	EXPECT_NE(fgets(words, sizeof(words), said), NULL);
	EXPECT_NE(pclose(said), 0);
	EXPECT_SAYS(words, "1 program barrier gate " FABRIC);

	/* A fabric with gates of programs cannot be saved: a saved state contains no gates. */
	said = popen("\"$TORUS_TOP\"/selftests/state_damage.py "
		     "\"$TORUS_TOP\"/include/uapi/linux/torus.h " FABRIC " 2>&1", "r");
	ASSERT_NE(said, NULL);
	EXPECT_NE(fgets(words, sizeof(words), said), NULL);
	EXPECT_EQ(pclose(said), 0);
	EXPECT_SAYS(words, "state 1 program barrier gate " FABRIC);
}

/* ------------------------------------------------------------- plain ioctls */

static int gates_open(int fd, const char *fabric, __u32 node, __u32 reserved)
{
	struct torus_ioc_gates_open ask = { .node = node, .reserved[1] = reserved };

	memset(ask.fabric, 'x', sizeof(ask.fabric));
	if (fabric)
		snprintf(ask.fabric, sizeof(ask.fabric), "%s", fabric);
	return ioctl(fd, TORUS_IOC_GATES_OPEN, &ask) ? errno : 0;
}

static int gates_call(int fd, unsigned long request, void *ask)
{
	int ret = ioctl(fd, request, ask);

	return ret < 0 ? -errno : ret;
}

TEST_F(gates, opening_is_refused_with_a_reason)
{
	int fd = open(DEVICE, O_RDWR), held = open(DEVICE, O_RDWR);
	struct torus_ioc_gates ask = { .count = 1 };
	const __u32 dims[3] = { 2, 2, 2 };

	ASSERT_EQ(fabric_add("tb", dims, NULL, 0), 0);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_ALLOC, &ask), -ENOTCONN);
	EXPECT_EQ(gates_open(fd, "none", 0, 0), ENOENT);
	EXPECT_EQ(gates_open(fd, NULL, 0, 0), EINVAL);
	EXPECT_EQ(gates_open(fd, FABRIC, 24, 0), EINVAL);
	EXPECT_EQ(gates_open(fd, FABRIC, 0, 1), EINVAL);
	EXPECT_EQ(gates_open(fd, "tb", 0, 0), EOPNOTSUPP);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_OPEN, NULL), -EFAULT);
	EXPECT_EQ(raw_attach(held, FABRIC, 0, 0, 0), 0);
	EXPECT_EQ(gates_open(held, FABRIC, 0, 0), EISCONN);
	EXPECT_EQ(gates_open(fd, FABRIC, 0, 0), 0);
	EXPECT_EQ(gates_open(fd, FABRIC, 0, 0), EISCONN);
	EXPECT_EQ(raw_attach(fd, FABRIC, 0, 1, 0), EISCONN);
	EXPECT_EQ(fabric_del("tb"), 0);
	close(held);
	close(fd);
}

#define ASKED	33u	/* gates of an engine: one start/end gate and 32 relay gates */

/* One call configures or frees gates of all engines, and has no effect if one gate is invalid. */
TEST_F(gates, all_of_a_node_at_once)
{
	static struct torus_gate_setting settings[4 * ASKED];
	static __u64 ids[4 * ASKED];
	struct torus_ioc_gates_set set = {
		.settings = (uintptr_t)settings, .count = 4 * ASKED,
	};
	struct torus_ioc_gates ask = { .count = ASKED };
	int fd = open(DEVICE, O_RDWR);
	__u32 i;

	ASSERT_EQ(gates_open(fd, FABRIC, 3, 0), 0);
	for (i = 0; i < 4; i++) {
		ask.engine = i;
		ask.ids = (uintptr_t)&ids[i * ASKED];
		ASSERT_EQ(gates_call(fd, TORUS_IOC_GATES_ALLOC, &ask), 0);
	}
	for (i = 0; i < 4 * ASKED; i++)
		settings[i] = (struct torus_gate_setting){
			.gate = ids[i], .local_source = TORUS_GATE_NONE, .remote_source = ids[i],
			.local_dest = TORUS_GATE_NONE, .remote_dest = TORUS_GATE_NONE,
			.path = TORUS_GATE_PATH_DEFAULT,
		};
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, &set), 0);
	settings[4 * ASKED - 1].gate = 1ull << 56;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, &set), TORUS_GATE_BAD_ID);
	ask.engine = 0;
	ask.count = 4 * ASKED;
	ask.ids = (uintptr_t)ids;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, &ask), 0);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, &ask), TORUS_GATE_BAD_ID);
	close(fd);
}

TEST_F(gates, calls_are_refused_with_a_reason)
{
	struct torus_gate_setting setting = { .reserved = 1 };
	struct torus_ioc_gates_set set = { .count = 1 };
	struct torus_ioc_gates ask = { .count = 1 };
	struct torus_ioc_gate gate = { .gate = 5 };
	int fd = open(DEVICE, O_RDWR);
	__u64 ids[TORUS_GATES];

	ASSERT_EQ(gates_open(fd, FABRIC, 3, 0), 0);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_ALLOC, &ask), -EFAULT);
	ask.ids = (uintptr_t)ids;
	ask.engine = 4;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_ALLOC, &ask), -EINVAL);
	ask.engine = 0;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_ALLOC, &ask), 0);
	/* the failed call has freed the gate whose ID it could not copy */
	EXPECT_EQ(ids[0] & 0x3f, 0);
	ask.count = TORUS_GATES_NODE + 1;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, &ask), -EINVAL);
	ask.count = 1;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, &ask), 0);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, &ask), TORUS_GATE_BAD_ID);
	ask.ids = 0;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, &ask), -EFAULT);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_FREE, NULL), -EFAULT);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, &set), -EFAULT);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, NULL), -EFAULT);
	set.settings = (uintptr_t)&setting;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, &set), -EINVAL);
	setting.reserved = 0;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, &set), TORUS_GATE_BAD_ID);
	set.count = 0;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATES_SET, &set), -EINVAL);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATE_START, &gate), TORUS_GATE_BAD_ID);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATE_POLL, &gate), TORUS_GATE_BAD_ID);
	gate.reserved[2] = 1;
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATE_START, &gate), -EINVAL);
	EXPECT_EQ(gates_call(fd, TORUS_IOC_GATE_POLL, NULL), -EFAULT);
	EXPECT_EQ(gates_call(fd, _IO(TORUS_IOC_MAGIC, 0x7f), NULL), -ENOTTY);
	close(fd);
}

/* Gates belong to the process that opened them: a child cannot use them. */
TEST_F(gates, a_child_has_none)
{
	struct torus_ioc_gates ask = { .count = 1 };
	int fd = open(DEVICE, O_RDWR), status;
	pid_t child;

	ASSERT_EQ(gates_open(fd, FABRIC, 3, 0), 0);
	child = fork();
	if (!child)
		_exit(gates_call(fd, TORUS_IOC_GATES_ALLOC, &ask) == -ECHILD ? 0 : 1);
	ASSERT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(status, 0);
	close(fd);
}

TEST_HARNESS_MAIN

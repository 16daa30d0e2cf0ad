// SPDX-License-Identifier: GPL-2.0
/* Four processes per node through libtofucom, with a VCQ on every engine each. */
#include <sys/mman.h>
#include <utofu.h>
#include "device.h"
#include "kselftest_harness.h"

/* No header of the interface declares this function, so programs declare it themselves. */
void utofu_get_last_error(const char *text);

#define FABRIC		"tp"
#define PROCESSES	4	/* per node */
#define RANKS		(2 * PROCESSES)
#define TNIS		6
#define STAG		5
#define CMP		3
#define SLOT		256	/* bytes of the target's memory per sender and engine */
#define BYTES		199
#define MEMORY		(RANKS * TNIS * SLOT)

struct processes_shared {
	unsigned int ready;
	unsigned int done;
	unsigned int failed;
};

static unsigned char memory[MEMORY] __attribute__((aligned(4096)));
static unsigned char source[TNIS][SLOT];

static unsigned char byte_of(unsigned int from, unsigned int to, unsigned int tni, unsigned int i)
{
	return (unsigned char)(1 + 31 * from + 7 * to + 3 * tni + i);
}

static void node_of(unsigned int rank, uint8_t *coords)
{
	memset(coords, 0, 6);
	coords[3] = rank / PROCESSES;
	coords[4] = 2 * (rank / PROCESSES);
}

/* Wait for all ranks. Return: false if a rank has failed. */
static bool together(struct processes_shared *all, unsigned int *count)
{
	__atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < RANKS) {
		if (__atomic_load_n(&all->failed, __ATOMIC_SEQ_CST))
			return false;
		usleep(200);
	}
	return true;
}

static void be_rank(unsigned int rank)
{
	uint8_t at[6];
	char text[32];

	node_of(rank, at);
	setenv("TORUS_FABRIC", FABRIC, 1);
	snprintf(text, sizeof(text), "0,0,0,%u,%u,0", at[3], at[4]);
	setenv("TORUS_NODE", text, 1);
	snprintf(text, sizeof(text), "%u", rank % PROCESSES);
	setenv("TORUS_GROUP", text, 1);
}

/*
 * Create a VCQ on each engine. Programs expect the hardware queue (CQ) of a VCQ to be 3 x rank in
 * node. Return: 0, or the number of the failed step.
 */
static int open_queues(unsigned int rank, utofu_vcq_hdl_t *vcq)
{
	utofu_stadd_t stadd;
	uint16_t tni, cq, extra;
	utofu_vcq_id_t id;
	uint8_t at[6];
	unsigned int i;

	for (i = 0; i < TNIS; i++) {
		if (utofu_create_vcq_with_cmp_id(i, CMP, 0, &vcq[i]) ||
		    utofu_query_vcq_id(vcq[i], &id) ||
		    utofu_query_vcq_info(id, at, &tni, &cq, &extra))
			return 10;
		if (tni != i || cq != 3 * (rank % PROCESSES) || extra != CMP)
			return 11;
		if (utofu_reg_mem_with_stag(vcq[i], memory, MEMORY, STAG, 0, &stadd))
			return 12;
	}
	return 0;
}

/*
 * Put with each engine to the same engine of each rank, including this one. Peers are addressed by
 * computed VCQ IDs, without any exchange. Return: 0, or the number of the failed step.
 */
static int send_all(unsigned int rank, const utofu_vcq_hdl_t *vcq)
{
	unsigned int to, tni, i;
	struct utofu_mrq_notice notice;
	utofu_stadd_t here, there;
	utofu_vcq_id_t peer;
	uint8_t at[6];
	int ret;

	for (tni = 0; tni < TNIS; tni++) {
		if (utofu_reg_mem(vcq[tni], source[tni], SLOT, 0, &here))
			return 20;
		for (to = 0; to < RANKS; to++) {
			node_of(to, at);
			for (i = 0; i < BYTES; i++)
				source[tni][i] = byte_of(rank, to, tni, i);
			if (utofu_construct_vcq_id(at, tni, 3 * (to % PROCESSES), CMP, &peer) ||
			    utofu_query_stadd(peer, STAG, &there) ||
			    utofu_put(vcq[tni], peer, here,
				      there + (rank * TNIS + tni) * SLOT, BYTES, 0,
				      UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE, NULL))
				return 21;
			while ((ret = utofu_poll_mrq(vcq[tni], 0, &notice)) == UTOFU_ERR_NOT_FOUND)
				usleep(50);
			if (ret)
				return 22;
		}
		if (utofu_dereg_mem(vcq[tni], here, 0))
			return 23;
	}
	return 0;
}

static int look_all(unsigned int rank)
{
	unsigned int from, tni, i;

	for (from = 0; from < RANKS; from++)
		for (tni = 0; tni < TNIS; tni++) {
			const unsigned char *slot = memory + (from * TNIS + tni) * SLOT;

			for (i = 0; i < BYTES; i++)
				if (slot[i] != byte_of(from, rank, tni, i))
					return 30;
			if (slot[BYTES])
				return 31;
		}
	return 0;
}

static int run(struct processes_shared *all, unsigned int rank)
{
	utofu_vcq_hdl_t vcq[TNIS];
	unsigned int i;
	int ret;

	be_rank(rank);
	ret = open_queues(rank, vcq);
	if (ret)
		return ret;
	if (!together(all, &all->ready))
		return 1;
	ret = send_all(rank, vcq);
	if (ret)
		return ret;
	if (!together(all, &all->done))
		return 1;
	ret = look_all(rank);
	for (i = 0; i < TNIS; i++)
		if (utofu_free_vcq(vcq[i]))
			return 40;
	return ret;
}

FIXTURE(processes)
{
	struct processes_shared *all;
};

FIXTURE_SETUP(processes)
{
	const struct torus_nl_param six = { .key = "tnis", .text = "6", .is_text = true };
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 },
		.params = &six, .nparams = 1,
	};

	self->all = mmap(NULL, sizeof(*self->all), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fabric_del(FABRIC);
	ASSERT_EQ(nl_with(ask_add, &spec, NULL, 0), 0);
}

FIXTURE_TEARDOWN(processes)
{
	fabric_del(FABRIC);
	munmap(self->all, sizeof(*self->all));
}

TEST_F(processes, four_a_node)
{
	pid_t pid[RANKS];
	unsigned int i;

	for (i = 0; i < RANKS; i++) {
		pid[i] = start();
		if (!pid[i]) {
			int ret = run(self->all, i);

			if (ret)
				__atomic_store_n(&self->all->failed, 1, __ATOMIC_SEQ_CST);
			_exit(ret);
		}
	}
	for (i = 0; i < RANKS; i++)
		EXPECT_EQ(0, status_of(pid[i]));
}

/*
 * A process is rejected with an error if another process has its place, or if the node has no such
 * place.
 */
TEST_F(processes, no_fifth)
{
	char said[1024];
	utofu_vcq_hdl_t vcq;
	pid_t first, second;

	first = start();
	if (!first) {
		be_rank(3);
		_exit(utofu_create_vcq(0, 0, &vcq) || !together(self->all, &self->all->ready) ||
		      !together(self->all, &self->all->done));
	}
	second = start();
	if (!second) {
		int ret;

		be_rank(3);
		if (!together(self->all, &self->all->ready))
			_exit(1);
		ret = utofu_create_vcq(0, 0, &vcq);
		together(self->all, &self->all->done);
		_exit(ret != UTOFU_ERR_NOT_AVAILABLE);
	}
	/* count the missing ranks as present */
	__atomic_fetch_add(&self->all->ready, RANKS - 2, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&self->all->done, RANKS - 2, __ATOMIC_SEQ_CST);
	EXPECT_EQ(0, status_of(second));
	__atomic_store_n(&self->all->failed, 1, __ATOMIC_SEQ_CST);
	EXPECT_EQ(0, status_of(first));
	first = start();
	if (!first) {
		be_rank(0);
		setenv("TORUS_GROUP", "4", 1);
		if (utofu_create_vcq(0, 0, &vcq) != UTOFU_ERR_FATAL)
			_exit(1);
		utofu_get_last_error(said);
		_exit(!says(said, "TORUS_GROUP 4"));
	}
	EXPECT_EQ(0, status_of(first));
}

TEST_HARNESS_MAIN

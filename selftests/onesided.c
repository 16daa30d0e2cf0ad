// SPDX-License-Identifier: GPL-2.0
/* One-sided communication between two processes through libtofucom. */
#include <sys/mman.h>
#include <utofu.h>
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC	"to"
#define STAG	3
#define BYTES	65536
#define LONG	5001	/* bytes; several packets */

struct onesided_shared {
	unsigned int step;
};

static unsigned char memory[BYTES] __attribute__((aligned(4096)));
static unsigned char source[BYTES] __attribute__((aligned(4096)));

static void be_at(const char *node)
{
	setenv("TORUS_FABRIC", FABRIC, 1);
	setenv("TORUS_NODE", node, 1);
}

static void step_to(struct onesided_shared *all, unsigned int step)
{
	__atomic_store_n(&all->step, step, __ATOMIC_SEQ_CST);
}

static void wait_for(struct onesided_shared *all, unsigned int step)
{
	while (__atomic_load_n(&all->step, __ATOMIC_SEQ_CST) < step)
		usleep(100);
}

static int next_mrq(utofu_vcq_hdl_t vcq, struct utofu_mrq_notice *notice)
{
	int ret;

	while ((ret = utofu_poll_mrq(vcq, 0, notice)) == UTOFU_ERR_NOT_FOUND)
		usleep(50);
	return ret;
}

static int next_tcq(utofu_vcq_hdl_t vcq, void **cbdata)
{
	int ret;

	while ((ret = utofu_poll_tcq(vcq, 0, cbdata)) == UTOFU_ERR_NOT_FOUND)
		usleep(50);
	return ret;
}

/*
 * Run the target at node 13: memory with a stag on TNI 1, component ID 2. Return: 0, or the number
 * of the failed step.
 */
static int target(struct onesided_shared *all)
{
	struct utofu_mrq_notice notice;
	uint8_t at[6] = { 0 };
	utofu_vcq_hdl_t vcq;
	utofu_vcq_id_t from;
	utofu_stadd_t stadd, read_only;
	int i;

	be_at("13");
	if (utofu_create_vcq_with_cmp_id(1, 2, 0, &vcq) ||
	    utofu_reg_mem_with_stag(vcq, memory, BYTES, STAG, 0, &stadd) ||
	    utofu_reg_mem_with_stag(vcq, source, BYTES, STAG + 1, UTOFU_REG_MEM_FLAG_READ_ONLY,
				    &read_only))
		return 1;
	step_to(all, 1);
	/* the put's notice has the STADD after the last byte, and arrives after all bytes */
	if (next_mrq(vcq, &notice) || notice.notice_type != UTOFU_MRQ_TYPE_RMT_PUT ||
	    notice.edata != 200 || notice.rmt_stadd != stadd + 7 + LONG)
		return 2;
	utofu_construct_vcq_id(at, 0, 0, 0, &from);
	if (notice.vcq_id != from)
		return 3;
	for (i = 0; i < LONG; i++)
		if (memory[7 + i] != (unsigned char)(i * 7 + 1))
			return 4;
	if (memory[6] || memory[7 + LONG])
		return 5;
	wait_for(all, 2);
	for (i = 0; i < 5; i++)
		if (memory[20000 + 100 * i] != (unsigned char)(100 * i * 7 + 1) ||
		    memory[20000 + 100 * i + 9] != (unsigned char)((100 * i + 9) * 7 + 1) ||
		    memory[20000 + 100 * i + 10])
			return 6;
	return source[0] ? 7 : utofu_dereg_mem(vcq, stadd, 0) || utofu_dereg_mem(vcq, read_only, 0);
}

FIXTURE(onesided)
{
	struct onesided_shared *all;
	pid_t pid;
	utofu_vcq_hdl_t vcq;
	utofu_vcq_id_t peer;
	utofu_stadd_t here, there;
};

FIXTURE_SETUP(onesided)
{
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 2, 1, 1 },
	};
	uint8_t at[6] = { 1, 0, 0, 1, 0, 0 };
	int i;

	self->all = mmap(NULL, sizeof(*self->all), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fabric_del(FABRIC);
	ASSERT_EQ(nl_with(ask_add, &spec, NULL, 0), 0);
	self->pid = start();
	if (!self->pid) {
		int ret = target(self->all);

		/* also after an early failure, wake processes that wait for a step of the target */
		step_to(self->all, 1000);
		_exit(ret);
	}
	be_at("0");
	for (i = 0; i < BYTES; i++)
		source[i] = (unsigned char)(i * 7 + 1);
	ASSERT_EQ(utofu_create_vcq(0, 0, &self->vcq), 0);
	ASSERT_EQ(utofu_reg_mem(self->vcq, source, BYTES, 0, &self->here), 0);
	/* without any exchange, the VCQ ID and the STADD are computed from known values */
	ASSERT_EQ(utofu_construct_vcq_id(at, 1, 0, 2, &self->peer), 0);
	ASSERT_EQ(utofu_query_stadd(self->peer, STAG, &self->there), 0);
	wait_for(self->all, 1);
}

FIXTURE_TEARDOWN(onesided)
{
	fabric_del(FABRIC);
}

TEST_F(onesided, put_get_atomics)
{
	const unsigned long local = UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE;
	unsigned char desc[64] __attribute__((aligned(8)));
	struct utofu_mrq_notice notice;
	utofu_stadd_t nowhere;
	uint64_t word;
	void *cbdata;
	size_t size;
	int i;

	/* a put with all its notices */
	ASSERT_EQ(utofu_put(self->vcq, self->peer, self->here, self->there + 7, LONG, 200,
			    local | UTOFU_ONESIDED_FLAG_TCQ_NOTICE |
			    UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE, &word), 0);
	EXPECT_EQ(next_tcq(self->vcq, &cbdata), 0);
	EXPECT_EQ(cbdata, &word);
	EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
	EXPECT_EQ(notice.notice_type, UTOFU_MRQ_TYPE_LCL_PUT);
	EXPECT_EQ(notice.vcq_id, self->peer);
	EXPECT_EQ(notice.rmt_stadd, self->there + 7 + LONG);
	/* get the data back */
	EXPECT_EQ(utofu_get(self->vcq, self->peer, self->here + 30001, self->there + 7, LONG, 1,
			    local, NULL), 0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
	EXPECT_EQ(notice.notice_type, UTOFU_MRQ_TYPE_LCL_GET);
	EXPECT_EQ(notice.lcl_stadd, self->here + 30001 + LONG);
	EXPECT_EQ(memcmp(source + 30001, source, LONG), 0);
	/* atomics on a word that a piggyback put has written */
	EXPECT_EQ(utofu_put_piggyback8(self->vcq, self->peer, 1000, self->there + 40000, 8, 0,
				       local, NULL), 0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
	EXPECT_EQ(utofu_armw8(self->vcq, self->peer, UTOFU_ARMW_OP_ADD, 24, self->there + 40000, 2,
			      local, NULL), 0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
	EXPECT_EQ(notice.notice_type, UTOFU_MRQ_TYPE_LCL_ARMW);
	EXPECT_EQ(notice.rmt_value, 1000);
	EXPECT_EQ(utofu_cswap8(self->vcq, self->peer, 1024, 5, self->there + 40000, 2, local, NULL),
		  0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
	EXPECT_EQ(notice.rmt_value, 1024);
	/* one prepared operation, posted three times */
	EXPECT_EQ(utofu_prepare_armw4(self->vcq, self->peer, UTOFU_ARMW_OP_ADD, 1,
				      self->there + 40000, 0, local, desc, &size), 0);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(utofu_post_toq(self->vcq, desc, size, NULL), 0);
		EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
		EXPECT_EQ(notice.rmt_value, 5 + i);
	}
	/* a strided put with a notice per block */
	EXPECT_EQ(utofu_put_stride(self->vcq, self->peer, self->here, self->there + 20000, 10, 100,
				   5, 0, local, NULL), 0);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(next_mrq(self->vcq, &notice), 0);
	EXPECT_EQ(utofu_nop(self->vcq, UTOFU_ONESIDED_FLAG_TCQ_NOTICE, &size), 0);
	EXPECT_EQ(next_tcq(self->vcq, &cbdata), 0);
	EXPECT_EQ(cbdata, &size);
	/* operations that fail are reported, and write nothing */
	utofu_query_stadd(self->peer, STAG + 2, &nowhere);
	EXPECT_EQ(utofu_put(self->vcq, self->peer, self->here, nowhere, 8, 0, 0, NULL), 0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), UTOFU_ERR_MRQ_RMT_STADD);
	utofu_query_stadd(self->peer, STAG + 1, &nowhere);
	EXPECT_EQ(utofu_put(self->vcq, self->peer, self->here, nowhere, 8, 0, 0, NULL), 0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), UTOFU_ERR_MRQ_RMT_MEMORY);
	EXPECT_EQ(utofu_put(self->vcq, self->peer, self->here, self->there + BYTES - 7, 8, 0, 0,
			    NULL), 0);
	EXPECT_EQ(next_mrq(self->vcq, &notice), UTOFU_ERR_MRQ_RMT_LENGTH);
	EXPECT_EQ(utofu_put(self->vcq, self->peer, self->here + BYTES, self->there, 1, 0, 0,
			    NULL), 0);
	EXPECT_EQ(next_tcq(self->vcq, &cbdata), UTOFU_ERR_TCQ_LENGTH);
	step_to(self->all, 2);
	EXPECT_EQ(status_of(self->pid), 0);
	EXPECT_EQ(utofu_free_vcq(self->vcq), 0);
}

TEST_HARNESS_MAIN

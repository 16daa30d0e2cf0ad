// SPDX-License-Identifier: GPL-2.0
/*
 * Operations of libtofucom that involve several engines or units: sessions whose steps pass all
 * engines, the last word of a put with strong order, and operations to a unit that fails.
 */
#include <utofu.h>
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC	"operationstest"
#define LOCAL	UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE
#define TNIS	4

static void be_at(const char *node)
{
	setenv("TORUS_FABRIC", FABRIC, 1);
	setenv("TORUS_NODE", node, 1);
}

static int next_mrq(utofu_vcq_hdl_t vcq, struct utofu_mrq_notice *notice)
{
	double until = now_s() + WAIT_MS / 1000;
	int ret;

	while ((ret = utofu_poll_mrq(vcq, 0, notice)) == UTOFU_ERR_NOT_FOUND && now_s() < until)
		usleep(50);
	return ret;
}

FIXTURE(operations)
{
	int *step;
};

FIXTURE_SETUP(operations)
{
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 2, 1, 1 },
	};

	self->step = shared_alloc(sizeof(*self->step));
	fabric_del(FABRIC);
	ASSERT_EQ(0, nl_with(ask_add, &spec, NULL, 0));
}

FIXTURE_TEARDOWN(operations)
{
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* ------------------------------------------------------------------- sessions */

#define BLOCKS	100u	/* more than an engine accepts at a time */
#define BLOCK	8u

static unsigned char buffer[TNIS + 1][BLOCKS * BLOCK] __attribute__((aligned(256)));

struct tni_ring {
	utofu_vcq_hdl_t session[TNIS], plain[TNIS];
	utofu_vcq_id_t id[TNIS];
	utofu_stadd_t stadd[TNIS], from;
};

/* Create on each TNI a session with registered memory, and a plain VCQ. */
static int make_ring(struct tni_ring *r)
{
	unsigned int i;

	for (i = 0; i < TNIS; i++)
		if (utofu_create_vcq((utofu_tni_id_t)i, UTOFU_VCQ_FLAG_SESSION_MODE,
				     &r->session[i]) ||
		    utofu_create_vcq((utofu_tni_id_t)i, 0, &r->plain[i]) ||
		    utofu_query_vcq_id(r->session[i], &r->id[i]) ||
		    utofu_reg_mem(r->session[i], buffer[i], sizeof(buffer[i]), 0, &r->stadd[i]))
			return -1;
	return utofu_reg_mem(r->plain[0], buffer[TNIS], sizeof(buffer[TNIS]), 0, &r->from);
}

TEST_F(operations, sessions)
{
	const unsigned long flags = UTOFU_ONESIDED_FLAG_STRONG_ORDER | UTOFU_ONESIDED_FLAG_SPS(1);
	volatile unsigned char *last = &buffer[TNIS - 1][BLOCKS * BLOCK - 1];
	struct utofu_mrq_notice notice;
	double until = now_s() + WAIT_MS / 1000;
	struct tni_ring r;
	unsigned int i;
	void *cbdata;

	be_at("0");
	ASSERT_EQ(0, make_ring(&r));
	for (i = 0; i < sizeof(buffer[TNIS]); i++)
		buffer[TNIS][i] = (unsigned char)(i * 5 + 1);
	for (i = 0; i < TNIS - 1; i++)
		ASSERT_EQ(0, utofu_put_stride(r.session[i], r.id[i + 1], r.stadd[i], r.stadd[i + 1],
					      BLOCK, BLOCK, BLOCKS, 0, flags, NULL));
	/* the waiting sessions do not block other operations of their TNIs */
	for (i = 0; i < TNIS; i++) {
		ASSERT_EQ(0, utofu_put_piggyback8(r.plain[i], r.id[3], i, r.stadd[3], BLOCK,
						  i, LOCAL, NULL));
		ASSERT_EQ(0, next_mrq(r.plain[i], &notice));
		EXPECT_EQ(i, notice.edata);
	}
	for (i = 0; i < BLOCK; i++)
		EXPECT_EQ(i ? 0 : 3, buffer[3][i]);
	for (i = BLOCK; i < sizeof(buffer[3]); i++)
		ASSERT_EQ(0, buffer[3][i]);
	ASSERT_EQ(0, utofu_put_stride(r.plain[0], r.id[0], r.from, r.stadd[0], BLOCK, BLOCK, BLOCKS,
				      0, flags, NULL));
	/* when the last word has arrived, so have all words before it */
	while (*last != buffer[TNIS][sizeof(buffer[TNIS]) - 1] && now_s() < until)
		for (i = 0; i < TNIS; i++)
			utofu_poll_tcq(r.session[i], 0, &cbdata);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (i = 0; i < TNIS; i++)
		EXPECT_EQ(0, memcmp(buffer[i], buffer[TNIS], sizeof(buffer[TNIS])));
	for (i = 0; i < TNIS; i++) {
		EXPECT_EQ(0, utofu_free_vcq(r.session[i]));
		EXPECT_EQ(0, utofu_free_vcq(r.plain[i]));
	}
}

/* ------------------------------------------------------------------- lost ones */

#define SLOTS	32u
#define SLOT	12000u	/* bytes: seven packets */
#define STAG	3u

/*
 * Run the target at node 12, unit 1,0,0,0. It registers memory that it shares with the sending
 * process. Return: 0 or 1.
 */
static int target(int *step, unsigned char *memory)
{
	utofu_vcq_hdl_t vcq;
	utofu_stadd_t stadd;

	be_at("12");
	if (utofu_create_vcq_with_cmp_id(1, 2, 0, &vcq) ||
	    utofu_reg_mem_with_stag(vcq, memory, SLOTS * SLOT, STAG, 0, &stadd))
		return 1;
	__atomic_store_n(step, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(step, __ATOMIC_SEQ_CST) == 1)
		usleep(1000);
	return 0;
}

/**
 * struct sender - process that puts data to a unit that fails
 * @vcq: its own VCQ
 * @peer: VCQ ID of the target
 * @here: STADD of the source data
 * @there: STADD of the target's memory
 * @memory: the target's memory, shared with this process
 * @source: source data
 * @busy: per slot: an operation is in progress
 * @posted: number of attempts to post an operation
 * @open: operations in progress
 * @fine: operations that completed successfully
 * @lost: operations that ended with UTOFU_ERR_MRQ_PEER
 * @wrong: unexpected notices and wrong data
 */
struct sender {
	utofu_vcq_hdl_t vcq;
	utofu_vcq_id_t peer;
	utofu_stadd_t here, there;
	unsigned char *memory, *source;
	bool busy[SLOTS];
	unsigned int posted, open, fine, lost, wrong;
};

static void put_one(struct sender *s, unsigned int slot)
{
	if (s->busy[slot])
		return;
	memset(s->source + slot * SLOT, (int)++s->posted, SLOT);
	if (utofu_put(s->vcq, s->peer, s->here + slot * SLOT, s->there + slot * SLOT, SLOT, slot,
		      LOCAL, NULL))
		return;
	s->busy[slot] = true;
	s->open++;
}

/*
 * Poll notices. Each operation must complete once, and successfully only if all bytes have arrived.
 */
static void hear(struct sender *s)
{
	struct utofu_mrq_notice notice;
	unsigned int slot;
	void *cbdata;
	int ret;

	while (utofu_poll_tcq(s->vcq, 0, &cbdata) != UTOFU_ERR_NOT_FOUND)
		;
	while ((ret = utofu_poll_mrq(s->vcq, 0, &notice)) != UTOFU_ERR_NOT_FOUND) {
		slot = (unsigned int)notice.edata % SLOTS;
		if (!s->busy[slot] || notice.notice_type != UTOFU_MRQ_TYPE_LCL_PUT)
			s->wrong++;
		else if (ret == UTOFU_ERR_MRQ_PEER)
			s->lost++;
		else if (ret || memcmp(s->source + slot * SLOT, s->memory + slot * SLOT, SLOT))
			s->wrong++;
		else
			s->fine++;
		s->open -= s->busy[slot];
		s->busy[slot] = false;
	}
}

/*
 * Post puts while @command runs, at least one per slot, and wait until all operations have
 * completed. Return: the wait status of the command.
 */
static int put_while(struct sender *s, const char *command)
{
	double until = now_s() + WAIT_MS / 1000;
	pid_t child = fork();
	int status = -1;
	bool over = false;
	unsigned int i;

	if (!child)
		_exit(system(command) ? 1 : 0);
	while ((!over || s->open) && now_s() < until) {
		for (i = 0; i < SLOTS && !over; i++)
			put_one(s, i);
		over = over || waitpid(child, &status, WNOHANG) == child;
		hear(s);
		usleep(100);
	}
	return status;
}

/*
 * Each operation to a failed unit completes. When the unit is back, operations succeed, and no slot
 * is lost.
 */
TEST_F(operations, lost)
{
	struct sender s = {
		.memory = shared_alloc(SLOTS * SLOT), .source = shared_alloc(SLOTS * SLOT),
	};
	uint8_t at[6] = { 1, 0, 0, 0, 0, 0 };
	unsigned int lost, fine, i;
	pid_t pid = start();

	if (!pid)
		_exit(target(self->step, s.memory));
	be_at("0");
	ASSERT_EQ(0, utofu_create_vcq(0, 0, &s.vcq));
	ASSERT_EQ(0, utofu_reg_mem(s.vcq, s.source, SLOTS * SLOT, 0, &s.here));
	ASSERT_EQ(0, utofu_construct_vcq_id(at, 1, 0, 2, &s.peer));
	ASSERT_EQ(0, utofu_query_stadd(s.peer, STAG, &s.there));
	while (!__atomic_load_n(self->step, __ATOMIC_SEQ_CST) && !waitpid(pid, NULL, WNOHANG))
		usleep(1000);
	ASSERT_EQ(0, put_while(&s, "for i in 1 2 3; do sleep 0.1; "
			       "torusctl unit fail " FABRIC " 1,0,0,0 && sleep 0.1 && "
			       "torusctl unit in " FABRIC " 1,0,0,0 timeout 20000 || "
			       "exit 1; done"));
	EXPECT_EQ(0, s.open);
	EXPECT_EQ(0, s.wrong);
	EXPECT_GT(s.lost, 0);
	EXPECT_GT(s.fine, 0);
	TH_LOG("%u of %u operations lost", s.lost, s.lost + s.fine);
	lost = s.lost;
	for (i = 0; i < 4; i++) {
		fine = s.fine;
		ASSERT_EQ(0, put_while(&s, "true"));
		EXPECT_GT(s.fine, fine);
	}
	EXPECT_EQ(lost, s.lost);
	EXPECT_EQ(0, s.open);
	EXPECT_EQ(0, s.wrong);
	__atomic_store_n(self->step, 2, __ATOMIC_SEQ_CST);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, utofu_free_vcq(s.vcq));
}

TEST_HARNESS_MAIN

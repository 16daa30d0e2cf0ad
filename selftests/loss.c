// SPDX-License-Identifier: GPL-2.0
/*
 * Messages to a rank that is gone end with an error that names the rank. Contexts used where they
 * do not belong are rejected: by a second job, in a forked child; other namespaces work.
 */
#include "device.h"
#include <signal.h>
#include <torus/collective.h>
#include "kselftest_harness.h"

#define FABRIC	"losstest"
#define KEY	0x105eu
#define KILLS	100
#define RANK_1	"rank 1 node 1,0,0 group 0"	/* words of an error message about rank 1 */
#define LENGTH	400000u		/* bytes; far more than rings and FIFOs can hold */

static const __u32 shape[3] = { 2, 2, 1 };
static const struct torus_member members[2] = { { 0, 0 }, { 1, 0 } };
static const struct torus_attach_config rings = { .inject_chunks = 64, .receive_chunks = 64 };

struct loss_shared {
	int open;
	int turn;
};

FIXTURE(loss)
{
	struct loss_shared *shared;
	struct torus_context *context;
	struct torus_job *job;
};

FIXTURE_SETUP(loss)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->context, FABRIC, 0, &rings));
}

FIXTURE_TEARDOWN(loss)
{
	torus_job_close(self->job);
	torus_context_detach(self->context);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static void must(const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "# %s: %s\n", what, torus_error_text());
	_exit(1);
}

static void rank_open(__u32 rank, struct torus_context **context, struct torus_job **job)
{
	const struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .timeout_ms = WAIT_MS,
	};

	if (!*context)
		must("attach", torus_context_attach(context, FABRIC, rank, &rings));
	must("open", torus_job_open(job, *context, &config));
}

/* Run rank 1: poll @looks times, then read nothing more until it is killed. */
static void reader(struct loss_shared *shared, unsigned int looks)
{
	struct torus_context *context = NULL;
	struct torus_job *job;

	rank_open(1, &context, &job);
	__atomic_store_n(&shared->open, 1, __ATOMIC_RELEASE);
	while (looks--) {
		must("progress", torus_job_progress(job));
		usleep(200);
	}
	for (;;)
		pause();
}

static void killer(struct loss_shared *shared, pid_t pid, unsigned int delay_us)
{
	while (!__atomic_load_n(&shared->open, __ATOMIC_ACQUIRE))
		usleep(500);
	usleep(delay_us);
	kill(pid, SIGKILL);
	_exit(0);
}

TEST_F(loss, a_hundred_kills)
{
	static unsigned char bytes[LENGTH];
	unsigned int round, in_send = 0;
	pid_t pid, axe;
	double begin;
	int ret;

	srandom(7);
	for (round = 0; round < KILLS; round++) {
		unsigned int looks = random() % 60, delay = random() % 40000;

		self->shared->open = 0;
		pid = start();
		if (!pid)
			reader(self->shared, looks);
		axe = start();
		if (!axe)
			killer(self->shared, pid, delay);
		rank_open(0, &self->context, &self->job);
		begin = now_s();
		ret = torus_message_send(self->job, 1, round, bytes, sizeof(bytes));
		in_send += ret != 0;
		if (!ret)
			ret = torus_message_flush(self->job, WAIT_MS);
		EXPECT_EQ(-ENOTCONN, ret) {
			TH_LOG("round %u: %s", round, torus_error_text());
		}
		EXPECT_SAYS(torus_error_text(), RANK_1);
		EXPECT_GT(begin + WAIT_MS / 1000., now_s());
		/* Once the rank is known to be gone, each call fails at once. */
		EXPECT_EQ(-ENOTCONN, torus_message_send(self->job, 1, 0, bytes, 1));
		EXPECT_EQ(-ENOTCONN, torus_message_start(self->job, 1, 0, bytes, 1, NULL));
		EXPECT_EQ(256 + SIGKILL, status_of(pid));
		EXPECT_EQ(0, status_of(axe));
		torus_job_close(self->job);
		self->job = NULL;
		if (!_metadata->passed)
			break;
	}
	TH_LOG("%u sends failed, %u flushes: %s", in_send, round - in_send, torus_error_text());
}

/*
 * Collective operations end with an error when a member is gone, and the error message of a wait
 * names the member.
 */
TEST_F(loss, a_waiting_sender_is_notified)
{
	struct torus_message_info info;
	__u32 sum = 1;
	char in[8];
	pid_t pid;

	pid = start();
	if (!pid)
		reader(self->shared, 0);
	rank_open(0, &self->context, &self->job);
	/*
	 * The message fits into the reception ring of a living rank, even if the rank does not
	 * read.
	 */
	EXPECT_EQ(0, torus_message_send(self->job, 1, 1, "small", 6));
	EXPECT_EQ(0, torus_message_flush(self->job, WAIT_MS));
	EXPECT_EQ(-EAGAIN, torus_message_receive(self->job, 1, 2, in, sizeof(in), &info, 0));
	EXPECT_SAYS(torus_error_text(), "message");
	EXPECT_EQ(-ETIMEDOUT, torus_message_receive(self->job, 1, 2, in, sizeof(in), &info, 200));
	EXPECT_SAYS(torus_error_text(), "tag 2 200 ms " RANK_1);
	kill(pid, SIGKILL);
	EXPECT_EQ(256 + SIGKILL, status_of(pid));
	EXPECT_EQ(-ETIMEDOUT, torus_message_receive(self->job, 1, 2, in, sizeof(in), &info, 200));
	EXPECT_SAYS(torus_error_text(), "tag 2 200 ms " RANK_1);
	/* the library knows now that the rank is gone, and sends nothing more to it */
	EXPECT_EQ(-ENOTCONN, torus_message_receive(self->job, 1, 2, in, sizeof(in), &info, 200));
	EXPECT_EQ(-ENOTCONN, torus_job_barrier(self->job, -1));
	EXPECT_SAYS(torus_error_text(), RANK_1);
	EXPECT_EQ(-ENOTCONN, torus_allreduce(self->job, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &sum,
					     &sum, 1, -1));
	EXPECT_EQ(0, torus_message_flush(self->job, WAIT_MS));
}

/*
 * A wait without a time limit delivers messages that were sent before the sender's death, and then
 * fails.
 */
TEST_F(loss, a_wait_for_who_has_left)
{
	struct torus_context *context = NULL;
	struct torus_job *job;
	char in[8];
	pid_t pid;

	pid = start();
	if (!pid) {
		rank_open(1, &context, &job);
		must("send", torus_message_send(job, 0, 2, "bye", 4));
		must("flush", torus_message_flush(job, WAIT_MS));
		kill(getpid(), SIGKILL);
	}
	rank_open(0, &self->context, &self->job);
	EXPECT_EQ(0, torus_message_receive(self->job, 1, 2, in, sizeof(in), NULL, -1));
	EXPECT_STREQ("bye", in);
	EXPECT_EQ(-ENOTCONN, torus_message_receive(self->job, 1, 2, in, sizeof(in), NULL, -1));
	EXPECT_SAYS(torus_error_text(), "process " RANK_1);
	EXPECT_EQ(-ENOTCONN, torus_message_receive(self->job, TORUS_MESSAGE_ANY, 2, in, sizeof(in),
						   NULL, -1));
	EXPECT_EQ(256 + SIGKILL, status_of(pid));
}

TEST_F(loss, who_never_came)
{
	const struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .timeout_ms = 300,
	};

	EXPECT_EQ(-ETIMEDOUT, torus_job_open(&self->job, self->context, &config));
	self->job = NULL;
	EXPECT_SAYS(torus_error_text(), "job " RANK_1);
}

TEST_F(loss, a_second_job)
{
	struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .unconnected = true,
	};
	struct torus_job *second;

	ASSERT_EQ(0, torus_job_open(&self->job, self->context, &config));
	EXPECT_EQ(-EBUSY, torus_job_open(&second, self->context, &config));
	EXPECT_SAYS(torus_error_text(), "node 0 group " FABRIC " job key 0x105e");
	torus_job_close(self->job);
	self->job = NULL;
	EXPECT_EQ(0, torus_job_open(&self->job, self->context, &config));
}

TEST_F(loss, a_forked_child)
{
	const struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .unconnected = true,
	};
	struct torus_interrupts interrupts;
	unsigned char packet[64] = { 0 };
	struct torus_view view;
	struct torus_job *job;
	pid_t pid;

	ASSERT_EQ(0, torus_job_open(&self->job, self->context, &config));
	pid = fork();
	if (!pid) {
		job = self->job;
#define CHILD(call)								\
		do {								\
			if ((call) != -ECHILD ||				\
			    !says(torus_error_text(), "forked")) {	 \
				fprintf(stderr, "# %s: %s\n", #call, torus_error_text()); \
				_exit(1);					\
			}							\
		} while (0)
		CHILD(torus_message_send(job, 1, 0, "x", 1));
		CHILD(torus_message_receive(job, 1, 0, packet, 1, NULL, 100));
		CHILD(torus_message_flush(job, 100));
		CHILD(torus_job_barrier(job, 100));
		CHILD(torus_job_progress(job));
		CHILD(torus_receive_poll(self->context, 0, packet, 64));
		CHILD(torus_receive_peek(self->context, TORUS_FIFO_ANY, &view));
		CHILD(torus_receive_wait(self->context, TORUS_FIFO_ANY, 100));
		CHILD(torus_receive_watermark(self->context, 0, 1));
		CHILD(torus_inject_raw(self->context, 0, packet, 1));
		CHILD(torus_inject_room(self->context, 0));
		CHILD(torus_inject_idle(self->context));
		CHILD(torus_inject_ended(self->context));
		CHILD(torus_inject_want(self->context, 0, 1));
		CHILD(torus_inject_refused(self->context, NULL));
		CHILD(torus_interrupts_take(self->context, &interrupts));
		CHILD(torus_context_check(self->context));
		CHILD(torus_context_fullness(self->context, 0, packet));
		torus_job_close(job);
		torus_context_detach(self->context);
		_exit(0);
	}
	EXPECT_EQ(0, status_of(pid));
	/* The parent's context is unchanged. */
	EXPECT_EQ(1, torus_inject_idle(self->context));
}

/*
 * Run a rank in new network, IPC and mount namespaces: ranks communicate through /dev/torus only.
 */
static void elsewhere(__u32 rank, int fd)
{
	struct torus_attach_config attach = rings;
	const struct torus_job_config config = {
		.key = KEY, .members = members, .count = 2, .timeout_ms = WAIT_MS,
	};
	struct torus_context *context;
	__u32 sum = rank + 1;
	struct torus_job *job;

	if (unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS)) {
		perror("# unshare");
		_exit(4);
	}
	attach.fd = fd;
	must("attach", torus_context_attach(&context, FABRIC, rank, &attach));
	must("open", torus_job_open(&job, context, &config));
	must("allreduce", torus_allreduce(job, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &sum, &sum, 1,
					  WAIT_MS));
	must("flush", torus_message_flush(job, WAIT_MS));
	torus_job_close(job);
	torus_context_detach(context);
	_exit(sum == 3 ? 0 : 2);
}

TEST_F(loss, other_namespaces)
{
	pid_t pid[2];
	__u32 rank;
	int fd;

	torus_context_detach(self->context);
	self->context = NULL;
	for (rank = 0; rank < 2; rank++) {
		fd = open(DEVICE, O_RDWR | O_CLOEXEC);
		ASSERT_LE(0, fd);
		pid[rank] = start();
		if (!pid[rank])
			elsewhere(rank, fd);
		close(fd);
	}
	for (rank = 0; rank < 2; rank++)
		EXPECT_EQ(0, status_of(pid[rank]));
}

TEST_HARNESS_MAIN

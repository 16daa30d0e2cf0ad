// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual node mode: two processes on one node with a FIFO group each. No process receives packets
 * of the other group, and a killed process does not disturb the other one. Priority packets need
 * permission.
 */
#include "device.h"
#include <signal.h>
#include "kselftest_harness.h"

#define FABRIC	"groupstest"
#define GROUPS	2
#define SENDERS	3
/* packets from each sender to each group, and answers from each group to each sender */
#define EACH	1500
#define NOBODY	65534

static const __u32 shape[3] = { 4, 4, 2 };
static const __u32 center[3] = { 1, 1, 0 };
static const __u32 sender_at[SENDERS][3] = { { 0, 0, 0 }, { 3, 2, 1 }, { 2, 1, 0 } };

static __u32 number(const __u32 at[3])
{
	return at[0] + shape[0] * (at[1] + shape[1] * at[2]);
}

/* Content of a packet after its header. */
struct tag {
	__u32 from;		/* sender, or SENDERS + group of the answering process */
	__u32 group;		/* destination group */
	__u32 id;
	__u32 size;		/* bytes of the packet */
};

struct groups_shared {
	int attached;
	int done;
	__u32 sent;
	__u32 answers[GROUPS];
};

FIXTURE(groups)
{
	struct groups_shared *shared;
};

FIXTURE_SETUP(groups)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
}

FIXTURE_TEARDOWN(groups)
{
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static void must(const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "# %s: %s\n", what, torus_error_text());
	_exit(1);
}

static void fail(const char *what, const struct tag *tag)
{
	fprintf(stderr, "# %s: packet %u of %u to group %u\n", what, tag->id, tag->from,
		tag->group);
	_exit(2);
}

static unsigned char filler(const struct tag *tag, size_t i)
{
	return (unsigned char)(tag->from * 89 + tag->group * 157 + tag->id * 7 + i * 3);
}

static void tagged(unsigned char *packet, const struct tag *tag, const __u32 dest[3],
		   enum torus_route how)
{
	struct torus_bgl_header header;
	size_t i;

	torus_bgl_header_init(&header, how, dest, tag->group, tag->size);
	must("header", torus_bgl_header_build(packet, &header));
	memcpy(packet + 8, tag, sizeof(*tag));
	for (i = 8 + sizeof(*tag); i < tag->size; i++)
		packet[i] = filler(tag, i);
}

/* Check a packet received by a process of @group: group, length and every byte. */
static struct tag judged(const unsigned char *packet, int bytes, __u32 group)
{
	struct torus_bgl_header header;
	struct tag tag;
	size_t i;

	memcpy(&tag, packet + 8, sizeof(tag));
	torus_bgl_header_parse(packet, &header);
	if (tag.group != group || header.group != group)
		fail("another group's packet", &tag);
	if (tag.size != (__u32)bytes)
		fail("another length", &tag);
	for (i = 8 + sizeof(tag); i < tag.size; i++) {
		if (packet[i] != filler(&tag, i))
			fail("another byte", &tag);
	}
	return tag;
}

static struct torus_context *attach(const __u32 at[3], __u32 group)
{
	const struct torus_attach_config config = { .group = group };
	struct torus_context *context;

	must("attach", torus_context_attach(&context, FABRIC, number(at), &config));
	return context;
}

static void wait_for(const int *counter, int value)
{
	while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < value)
		usleep(500);
}

static void arrive(int *counter, int value)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL);
	wait_for(counter, value);
}

/* Send packets to both groups of the center node, and receive the answers of both. */
static void sender(struct groups_shared *shared, __u32 me)
{
	struct torus_context *context = attach(sender_at[me], 0);
	__u32 sent = 0, got[GROUPS] = { 0 };
	unsigned char packet[256], in[256];
	bool ready = false;
	struct tag tag;
	int bytes;

	arrive(&shared->attached, SENDERS + GROUPS);
	while (sent < GROUPS * EACH || got[0] < EACH || got[1] < EACH) {
		bool moved = false;

		if (sent < GROUPS * EACH && !ready) {
			/*
			 * select the group by a hash of the number, so that groups alternate
			 * irregularly
			 */
			tag = (struct tag){
				.from = me, .group = (sent * 0x9e3779b1u >> 30 & 1) ^ (sent & 1),
				.id = sent, .size = 32 + sent % 8 * 32,
			};
			tagged(packet, &tag, center, TORUS_ROUTE_DYNAMIC);
			ready = true;
		}
		if (ready) {
			int ret = torus_inject_try(context, TORUS_FIFO_ANY, packet, tag.size);

			if (ret && ret != -EAGAIN)
				must("inject", ret);
			if (!ret) {
				sent++;
				ready = false;
				moved = true;
			}
		}
		while ((bytes = torus_receive_poll(context, TORUS_FIFO_ANY, in,
						   sizeof(in))) > 0) {
			struct tag answer = judged(in, bytes, 0);

			moved = true;
			if (answer.from < SENDERS || answer.from >= SENDERS + GROUPS)
				fail("not an answer", &answer);
			/* answers use ordered routing: they must arrive in order */
			if (answer.id != got[answer.from - SENDERS]++)
				fail("an answer out of order", &answer);
		}
		if (bytes != -EAGAIN)
			must("receive", bytes);
		if (!moved)
			sched_yield();
	}
	arrive(&shared->done, SENDERS + GROUPS);
	_exit(torus_receive_poll(context, TORUS_FIFO_ANY, in, sizeof(in)) == -EAGAIN ? 0 : 3);
}

/* Return: the number of a sender's packets to @group. */
static __u32 share(__u32 group)
{
	__u32 i, n = 0;

	for (i = 0; i < GROUPS * EACH; i++)
		n += ((i * 0x9e3779b1u >> 30 & 1) ^ (i & 1)) == group;
	return n;
}

/* Run a process of the center node: receive each packet of its group once, and send answers. */
static void receiver(struct groups_shared *shared, __u32 group)
{
	static unsigned char seen[SENDERS][GROUPS * EACH];
	struct torus_context *context = attach(center, group);
	__u32 got = 0, expected = SENDERS * share(group), answered = 0, next[SENDERS] = { 0 };
	unsigned char packet[256], in[256];
	struct tag tag;
	int bytes, ret;

	arrive(&shared->attached, SENDERS + GROUPS);
	while (got < expected || answered < SENDERS * EACH) {
		bool moved = false;

		bytes = torus_receive_poll(context, TORUS_FIFO_ANY, in, sizeof(in));
		if (bytes > 0) {
			tag = judged(in, bytes, group);
			if (tag.from >= SENDERS || tag.id >= GROUPS * EACH)
				fail("from nowhere", &tag);
			if (seen[tag.from][tag.id]++)
				fail("twice", &tag);
			got++;
			moved = true;
		} else if (bytes != -EAGAIN) {
			must("receive", bytes);
		}
		if (answered < SENDERS * EACH) {
			__u32 to = answered % SENDERS;
			struct tag answer = {
				.from = SENDERS + group, .group = 0, .id = next[to],
				.size = 32 + (next[to] + group) % 8 * 32,
			};

			tagged(packet, &answer, sender_at[to], TORUS_ROUTE_ORDERED);
			ret = torus_inject_try(context, 0, packet, answer.size);
			if (!ret) {
				next[to]++;
				answered++;
				moved = true;
			} else if (ret != -EAGAIN) {
				must("inject", ret);
			}
		}
		if (!moved)
			sched_yield();
	}
	__atomic_store_n(&shared->answers[group], answered, __ATOMIC_RELAXED);
	arrive(&shared->done, SENDERS + GROUPS);
	_exit(torus_receive_poll(context, TORUS_FIFO_ANY, in, sizeof(in)) == -EAGAIN ? 0 : 3);
}

TEST_F(groups, share_a_node)
{
	struct torus_fabric_counters counters;
	pid_t pids[SENDERS + GROUPS];
	__u32 i;

	ASSERT_EQ(GROUPS * EACH, share(0) + share(1));
	for (i = 0; i < SENDERS + GROUPS; i++) {
		pids[i] = start();
		if (!pids[i] && i < SENDERS)
			sender(self->shared, i);
		if (!pids[i])
			receiver(self->shared, i - SENDERS);
	}
	for (i = 0; i < SENDERS + GROUPS; i++)
		EXPECT_EQ(0, status_of(pids[i]));
	EXPECT_EQ(SENDERS * EACH, self->shared->answers[0]);
	EXPECT_EQ(SENDERS * EACH, self->shared->answers[1]);
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(2 * SENDERS * GROUPS * EACH, counters.delivered);
	EXPECT_EQ(0, counters.dropped[TORUS_DROP_NO_LISTENER]);
	TH_LOG("%u packets to group 0, %u to group 1, %u answers of each",
	       SENDERS * share(0), SENDERS * share(1), SENDERS * EACH);
}

/* Send packets 0, 1, .. in order to the same group of the neighbour. */
static void stream(struct groups_shared *shared, __u32 group, __u32 count)
{
	struct torus_context *context = attach(center, group);
	unsigned char packet[256];
	struct tag tag = { .from = SENDERS + group, .group = group, .size = 256 };

	for (tag.id = 0; tag.id < count; tag.id++) {
		tagged(packet, &tag, sender_at[2], TORUS_ROUTE_ORDERED);
		must("inject", torus_inject_packet(context, 0, packet, sizeof(packet), -1));
		if (!group)
			__atomic_store_n(&shared->sent, tag.id + 1, __ATOMIC_RELEASE);
	}
	while (!torus_inject_idle(context))
		usleep(500);
	_exit(0);
}

/*
 * Receive the next packet of a stream at the neighbour's @group. Return: false if no packet has
 * arrived.
 */
static bool stream_next(struct __test_metadata *_metadata, struct torus_context *context,
			__u32 group, __u32 *next)
{
	unsigned char packet[256];
	struct tag tag;
	int bytes = torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet));

	if (bytes == -EAGAIN)
		return false;
	EXPECT_EQ(256, bytes);
	memcpy(&tag, packet + 8, sizeof(tag));
	EXPECT_EQ(SENDERS + group, tag.from);
	EXPECT_EQ(group, tag.group);
	EXPECT_EQ(*next, tag.id);
	(*next)++;
	return true;
}

#define ROUNDS		8
#define STREAM		1200

/* Kill one process of a node while it sends; the other one sends all its packets. */
TEST_F(groups, one_is_killed)
{
	const struct torus_attach_config config[GROUPS] = { { .group = 0 }, { .group = 1 } };
	struct torus_context *to[GROUPS], *back;
	__u32 next[GROUPS], sent, total = 0;
	pid_t pids[GROUPS];
	int round;

	for (round = 0; round < GROUPS; round++)
		ASSERT_EQ(0, torus_context_attach(&to[round], FABRIC, number(sender_at[2]),
						  &config[round]));
	for (round = 0; round < ROUNDS; round++) {
		__u32 g, victim_at = 30 + round * 25;
		bool killed = false;
		int status = -1;

		self->shared->sent = 0;
		for (g = 0; g < GROUPS; g++) {
			next[g] = 0;
			pids[g] = start();
			if (!pids[g])
				stream(self->shared, g, g ? STREAM : ~0u);
		}
		while (next[1] < STREAM || !killed) {
			for (g = 0; g < GROUPS; g++) {
				while (stream_next(_metadata, to[g], g, &next[g]))
					;
			}
			if (!killed && __atomic_load_n(&self->shared->sent, __ATOMIC_ACQUIRE) >=
				       victim_at) {
				kill(pids[0], SIGKILL);
				EXPECT_EQ(256 + SIGKILL, status_of(pids[0]));
				killed = true;
			}
			sched_yield();
		}
		status = status_of(pids[1]);
		EXPECT_EQ(0, status);
		/* Attaching to the killed process's group waits until the group is empty. */
		ASSERT_EQ(0, torus_context_attach(&back, FABRIC, number(center), &config[0]));
		torus_context_detach(back);
		sent = __atomic_load_n(&self->shared->sent, __ATOMIC_ACQUIRE);
		while (next[0] < sent)
			stream_next(_metadata, to[0], 0, &next[0]);
		/* One more packet may have been in the ring without being counted. */
		EXPECT_GE(sent + 1, next[0]);
		EXPECT_EQ(STREAM, next[1]);
		total += next[0];
	}
	TH_LOG("%u packets of those that were killed, %u of those that were not", total,
	       ROUNDS * STREAM);
	for (round = 0; round < GROUPS; round++)
		torus_context_detach(to[round]);
}

/*
 * Send one packet. Return: its TORUS_REFUSE_* code, 0 if it arrives, or -1 after another failure.
 * @at: [out] reception FIFO of its arrival
 */
static int fate(struct torus_context *from, struct torus_context *to, int fifo,
		enum torus_route how, unsigned int *at)
{
	double until = now_s() + WAIT_MS / 1000;
	struct torus_refusal refusal = { 0 };
	unsigned char packet[64], got[64];
	struct torus_view view;

	if (packet_make(packet, sizeof(packet), sender_at[2], how, 7) ||
	    torus_inject_packet(from, fifo, packet, sizeof(packet), WAIT_MS))
		return -1;
	while (now_s() < until) {
		if (torus_inject_refused(from, &refusal) > 0)
			return refusal.code;
		if (!torus_receive_peek(to, TORUS_FIFO_ANY, &view)) {
			*at = view.fifo;
			torus_view_copy(&view, 0, got, sizeof(got));
			torus_receive_advance(to, &view);
			return packet_right(got, sizeof(got)) ? 0 : -1;
		}
		sched_yield();
	}
	return -1;
}

/*
 * A normal FIFO takes no priority packets, even with permission. The priority FIFO takes only
 * priority packets, and only with permission.
 */
TEST_F(groups, priority_is_a_right)
{
	const struct torus_attach_config with = { .priority = true, .group = 1 };
	struct torus_context *plain, *priority, *to;
	unsigned int at = 99;
	int i;

	ASSERT_EQ(0, torus_context_attach(&to, FABRIC, number(sender_at[2]), NULL));
	ASSERT_EQ(0, torus_context_attach(&plain, FABRIC, number(center), NULL));
	ASSERT_EQ(0, torus_context_attach(&priority, FABRIC, number(center), &with));
	EXPECT_EQ(0, torus_context_info(plain)->features & TORUS_FEATURE_PRIORITY);
	EXPECT_NE(0, torus_context_info(priority)->features & TORUS_FEATURE_PRIORITY);
	for (i = 0; i < TORUS_BGL_INJECT_PRIORITY; i++) {
		EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(plain, to, i, TORUS_ROUTE_PRIORITY, &at));
		EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(priority, to, i, TORUS_ROUTE_PRIORITY, &at));
		EXPECT_EQ(0, fate(plain, to, i, TORUS_ROUTE_ORDERED, &at));
		EXPECT_NE(TORUS_BGL_RECEIVE_PRIORITY, at);
	}
	i = TORUS_BGL_INJECT_PRIORITY;
	EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(plain, to, i, TORUS_ROUTE_PRIORITY, &at));
	EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(plain, to, i, TORUS_ROUTE_ORDERED, &at));
	EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(plain, to, i, TORUS_ROUTE_DYNAMIC, &at));
	EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(priority, to, i, TORUS_ROUTE_ORDERED, &at));
	EXPECT_EQ(TORUS_REFUSE_PRIORITY, fate(priority, to, i, TORUS_ROUTE_DYNAMIC, &at));
	EXPECT_EQ(0, fate(priority, to, i, TORUS_ROUTE_PRIORITY, &at));
	EXPECT_EQ(TORUS_BGL_RECEIVE_PRIORITY, at);
	torus_context_detach(plain);
	torus_context_detach(priority);
	torus_context_detach(to);
}

/* The owner of a node and tasks with CAP_NET_ADMIN may use priority. attach.c tests other users. */
TEST_F(groups, priority_of_an_owner)
{
	const struct torus_nl_node change = {
		.present = TORUS_NL_HAS(TORUS_A_UID), .node = number(center), .uid = NOBODY,
	};
	const struct torus_attach_config with = { .priority = true };
	struct torus_context *from, *to;
	struct torus_nl *nl;
	unsigned int at = 99;
	pid_t pid = start();

	if (!pid) {
		if (setresuid(NOBODY, NOBODY, NOBODY))
			_exit(9);
		/* a node without an owner gives permission to the administrator only */
		if (torus_context_attach(&from, FABRIC, number(center), &with) != -EPERM)
			_exit(1);
		_exit(torus_context_attach(&from, FABRIC, number(center), NULL) ? 2 : 0);
	}
	ASSERT_EQ(0, status_of(pid));
	nl = torus_nl_new();
	ASSERT_NE(NULL, nl);
	ASSERT_EQ(0, torus_nl_connect(nl));
	ASSERT_EQ(0, torus_nl_node_set(nl, FABRIC, &change));
	torus_nl_free(nl);
	pid = start();
	if (!pid) {
		if (setresuid(NOBODY, NOBODY, NOBODY))
			_exit(9);
		must("attach", torus_context_attach(&to, FABRIC, number(sender_at[2]), NULL));
		must("attach", torus_context_attach(&from, FABRIC, number(center), &with));
		if (fate(from, to, TORUS_BGL_INJECT_PRIORITY, TORUS_ROUTE_PRIORITY, &at))
			_exit(3);
		_exit(at == TORUS_BGL_RECEIVE_PRIORITY ? 0 : 4);
	}
	EXPECT_EQ(0, status_of(pid));
}

TEST_HARNESS_MAIN

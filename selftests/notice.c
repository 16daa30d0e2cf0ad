// SPDX-License-Identifier: GPL-2.0
/*
 * Completion counts of sent packets, and notices of packets that did not arrive, with their reason.
 */
#include "device.h"
#include <signal.h>
#include "../user/netlink/link.h"
#include "kselftest_harness.h"

#define FABRIC	"noticetest"
#define BYTES	64		/* bytes per packet: two chunks */
#define CHUNKS	2u

static const __u32 shape[3] = { 4, 2, 2 };

/* A context used without the library. */
struct raw {
	int fd;
	struct torus_ioc_info info;
	const unsigned char *status;
	unsigned char *control;
	unsigned char *inject;
	const struct torus_notice *ring;
	__u32 tail;			/* tail of injection FIFO 0 */
	__u32 head;			/* head of the notice ring */
};

static void *raw_map(const struct raw *raw, __u32 kind, size_t bytes, int prot)
{
	void *at = mmap(NULL, bytes, prot, MAP_SHARED, raw->fd, TORUS_MAP_TOKEN(kind, 0));

	return at == MAP_FAILED ? NULL : at;
}

/* Open a context and map its pages. Return: 0 or a positive errno. */
static int raw_open(struct raw *raw, __u32 node, __u32 receive_chunks, __u32 notices)
{
	struct torus_ioc_attach ask = {
		.fabric = FABRIC, .node = node, .receive_chunks = receive_chunks,
		.notices = notices,
	};
	int both = PROT_READ | PROT_WRITE;

	memset(raw, 0, sizeof(*raw));
	raw->fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (raw->fd < 0 || ioctl(raw->fd, TORUS_IOC_ATTACH, &ask) ||
	    ioctl(raw->fd, TORUS_IOC_INFO, &raw->info))
		return errno;
	raw->status = raw_map(raw, TORUS_MAP_STATUS, raw->info.page_bytes, PROT_READ);
	raw->control = raw_map(raw, TORUS_MAP_CONTROL, raw->info.page_bytes, both);
	raw->inject = raw_map(raw, TORUS_MAP_INJECT,
			      (size_t)raw->info.inject_chunks * raw->info.chunk_bytes, both);
	raw->ring = raw_map(raw, TORUS_MAP_NOTICE, raw->info.notices * sizeof(*raw->ring),
			    PROT_READ);
	return raw->status && raw->control && raw->inject && raw->ring ? 0 : errno;
}

/* Unmap everything: mappings keep the file open. */
static void raw_close(struct raw *raw)
{
	munmap((void *)raw->status, raw->info.page_bytes);
	munmap(raw->control, raw->info.page_bytes);
	munmap(raw->inject, (size_t)raw->info.inject_chunks * raw->info.chunk_bytes);
	munmap((void *)raw->ring, raw->info.notices * sizeof(*raw->ring));
	close(raw->fd);
}

static const struct torus_status_notice *raw_status(const struct raw *raw)
{
	return (const void *)(raw->status + raw->info.status_notice_offset);
}

static struct torus_control_notice *raw_asks(const struct raw *raw)
{
	return (void *)(raw->control + raw->info.control_notice_offset);
}

static __u64 raw_completed(const struct raw *raw)
{
	return __atomic_load_n(&raw_status(raw)->completed, __ATOMIC_ACQUIRE);
}

static const struct torus_status_inject *raw_injects(const struct raw *raw)
{
	return (const void *)(raw->status + raw->info.status_inject_offset);
}

static __u64 raw_accepted(const struct raw *raw)
{
	return __atomic_load_n(&raw_injects(raw)->packets, __ATOMIC_ACQUIRE);
}

static __u32 raw_taken(const struct raw *raw)
{
	return __atomic_load_n(&raw_injects(raw)->head, __ATOMIC_ACQUIRE);
}

static void raw_publish(struct raw *raw)
{
	struct torus_control_inject *control =
		(void *)(raw->control + raw->info.control_inject_offset);

	__atomic_store_n(&control->tail, raw->tail, __ATOMIC_RELEASE);
	if (ioctl(raw->fd, TORUS_IOC_DOORBELL))
		fprintf(stderr, "# doorbell: %m\n");
}

/* Put a packet with bits @word into FIFO 0, without publishing the tail. Return: its index. */
static __u32 raw_put(struct raw *raw, const __u32 dest[3], enum torus_route route, __u32 id,
		     __u32 word)
{
	unsigned char packet[BYTES];
	__u32 index = raw->tail, i;

	packet_make(packet, BYTES, dest, route, id);
	for (i = 0; i < 4; i++)
		packet[i] |= (unsigned char)(word >> (24 - 8 * i));
	for (i = 0; i < CHUNKS; i++)
		memcpy(raw->inject + (index + i) % raw->info.inject_chunks * 32, packet + i * 32,
		       32);
	raw->tail += CHUNKS;
	return index;
}

static bool raw_wait(const struct raw *raw, __u64 completed)
{
	double until = now_s() + WAIT_MS / 1000;

	while (raw_completed(raw) < completed) {
		if (now_s() > until)
			return false;
		usleep(500);
	}
	return true;
}

/* Return: the next notice, or NULL. */
static const struct torus_notice *raw_notice(struct raw *raw)
{
	if (__atomic_load_n(&raw_status(raw)->tail, __ATOMIC_ACQUIRE) == raw->head)
		return NULL;
	return &raw->ring[raw->head++ % raw->info.notices];
}

static void raw_read_all(struct raw *raw)
{
	__atomic_store_n(&raw_asks(raw)->head, raw->head, __ATOMIC_RELEASE);
}

FIXTURE(notice)
{
	struct raw a;
};

FIXTURE_SETUP(notice)
{
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, raw_open(&self->a, 0, 0, 0));
}

FIXTURE_TEARDOWN(notice)
{
	EXPECT_EQ(0, fabric_del(FABRIC));
	raw_close(&self->a);
}

static const __u32 at_b[3] = { 2, 1, 0 };	/* coordinates of node 6 */

TEST_F(notice, what_arrives_is_counted)
{
	struct raw *a = &self->a, b;
	struct pollfd wait = { .fd = a->fd, .events = POLLIN };
	__u32 i;

	EXPECT_NE(0, a->info.features & TORUS_FEATURE_NOTICE);
	EXPECT_EQ(TORUS_NOTICES, a->info.notices);
	ASSERT_EQ(0, raw_open(&b, 6, 0, 0));
	EXPECT_EQ(0, poll(&wait, 1, 0));
	raw_asks(a)->completed = 100;
	EXPECT_EQ(0, poll(&wait, 1, 0));
	for (i = 0; i < 100; i++)
		raw_put(a, at_b, i % 2, i, 0);
	raw_publish(a);
	EXPECT_EQ(1, poll(&wait, 1, WAIT_MS));
	EXPECT_EQ(POLLIN, wait.revents);
	EXPECT_EQ(100, raw_completed(a));
	EXPECT_EQ(100, raw_accepted(a));
	raw_asks(a)->completed = 101;
	EXPECT_EQ(0, poll(&wait, 1, 0));
	EXPECT_EQ(NULL, raw_notice(a));
	EXPECT_EQ(0, raw_completed(&b));
	raw_close(&b);
}

TEST_F(notice, no_program_is_attached)
{
	struct raw *a = &self->a;
	struct pollfd wait = { .fd = a->fd, .events = POLLIN };
	const struct torus_notice *n;
	__u32 index[10], i, j;
	__u64 seen = 0;

	raw_asks(a)->want = TORUS_NOTICE_WANT;
	EXPECT_EQ(0, poll(&wait, 1, 0));
	for (i = 0; i < 10; i++)
		index[i] = raw_put(a, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(a);
	EXPECT_EQ(1, poll(&wait, 1, WAIT_MS));
	ASSERT_TRUE(raw_wait(a, 10));
	for (i = 0; i < 10; i++) {
		n = raw_notice(a);
		ASSERT_NE(NULL, n);
		EXPECT_EQ(TORUS_DROP_NO_LISTENER, n->reason);
		EXPECT_EQ(0, n->fifo);
		EXPECT_EQ(6, n->node);
		EXPECT_EQ(6, n->dest);
		EXPECT_EQ(0, n->group);
		EXPECT_EQ(0, n->flags);
		EXPECT_NE(0, n->tick);
		for (j = 0; j < 10 && index[j] != n->index; j++)
			;
		ASSERT_LT(j, 10);
		seen |= 1ull << j;
	}
	EXPECT_EQ(0x3ff, seen);
	EXPECT_EQ(NULL, raw_notice(a));
	/* poll() reports notices until they are read. */
	EXPECT_EQ(1, poll(&wait, 1, 0));
	raw_read_all(a);
	EXPECT_EQ(0, poll(&wait, 1, 0));
}

/*
 * A reader with a short ring reads nothing and is killed. Packets in its ring have arrived; each
 * other packet produces a notice.
 */
TEST_F(notice, reader_dies)
{
	__u32 sent = 200, counts[4] = { 0 };
	struct raw *a = &self->a, b;
	const struct torus_notice *n;
	int go[2];
	pid_t pid;
	char byte;

	ASSERT_EQ(0, pipe(go));
	pid = start();
	if (!pid) {
		byte = (char)raw_open(&b, 6, 64, 0);
		if (write(go[1], &byte, 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	ASSERT_EQ(1, read(go[0], &byte, 1));
	ASSERT_EQ(0, byte);
	for (__u32 i = 0; i < sent; i++)
		raw_put(a, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(a);
	/* 64 chunks hold 32 packets. */
	ASSERT_TRUE(raw_wait(a, 32));
	usleep(50000);
	EXPECT_EQ(32, raw_completed(a));
	EXPECT_EQ(NULL, raw_notice(a));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(256 + SIGKILL, status_of(pid));
	ASSERT_TRUE(raw_wait(a, sent));
	EXPECT_EQ(sent, raw_accepted(a));
	while ((n = raw_notice(a))) {
		EXPECT_EQ(6, n->node);
		EXPECT_EQ(6, n->dest);
		EXPECT_LE(32 * CHUNKS, n->index);
		if (n->reason == TORUS_NOTICE_READER_GONE_UNREAD)
			counts[0]++;
		else if (n->reason == TORUS_NOTICE_READER_GONE)
			counts[1]++;
		else if (n->reason == TORUS_DROP_NO_LISTENER)
			counts[2]++;
		else
			counts[3]++;
	}
	TH_LOG("%u unread, %u for a process that had ended, %u without a program",
	       counts[0], counts[1], counts[2]);
	/* The modelled FIFO holds 32 chunks. */
	EXPECT_EQ(16, counts[0]);
	EXPECT_NE(0, counts[1]);
	EXPECT_EQ(0, counts[3]);
	EXPECT_EQ(sent - 32, counts[0] + counts[1] + counts[2]);
	close(go[0]);
	close(go[1]);
}

/* Readers are killed at various moments. Each packet counts as completed exactly once. */
TEST_F(notice, killed_readers)
{
	struct raw *a = &self->a, b;
	const struct torus_notice *n;
	__u64 sent = 0, lost = 0;
	__u32 round, i;
	pid_t pid;

	for (round = 0; round < 30; round++) {
		pid = start();
		if (!pid) {
			if (raw_open(&b, 6, 0, 0))
				_exit(1);
			pause();
			_exit(0);
		}
		for (i = 0; i < 60; i++) {
			raw_put(a, at_b, i % 2, i, 0);
			raw_publish(a);
			if (i == 20)
				usleep(round * 200);
			if (i == 40)
				kill(pid, SIGKILL);
		}
		EXPECT_EQ(256 + SIGKILL, status_of(pid));
		sent += 60;
		ASSERT_TRUE(raw_wait(a, sent));
		while ((n = raw_notice(a))) {
			EXPECT_TRUE(n->reason == TORUS_NOTICE_READER_GONE_UNREAD ||
				    n->reason == TORUS_NOTICE_READER_GONE ||
				    n->reason == TORUS_DROP_NO_LISTENER);
			lost++;
		}
		raw_read_all(a);
		EXPECT_EQ(sent, raw_completed(a));
	}
	EXPECT_EQ(0, raw_status(a)->lost);
	TH_LOG("%llu of %llu packets lost", lost, sent);
	EXPECT_LT(0, lost);
}

/* Many senders on a fabric that several threads run. Two nodes have no attached context. */
TEST_F(notice, domains)
{
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "bgl", .ndims = 3,
		.dims = { shape[0], shape[1], shape[2] }, .domains = 4, .has_domains = true,
	};
	__u32 node, i, to, dest[3], lost[16] = { 0 };
	const struct torus_notice *n;
	struct raw raw[16];

	ASSERT_EQ(0, fabric_del(FABRIC));
	ASSERT_EQ(0, nl_with(ask_add, &spec, NULL, 0));
	for (node = 2; node < 16; node++)
		ASSERT_EQ(0, raw_open(&raw[node], node, 8192, 0));
	for (i = 0; i < 200; i++)
		for (node = 2; node < 16; node++) {
			to = (node + 1 + i * 7 % 15) % 16;
			lost[node] += to < 2;
			dest[0] = to % 4;
			dest[1] = to / 4 % 2;
			dest[2] = to / 8;
			raw_put(&raw[node], dest, i % 2, i, 0);
		}
	for (node = 2; node < 16; node++)
		raw_publish(&raw[node]);
	for (node = 2; node < 16; node++) {
		ASSERT_TRUE(raw_wait(&raw[node], 200));
		EXPECT_EQ(200, raw_completed(&raw[node]));
		while ((n = raw_notice(&raw[node]))) {
			EXPECT_EQ(TORUS_DROP_NO_LISTENER, n->reason);
			EXPECT_GT(2, n->dest);
			lost[node]--;
		}
		EXPECT_EQ(0, lost[node]);
	}
	for (node = 2; node < 16; node++)
		raw_close(&raw[node]);
}

static int ask_reset(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_reset(nl, arg);
}

static int ask_links(struct torus_nl *nl, const void *arg)
{
	return torus_nl_link_set(nl, FABRIC, arg);
}

static int links(__u32 state)
{
	const struct torus_nl_link all = {
		.present = TORUS_NL_HAS(TORUS_A_LINK_STATE), .state = state,
	};

	return nl_with(ask_links, &all, NULL, 0);
}

/* A packet at dead links is reported when senders have given up. It may still arrive later. */
TEST_F(notice, dead_links)
{
	struct raw *a = &self->a, b;
	struct pollfd wait = { .fd = a->fd, .events = POLLIN };
	const struct torus_notice *n;
	__u32 index, i;

	ASSERT_EQ(0, links(0));
	ASSERT_EQ(0, raw_open(&b, 6, 0, 0));
	raw_asks(a)->want = TORUS_NOTICE_WANT;
	index = raw_put(a, at_b, TORUS_ROUTE_ORDERED, 0, 0);
	raw_publish(a);
	EXPECT_EQ(1, poll(&wait, 1, WAIT_MS));
	n = raw_notice(a);
	ASSERT_NE(NULL, n);
	EXPECT_EQ(TORUS_NOTICE_LINK, n->reason);
	EXPECT_EQ(TORUS_NOTICE_WAITS, n->flags);
	EXPECT_EQ(index, n->index);
	EXPECT_EQ(0, n->node);
	EXPECT_EQ(6, n->dest);
	EXPECT_EQ(0, raw_completed(a));
	ASSERT_EQ(0, links(1));
	ASSERT_TRUE(raw_wait(a, 1));
	for (i = 0; (n = raw_notice(a)); i++)
		EXPECT_EQ(TORUS_NOTICE_WAITS, n->flags);
	raw_close(&b);
}

/* A reset loses all packets in flight and reports this with one notice. */
TEST_F(notice, reset)
{
	struct raw *a = &self->a, b;
	const struct torus_notice *n;
	__u32 i;

	ASSERT_EQ(0, links(0));
	ASSERT_EQ(0, raw_open(&b, 6, 0, 0));
	for (i = 0; i < 8; i++)
		raw_put(a, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(a);
	while (raw_accepted(a) < 8)
		usleep(500);
	EXPECT_EQ(0, raw_completed(a));
	ASSERT_EQ(0, nl_with(ask_reset, FABRIC, NULL, 0));
	ASSERT_TRUE(raw_wait(a, 8));
	do
		n = raw_notice(a);
	while (n && n->flags & TORUS_NOTICE_WAITS);
	ASSERT_NE(NULL, n);
	EXPECT_EQ(TORUS_DROP_RESET, n->reason);
	EXPECT_EQ(TORUS_NOTICE_ALL, n->flags);
	EXPECT_EQ(NULL, raw_notice(a));
	raw_put(a, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(a);
	ASSERT_TRUE(raw_wait(a, 9));
	EXPECT_EQ(NULL, raw_notice(a));
	EXPECT_EQ(0, raw_completed(&b));
	raw_close(&b);
}

TEST_F(notice, refused)
{
	const __u32 nowhere[3] = { 9, 0, 0 };
	struct raw *a = &self->a;
	const struct torus_notice *n;
	__u32 index;

	raw_put(a, at_b, TORUS_ROUTE_ORDERED, 1, 0);
	index = raw_put(a, nowhere, TORUS_ROUTE_ORDERED, 1, 0);
	raw_publish(a);
	ASSERT_TRUE(raw_wait(a, 1));
	while (raw_taken(a) != a->tail)
		usleep(500);
	/* A notice for discarded chunks may appear after the head has passed the chunks. */
	while (!(n = raw_notice(a)) || n->reason < TORUS_NOTICE_REFUSED)
		usleep(500);
	EXPECT_EQ(TORUS_NOTICE_REFUSED + TORUS_REFUSE_DESTINATION, n->reason);
	EXPECT_EQ(index, n->index);
	EXPECT_EQ(0, n->node);
	/* Publish an impossible tail. */
	a->tail += 100000;
	index = raw_taken(a);
	raw_publish(a);
	while (raw_taken(a) != a->tail)
		usleep(500);
	while (!(n = raw_notice(a)) || n->reason < TORUS_NOTICE_REFUSED)
		usleep(500);
	EXPECT_EQ(TORUS_NOTICE_REFUSED + TORUS_REFUSE_TAIL, n->reason);
	EXPECT_EQ(index, n->index);
}

/* A row broadcast completes when all copies have. Each node without a context causes a notice. */
TEST_F(notice, broadcast)
{
	const __u32 last[3] = { 2, 0, 0 };
	struct raw *a = &self->a, b;
	const struct torus_notice *n;
	__u32 seen = 0;

	ASSERT_EQ(0, raw_open(&b, 2, 0, 0));
	raw_put(a, last, TORUS_ROUTE_ORDERED, 1, TORUS_BGL_DP);
	raw_publish(a);
	ASSERT_TRUE(raw_wait(a, 1));
	while ((n = raw_notice(a))) {
		EXPECT_EQ(TORUS_DROP_NO_LISTENER, n->reason);
		EXPECT_EQ(TORUS_NOTICE_COPY, n->flags);
		EXPECT_EQ(1, n->node);
		EXPECT_EQ(1, n->dest);
		seen++;
	}
	EXPECT_EQ(1, seen);
	EXPECT_EQ(1, raw_completed(a));
	raw_close(&b);
}

/* A full notice ring discards notices and counts them. */
TEST_F(notice, full_ring)
{
	struct raw c;
	__u32 i;

	EXPECT_EQ(EINVAL, raw_open(&c, 1, 0, 32));
	close(c.fd);
	EXPECT_EQ(EINVAL, raw_open(&c, 1, 0, 65));
	close(c.fd);
	EXPECT_EQ(EINVAL, raw_open(&c, 1, 0, 2 * TORUS_NOTICES_MAX));
	close(c.fd);
	ASSERT_EQ(0, raw_open(&c, 1, 0, 64));
	EXPECT_EQ(64, c.info.notices);
	for (i = 0; i < 100; i++)
		raw_put(&c, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(&c);
	ASSERT_TRUE(raw_wait(&c, 100));
	EXPECT_EQ(64, raw_status(&c)->tail);
	EXPECT_EQ(36, raw_status(&c)->lost);
	EXPECT_EQ(0, system("torusctl health " FABRIC " | grep -q 'lost 36 notices'"));
	/* The kernel ignores an impossible head; a valid head frees space in the ring. */
	raw_asks(&c)->head = 1000;
	raw_put(&c, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(&c);
	ASSERT_TRUE(raw_wait(&c, 101));
	EXPECT_EQ(64, raw_status(&c)->tail);
	EXPECT_EQ(37, raw_status(&c)->lost);
	raw_asks(&c)->head = 60;
	raw_put(&c, at_b, TORUS_ROUTE_ORDERED, i, 0);
	raw_publish(&c);
	ASSERT_TRUE(raw_wait(&c, 102));
	EXPECT_EQ(65, raw_status(&c)->tail);
	EXPECT_EQ(37, raw_status(&c)->lost);
	raw_close(&c);
}

TEST_F(notice, mapping)
{
	size_t bytes = self->a.info.notices * sizeof(struct torus_notice);
	struct raw *a = &self->a;

	EXPECT_EQ(NULL, raw_map(a, TORUS_MAP_NOTICE, bytes, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(NULL, raw_map(a, TORUS_MAP_NOTICE, bytes / 2, PROT_READ));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, bytes, PROT_READ, MAP_SHARED, a->fd,
				   TORUS_MAP_TOKEN(TORUS_MAP_NOTICE, 1)));
	EXPECT_EQ(EINVAL, errno);
	raw_put(a, at_b, TORUS_ROUTE_ORDERED, 1, 0);
	raw_publish(a);
	ASSERT_TRUE(raw_wait(a, 1));
	EXPECT_EQ(6, a->ring[0].node);
	/* After the fabric is deleted the ring reads as zero, without a signal. */
	ASSERT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(0, a->ring[0].node);
	EXPECT_EQ(0, a->ring[a->info.notices - 1].node);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
}

/* A context belongs to the process that attached it, and can be attached only once. */
TEST_F(notice, of_one_process)
{
	size_t bytes = self->a.info.notices * sizeof(struct torus_notice);
	struct torus_ioc_info info;
	struct raw *a = &self->a;
	pid_t pid = start();

	if (!pid) {
		if (!ioctl(a->fd, TORUS_IOC_DOORBELL) || errno != ECHILD)
			_exit(1);
		if (raw_map(a, TORUS_MAP_NOTICE, bytes, PROT_READ) || errno != ECHILD)
			_exit(2);
		if (raw_map(a, TORUS_MAP_CONTROL, a->info.page_bytes, PROT_READ | PROT_WRITE) ||
		    errno != ECHILD)
			_exit(3);
		/* Other processes may read information about the context. */
		if (ioctl(a->fd, TORUS_IOC_INFO, &info))
			_exit(4);
		_exit(raw_attach(a->fd, FABRIC, 1, 0, 0) != EISCONN ? 5 : 0);
	}
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(0, ioctl(a->fd, TORUS_IOC_DOORBELL));
	EXPECT_EQ(EISCONN, raw_attach(a->fd, FABRIC, 1, 0, 0));
	EXPECT_EQ(EISCONN, raw_attach(a->fd, FABRIC, 0, 0, 0));
}

TEST_HARNESS_MAIN

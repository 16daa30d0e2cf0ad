// SPDX-License-Identifier: GPL-2.0
/*
 * Cray XT: neither of the two classes waits for a reader of the other, and neither of a
 * node's two FIFO groups hears the other's packets.
 */
#include "device.h"
#include <torus/message.h>
#include <torus/xt.h>
#include "kselftest_harness.h"

#define FABRIC	"classestest"
#define BYTES	72
#define RING	128	/* flits of every ring */
#define QUIET	20	/* looks, 10 ms apart, at a ring that takes nothing */
#define EACH	200

static const enum torus_xt_vc classes[] = { TORUS_XT_FIRST, TORUS_XT_SECOND };

FIXTURE(classes)
{
	struct torus_context *from;
	struct torus_context *to[2];
};

static int attach(struct torus_context **context, __u32 node, __u32 group)
{
	const struct torus_attach_config config = {
		.group = group, .inject_chunks = RING, .receive_chunks = RING,
	};
	int ret = torus_context_attach(context, FABRIC, node, &config);

	if (ret)
		fprintf(stderr, "# %s\n", torus_error_text());
	return ret;
}

FIXTURE_SETUP(classes)
{
	fabric_del(FABRIC);
	/* its tables come with it */
	ASSERT_EQ(0, system("torusctl fabric add " FABRIC " arch xt shape 4x3x2"));
	ASSERT_EQ(0, attach(&self->from, 0, 0));
	ASSERT_EQ(0, attach(&self->to[0], 8, 0));
	ASSERT_EQ(0, attach(&self->to[1], 8, 1));
}

FIXTURE_TEARDOWN(classes)
{
	torus_context_detach(self->from);
	torus_context_detach(self->to[0]);
	torus_context_detach(self->to[1]);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* A packet to node 8, with a number behind its header. */
static void fill(unsigned char *packet, enum torus_xt_vc vc, __u32 group, __u32 number)
{
	struct torus_xt_header header;

	memset(packet, 0, BYTES);
	torus_xt_header_init(&header, 8, group, BYTES);
	header.vc = vc;
	header.software = group;
	torus_xt_header_build(packet, &header);
	memcpy(packet + 8, &number, sizeof(number));
}

/* Packets of a class until the network takes no more.  Return: their number. */
static __u32 block(struct torus_context *from, enum torus_xt_vc vc)
{
	unsigned char packet[BYTES];
	__u32 sent = 0, quiet = 0;

	while (quiet < QUIET) {
		fill(packet, vc, 0, sent);
		if (!torus_inject_try(from, TORUS_XT_FIFO(vc), packet, BYTES)) {
			sent++;
			quiet = 0;
		} else {
			usleep(10000);
			quiet++;
		}
	}
	return sent;
}

/* Is the next packet of a class this one? */
static bool hears(struct torus_context *to, enum torus_xt_vc vc, __u32 group, __u32 number)
{
	unsigned char packet[BYTES];
	struct torus_xt_header header;
	__u32 said;

	if (torus_receive_packet(to, TORUS_XT_FIFO(vc), packet, BYTES, WAIT_MS) != BYTES)
		return false;
	torus_xt_header_parse(packet, &header);
	memcpy(&said, packet + 8, sizeof(said));
	return said == number && header.vc == vc && header.group == group &&
	       header.software == group;
}

/* One packet of a class, and it comes. */
static bool goes(struct torus_context *from, struct torus_context *to, enum torus_xt_vc vc,
		 __u32 group, __u32 number)
{
	unsigned char packet[BYTES];

	fill(packet, vc, group, number);
	return !torus_inject_packet(from, TORUS_XT_FIFO(vc), packet, BYTES, WAIT_MS) &&
	       hears(to, vc, group, number);
}

TEST_F(classes, do_not_block_each_other)
{
	unsigned int i;
	__u32 j, stuck;

	for (i = 0; i < 2; i++) {
		stuck = block(self->from, classes[i]);
		/* the rings of both ends are full, and what is between them */
		ASSERT_GT(stuck, 2 * RING / 9);
		for (j = 0; j < EACH; j++)
			ASSERT_TRUE(goes(self->from, self->to[0], classes[!i], 0, j));
		/* nothing of the one that was held up is lost, and it goes on */
		for (j = 0; j < stuck; j++)
			ASSERT_TRUE(hears(self->to[0], classes[i], 0, j));
	}
}

static struct torus_job *job_at(struct torus_context *context, __u32 key, enum torus_route route,
				const __u32 *groups)
{
	const struct torus_member members[] = { { 0, groups[0] }, { 8, groups[1] } };
	const struct torus_job_config config = {
		.key = key, .route = route, .members = members, .count = 2, .unconnected = true,
	};
	struct torus_job *job;

	return torus_job_open(&job, context, &config) ? NULL : job;
}

/*
 * A message of a job of each class: the second one's comes while nobody asks for the first
 * one's, whose ring is full.
 */
TEST_F(classes, messages_of_both)
{
	static const __u32 first[] = { 0, 0 }, second[] = { 0, 1 };
	static char long_text[1 << 16];
	struct torus_job *from, *to;
	struct torus_send *stuck;
	char text[16] = "";

	ASSERT_NE(NULL, from = job_at(self->from, 1, TORUS_ROUTE_ORDERED, first));
	ASSERT_EQ(0, torus_message_start(from, 1, 5, long_text, sizeof(long_text), &stuck));
	usleep(QUIET * 10000);
	ASSERT_EQ(0, torus_message_test(from, stuck));
	torus_job_close(from);

	ASSERT_NE(NULL, from = job_at(self->from, 2, TORUS_ROUTE_SECOND, second));
	ASSERT_NE(NULL, to = job_at(self->to[1], 2, TORUS_ROUTE_SECOND, second));
	ASSERT_EQ(0, torus_message_send(from, 1, 6, "second class", 13));
	ASSERT_EQ(0, torus_message_receive(to, 0, 6, text, sizeof(text), NULL, WAIT_MS));
	EXPECT_STREQ("second class", text);
	torus_job_close(from);
	torus_job_close(to);
}

TEST_F(classes, groups_hear_their_own)
{
	unsigned char packet[BYTES];
	__u32 j, group, i;

	for (j = 0; j < EACH; j++)
		for (group = 0; group < 2; group++)
			for (i = 0; i < 2; i++)
				ASSERT_TRUE(goes(self->from, self->to[group], classes[i], group,
						 j));
	/* one whose reader does not read holds up no other class, and nobody hears for it */
	block(self->from, TORUS_XT_FIRST);
	for (j = 0; j < EACH; j++)
		ASSERT_TRUE(goes(self->from, self->to[1], TORUS_XT_SECOND, 1, j));
	EXPECT_EQ(-EAGAIN, torus_receive_poll(self->to[1], TORUS_FIFO_ANY, packet, BYTES));
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0
/*
 * Cray XT: a class of packets whose reader does not read does not block the other class, and a FIFO
 * group does not receive packets of the node's other group.
 */
#include "device.h"
#include <torus/message.h>
#include <torus/xt.h>
#include "kselftest_harness.h"

#define FABRIC	"classestest"
#define BYTES	72
#define RING	128	/* flits per ring */
#define QUIET	20	/* attempts, 10 ms apart, until a full injection ring counts as blocked */
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
	/* this command also loads routing tables */
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

/* Build a packet to node 8, with @number after its header. */
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

/* Inject packets of class @vc until the network accepts no more. Return: their number. */
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

/* Receive the next packet of class @vc. Return: true if it has this group and number. */
static bool receives(struct torus_context *to, enum torus_xt_vc vc, __u32 group, __u32 number)
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

/* Send one packet of class @vc. Return: true if it arrives with its class, group and number. */
static bool goes(struct torus_context *from, struct torus_context *to, enum torus_xt_vc vc,
		 __u32 group, __u32 number)
{
	unsigned char packet[BYTES];

	fill(packet, vc, group, number);
	return !torus_inject_packet(from, TORUS_XT_FIFO(vc), packet, BYTES, WAIT_MS) &&
	       receives(to, vc, group, number);
}

TEST_F(classes, do_not_block_each_other)
{
	unsigned int i;
	__u32 j, stuck;

	for (i = 0; i < 2; i++) {
		stuck = block(self->from, classes[i]);
		/* the rings at both ends are full, and the buffers between them */
		ASSERT_GT(stuck, 2 * RING / 9);
		for (j = 0; j < EACH; j++)
			ASSERT_TRUE(goes(self->from, self->to[0], classes[!i], 0, j));
		/* no packet of the blocked class is lost, and all of them arrive */
		for (j = 0; j < stuck; j++)
			ASSERT_TRUE(receives(self->to[0], classes[i], 0, j));
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
 * A job of each class sends a message. The second class's message arrives although the first
 * class's ring is full and has no reader.
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
	/*
	 * a group whose reader does not read blocks no other class, and its packets are not
	 * delivered to the other group
	 */
	block(self->from, TORUS_XT_FIRST);
	for (j = 0; j < EACH; j++)
		ASSERT_TRUE(goes(self->from, self->to[1], TORUS_XT_SECOND, 1, j));
	EXPECT_EQ(-EAGAIN, torus_receive_poll(self->to[1], TORUS_FIFO_ANY, packet, BYTES));
}

TEST_HARNESS_MAIN

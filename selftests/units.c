// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu units are swapped under the load of programs: no packet is lost, and packets between a pair
 * of programs stay in order. Units that fail lose the packets inside, and each loss is reported.
 */
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC		"unitstest"
#define BYTES		64
#define TIMES		20
#define PROGRAMS	8

/* Shell loop over the units without programs, five times. */
#define EACH_UNIT_FIVE_TIMES \
	"for i in 1 2 3 4 5; do for u in 0,0,0,1 0,0,0,2 1,0,0,0 1,0,0,1; do "

/*
 * Nodes of units 0,0,0,0 and 1,0,0,2: all paths between these units lead through the other units.
 */
static const __u32 at[PROGRAMS] = { 0, 1, 6, 7, 16, 17, 22, 23 };

/* Content of a packet after its header. */
struct mark {
	__u32 from;
	__u32 number;
};

/**
 * struct unit_pair - packets from one program to another
 * @sent: packets put into the ring
 * @come: packets received
 * @next: expected number: last received number + 1
 * @lost: packets reported as lost
 */
struct unit_pair {
	__u32 sent;
	__u32 come;
	__u32 next;
	__u32 lost;
};

FIXTURE(units)
{
	struct torus_context *program[PROGRAMS];
	struct unit_pair pair[PROGRAMS][PROGRAMS];
	__u32 disorder;
	__u32 foreign;
};

FIXTURE_SETUP(units)
{
	__u32 i;

	fabric_del(FABRIC);
	ASSERT_EQ(0, system("torusctl fabric add " FABRIC " arch tofu shape 2x1x1"));
	for (i = 0; i < PROGRAMS; i++)
		ASSERT_EQ(0, torus_context_attach(&self->program[i], FABRIC, at[i], NULL))
			TH_LOG("%s", torus_error_text());
}

FIXTURE_TEARDOWN(units)
{
	__u32 i;

	for (i = 0; i < PROGRAMS; i++)
		torus_context_detach(self->program[i]);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static void packet_to(FIXTURE_DATA(units) *self, __u32 from, __u32 to)
{
	struct unit_pair *pair = &self->pair[from][to];
	struct mark mark = { from, pair->sent };
	unsigned char packet[BYTES] = { 0 };

	if (torus_packet_begin(self->program[from], packet, BYTES, at[to], 0,
			       TORUS_ROUTE_ORDERED) < 0)
		return;
	memcpy(packet + 16, &mark, sizeof(mark));
	pair->sent += !torus_inject_try(self->program[from], (int)(to % 4), packet, BYTES);
}

/* Receive all packets that have arrived at program @to. Return: their number. */
static int packets_of(FIXTURE_DATA(units) *self, __u32 to)
{
	unsigned char packet[BYTES];
	struct unit_pair *pair;
	struct mark mark;
	int come = 0;

	while (torus_receive_poll(self->program[to], TORUS_FIFO_ANY, packet, BYTES) == BYTES) {
		memcpy(&mark, packet + 16, sizeof(mark));
		pair = &self->pair[mark.from % PROGRAMS][to];
		pair->come++;
		self->disorder += mark.number < pair->next;
		pair->next = mark.number + 1;
		come++;
	}
	return come;
}

static void hear(FIXTURE_DATA(units) *self, __u32 from)
{
	struct torus_notice notice;
	__u32 to;

	while (torus_notice_take(self->program[from], &notice) > 0) {
		/* a packet that waits for a unit to return has not completed */
		if (notice.flags & TORUS_NOTICE_WAITS)
			continue;
		for (to = 0; to < PROGRAMS && at[to] != notice.dest; to++)
			;
		if (to == PROGRAMS || notice.reason != TORUS_DROP_NODE_FAILED)
			self->foreign++;
		else
			self->pair[from][to].lost++;
	}
}

/*
 * All programs send to each other while @command runs. Then receive until nothing has arrived for 2
 * s. Return: the wait status of the command.
 */
static int talk(FIXTURE_DATA(units) *self, const char *command)
{
	pid_t child = fork();
	int status = -1, quiet, come;
	bool over = false;
	__u32 i, j;

	if (!child)
		_exit(system(command) ? 1 : 0);
	for (quiet = 0; quiet < 200; quiet = come ? 0 : quiet + over) {
		for (i = 0, come = 0; i < PROGRAMS; i++) {
			for (j = 0; !over && j < PROGRAMS; j++)
				if (i != j)
					packet_to(self, i, j);
			come += packets_of(self, i);
			hear(self, i);
		}
		over = over || waitpid(child, &status, WNOHANG) == child;
		usleep(over ? 10000 : 100);
	}
	return status;
}

TEST_F_TIMEOUT(units, swapped_under_load, 300)
{
	__u32 i, j, sent = 0;

	ASSERT_EQ(0, talk(self, EACH_UNIT_FIVE_TIMES
			  "torusctl unit out " FABRIC " $u && sleep 0.05 && "
			  "torusctl unit in " FABRIC " $u || exit 1; done; done"));
	for (i = 0; i < PROGRAMS; i++)
		for (j = 0; j < PROGRAMS; j++) {
			EXPECT_EQ(self->pair[i][j].sent, self->pair[i][j].come);
			EXPECT_EQ(0, self->pair[i][j].lost);
			sent += self->pair[i][j].sent;
		}
	EXPECT_EQ(0, self->disorder);
	EXPECT_EQ(0, self->foreign);
	EXPECT_GT(sent, TIMES * PROGRAMS);
}

TEST_F_TIMEOUT(units, failing_under_load, 300)
{
	__u32 i, j, lost = 0;

	ASSERT_EQ(0, talk(self, EACH_UNIT_FIVE_TIMES
			  "torusctl unit fail " FABRIC " $u && sleep 0.05 && "
			  "torusctl unit in " FABRIC " $u timeout 20000 || exit 1; done; done"));
	for (i = 0; i < PROGRAMS; i++)
		for (j = 0; j < PROGRAMS; j++) {
			EXPECT_EQ(self->pair[i][j].sent,
				  self->pair[i][j].come + self->pair[i][j].lost);
			lost += self->pair[i][j].lost;
		}
	EXPECT_EQ(0, self->foreign);
	EXPECT_GT(lost, 0);
}

/* Invalid requests are rejected, and a unit whose nodes are in use cannot be taken out. */
TEST_F(units, refused)
{
	EXPECT_EQ(0, system("torusctl unit out " FABRIC " 0,0,0,0 2>&1 | "
			    "grep -q 'unit 0,0,0,0: node 0,0,0,0,0,0 is used by .*force takes'"));
	EXPECT_EQ(0, system("torusctl unit in " FABRIC " 0,0,0,0 2>&1 | grep -q 'already in'"));
	EXPECT_EQ(0, system("torusctl unit out " FABRIC " 0,0,0,3 2>&1 | "
			    "grep -q '0,0,0,3.*fabric " FABRIC "'"));
	EXPECT_EQ(0, system("torusctl unit out " FABRIC " 0,0,0,1 && "
			    "torusctl unit out " FABRIC " 0,0,0,1 2>&1 | grep -q 'already out'"));
	EXPECT_EQ(0, system("torusctl unit show " FABRIC " | grep -qx '0,0,0,1 out'"));
	EXPECT_EQ(0, system("torusctl -d unit show " FABRIC " | grep -c . | grep -qx 6"));
	EXPECT_EQ(0, system("torusctl -j unit show " FABRIC " | "
			    "grep -q '\"unit\":\\[0,0,0,1\\],\"state\":\"out\",\"dead_nodes\":4'"));
	EXPECT_NE(0, system("torusctl fabric show " FABRIC " | grep -q 'inject drain'"));
	/* torusctl must not interfere when another program already drains the network */
	EXPECT_EQ(0, system("torusctl fabric set " FABRIC " inject drain && "
			    "torusctl unit in " FABRIC " 0,0,0,1 2>&1 | "
			    "grep -q 'already holds.*(inject drain)' && "
			    "torusctl fabric set " FABRIC " inject go"));
	EXPECT_EQ(0, system("torusctl unit in " FABRIC " 0,0,0,1"));
}

/* A program that only has barrier gates also makes its node busy. */
TEST_F(units, gates)
{
	struct torus_ioc_gates_open ask = { .fabric = FABRIC, .node = 2 };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	ASSERT_EQ(0, ioctl(fd, TORUS_IOC_GATES_OPEN, &ask));
	EXPECT_EQ(0, system("torusctl unit out " FABRIC " 0,0,0,1 2>&1 | grep -q 'unit 0,0,0,1: "
			    "node 0,0,0,0,1,0 is used by units pid .*force takes'"));
	EXPECT_EQ(0, system("unshare --fork --pid --mount-proc torusctl unit out " FABRIC
			    " 0,0,0,1 2>&1 | "
			    "grep -q 'used by units of another PID namespace; force takes'"));
	EXPECT_EQ(0, system("torusctl node show " FABRIC " 2 | "
			    "grep -q 'gates held by units pid'"));
	EXPECT_EQ(0, system("torusctl -j node show " FABRIC " 2 | grep -q '\"group\": *null'"));
	close(fd);
	EXPECT_EQ(0, system("torusctl unit out " FABRIC " 0,0,0,1"));
}

/* A link that is down blocks packets in flight: the unit stays in, and injection resumes. */
TEST_F(units, not_empty)
{
	ASSERT_EQ(0, system("torusctl link set " FABRIC " 0 all state down"));
	packet_to(self, 0, 4);
	ASSERT_EQ(0, system("sleep 0.2; torusctl unit out " FABRIC " 1,0,0,0 timeout 100 2>&1 | "
			    "grep -q ': 1 packets are still in flight after 100 ms'"));
	ASSERT_EQ(0, system("{ torusctl unit out " FABRIC " 1,0,0,0 2>&1 & out=$!; "
			    "until torusctl fabric show " FABRIC " | grep -q 'inject drain'; do "
			    "sleep 0.05; done; kill -INT $out; wait $out; } | "
			    "grep -q 'interrupted with 1 packets'"));
	EXPECT_NE(0, system("torusctl fabric show " FABRIC " | grep -q 'inject drain'"));
	EXPECT_EQ(0, system("torusctl -d unit show " FABRIC " | grep -qx '1,0,0,0 in'"));
	ASSERT_EQ(0, system("torusctl link set " FABRIC " 0 all state up"));
	EXPECT_EQ(0, system("torusctl unit out " FABRIC " 1,0,0,0"));
}

TEST_HARNESS_MAIN

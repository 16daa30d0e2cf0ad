// SPDX-License-Identifier: GPL-2.0
/*
 * Many steps of a tick equal one run: the delivery hash, counters, registers and the saved state of
 * workloads; the packets of programs that filled their rings during the pause; virtual time.
 */
#include "vtime.h"
#include "../user/lib/context/context.h"
#include "../user/netlink/counter.h"
#include "../user/netlink/paused_run.h"
#include "../user/netlink/reg.h"
#include "../user/netlink/state.h"
#include "../user/netlink/traffic.h"
#include "kselftest_harness.h"

#define FABRIC		"equaltest"
#define TICKS		1000
#define NODES		64

static const __u32 shape[3] = { 4, 4, 4 };

/* State of a fabric after a run or after steps. */
struct outcome {
	struct torus_fabric_counters counters;
	__u32 registers[NODES][128];
	void *state;
	size_t bytes;
};

/* Run the fabric to the end of the request. Return: 0 or a negative errno. */
static int finish(struct torus_nl *nl, const struct torus_nl_run *run, struct torus_nl_piece *piece)
{
	int ret = torus_nl_run_begin(nl, FABRIC, run);

	while (!ret) {
		ret = torus_nl_run_next(nl, FABRIC, piece);
		if (!ret && piece->done)
			break;
	}
	return ret;
}

/*
 * Advance the fabric by TICKS ticks, in one run or in steps of a tick. Every tenth step records the
 * events of packets. Return: 0, a negative errno, or -ETIME if the clock is wrong.
 */
static int advance(struct torus_nl *nl, bool steps)
{
	const struct torus_nl_run run = { .has_tick = true, .tick = TICKS };
	struct torus_nl_run step = { .ticks = 1 };
	static struct torus_nl_piece piece;
	int i, ret = 0;

	if (!steps)
		return finish(nl, &run, &piece) ?: piece.clock == TICKS ? 0 : -ETIME;
	for (i = 0; i < TICKS && !ret; i++) {
		step.record = !(i % 10);
		ret = finish(nl, &step, &piece);
		if (!ret && piece.clock != (__u64)i + 1)
			ret = -ETIME;
	}
	return ret;
}

static int read_registers(struct torus_nl *nl, struct outcome *outcome)
{
	struct torus_nl_reg *regs;
	size_t count, i;
	__u32 node;
	int ret;

	for (node = 0; node < NODES; node++) {
		ret = torus_nl_reg_dump(nl, FABRIC, node, &regs, &count);
		if (ret)
			return ret;
		for (i = 0; i < count && i < 128; i++)
			outcome->registers[node][i] = regs[i].value;
		free(regs);
	}
	return 0;
}

/* Read counters and registers, which may be cleared by the reading. */
static int look(struct torus_nl *nl, struct outcome *outcome)
{
	return torus_nl_counter_get(nl, FABRIC, &outcome->counters) ?: read_registers(nl, outcome);
}

FIXTURE(equal)
{
	struct torus_nl *nl;
	struct outcome *seen;
};

FIXTURE_SETUP(equal)
{
	fabric_del(FABRIC);
	self->seen = calloc(2, sizeof(*self->seen));
	ASSERT_NE(NULL, self->seen);
	self->nl = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
}

FIXTURE_TEARDOWN(equal)
{
	free(self->seen[0].state);
	free(self->seen[1].state);
	free(self->seen);
	torus_nl_free(self->nl);
	fabric_del(FABRIC);
}

/* Create a paused fabric with a workload. @machine: its name and shape. Return: 0, or an error. */
static int with_workload(struct torus_nl *nl, const char *machine, __u32 domains, __u32 bytes)
{
	const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = bytes, .size_max = bytes,
		.load = 1ull << 31, .cycles = 100 * TICKS,
	};
	char line[200];

	/* torusctl also loads the routing tables of a Cray XT */
	snprintf(line, sizeof(line), "torusctl fabric add " FABRIC " arch %s seed 5 ber 4e-6 "
		 "domains %u", machine, domains);
	return system(line) ?: torus_nl_fabric_pause(nl, FABRIC) ?:
	       torus_nl_traffic_start(nl, FABRIC, &traffic, NULL);
}

/* Expect the same packets, counters and registers. */
static void compare(struct __test_metadata *_metadata, struct outcome seen[2])
{
	EXPECT_LT(0, seen[0].counters.delivered);
	EXPECT_EQ(seen[0].counters.hash, seen[1].counters.hash);
	/* more domains exchange more mail, which is counted as events */
	seen[0].counters.events = 0;
	seen[1].counters.events = 0;
	EXPECT_EQ(0, memcmp(&seen[0].counters, &seen[1].counters, sizeof(seen[0].counters)));
	EXPECT_EQ(0, memcmp(seen[0].registers, seen[1].registers, sizeof(seen[0].registers)));
}

/* Compare TICKS steps of @domains domains with a run in one domain. */
static void workload(struct __test_metadata *_metadata, FIXTURE_DATA(equal) *self,
		     const char *machine, __u32 bytes)
{
	struct outcome *seen = self->seen;
	int steps;

	for (steps = 0; steps < 2; steps++) {
		ASSERT_EQ(0, with_workload(self->nl, machine, steps ? 3 : 1, bytes)) {
			TH_LOG("%s: %s", machine, torus_nl_error(self->nl));
		}
		ASSERT_EQ(0, advance(self->nl, steps)) {
			TH_LOG("%s: %s", machine, torus_nl_error(self->nl));
		}
		ASSERT_EQ(0, torus_nl_state_save(self->nl, FABRIC, "{}", &seen[steps].state,
						 &seen[steps].bytes)) {
			TH_LOG("%s: %s", machine, torus_nl_error(self->nl));
		}
		ASSERT_EQ(0, look(self->nl, &seen[steps]));
		ASSERT_EQ(0, fabric_del(FABRIC));
	}
	EXPECT_EQ(TICKS, seen[0].counters.clock);
	EXPECT_LT(0, seen[0].bytes);
	compare(_metadata, seen);
}

TEST_F(equal, bgl)
{
	workload(_metadata, self, "bgl shape 4x4x4", 256);
}

TEST_F(equal, xt)
{
	workload(_metadata, self, "xt shape 4x4x4", 72);
}

TEST_F(equal, tofu)
{
	workload(_metadata, self, "tofu shape 2x2x2", 256);
}

/* States that are saved at the same tick are equal, if the domains are. */
TEST_F(equal, state)
{
	struct outcome *seen = self->seen;
	int steps;

	for (steps = 0; steps < 2; steps++) {
		ASSERT_EQ(0, with_workload(self->nl, "bgl shape 4x4x4", 2, 256));
		ASSERT_EQ(0, advance(self->nl, steps));
		ASSERT_EQ(0, torus_nl_state_save(self->nl, FABRIC, "{}", &seen[steps].state,
						 &seen[steps].bytes));
		ASSERT_EQ(0, fabric_del(FABRIC));
	}
	ASSERT_LT(0, seen[0].bytes);
	ASSERT_EQ(seen[0].bytes, seen[1].bytes);
	EXPECT_EQ(0, memcmp(seen[0].state, seen[1].state, seen[0].bytes));
}

#define SENDERS		4
#define PACKETS		20

/* Attach to four nodes of a paused fabric, and fill the rings. */
static int fill_rings(struct torus_context **context)
{
	unsigned char packet[256];
	__u32 node, dest[3], i;
	int ret = 0;

	for (node = 0; node < SENDERS && !ret; node++)
		ret = torus_context_attach(&context[node], FABRIC, node, NULL);
	for (i = 0; i < PACKETS; i++) {
		for (node = 0; node < SENDERS && !ret; node++) {
			dest[0] = (node + 1 + i % 3) % SENDERS;
			dest[1] = 0;
			dest[2] = 0;
			ret = packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, i) ?:
			      torus_inject_packet(context[node], TORUS_FIFO_ANY, packet,
						  sizeof(packet), 0);
		}
	}
	return ret;
}

/* Programs that filled their rings while the fabric was paused. */
TEST_F(equal, rings)
{
	struct torus_context *context[SENDERS] = {};
	struct outcome *seen = self->seen;
	int steps, node;

	for (steps = 0; steps < 2; steps++) {
		ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
		ASSERT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
		ASSERT_EQ(0, fill_rings(context));
		ASSERT_EQ(0, advance(self->nl, steps)) {
			TH_LOG("%s", torus_nl_error(self->nl));
		}
		ASSERT_EQ(0, look(self->nl, &seen[steps]));
		for (node = 0; node < SENDERS; node++)
			torus_context_detach(context[node]);
		ASSERT_EQ(0, fabric_del(FABRIC));
	}
	compare(_metadata, seen);
}

/* A program in virtual time that sends packets to the next one, and computes in between. */
static int program(__u32 node)
{
	const __u32 dest[3] = { (node + 1) % SENDERS, 0, 0 };
	struct torus_context *context;
	unsigned char packet[256];
	int i;

	if (torus_context_attach(&context, FABRIC, node, NULL))
		return 2;
	for (i = 0; i < PACKETS; i++) {
		if (torus_compute(context, 10 + 7 * node) ||
		    packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, i) ||
		    torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1) ||
		    torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1) < 0)
			return 3;
	}
	return 0;
}

TEST_F(equal, virtual_time)
{
	struct outcome *seen = self->seen;
	struct torus_nl_fabric fabric;
	pid_t pid[SENDERS];
	int steps;
	__u32 node;

	for (steps = 0; steps < 2; steps++) {
		ASSERT_EQ(0, fabric_virtual(FABRIC, SENDERS, 1));
		ASSERT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
		for (node = 0; node < SENDERS; node++) {
			pid[node] = start();
			if (!pid[node])
				_exit(program(node));
		}
		do {
			ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
		} while (fabric.contexts < SENDERS);
		ASSERT_EQ(0, advance(self->nl, steps)) {
			TH_LOG("%s", torus_nl_error(self->nl));
		}
		ASSERT_EQ(0, look(self->nl, &seen[steps]));
		ASSERT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
		for (node = 0; node < SENDERS; node++)
			EXPECT_EQ(0, status_of(pid[node]));
		ASSERT_EQ(0, fabric_del(FABRIC));
	}
	EXPECT_EQ(TICKS, seen[0].counters.clock);
	compare(_metadata, seen);
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0
/*
 * A driver in lockstep: torus_edu answers the packets of a program in virtual time from its
 * interrupt handler. Each access, each interrupt and each answer happens at the same tick in all
 * runs: with idle and busy processors, with one domain and four.
 */
#include "lockstep.h"
#include "kselftest_harness.h"

#define FABRIC		"lockstepedu"
#define ROUNDS		60
#define ROUNDS_SHORT	12
#define ANSWERS		256

/**
 * struct edu_outcome - what a run has done
 * @hash: hash of the fabric
 * @clock: tick at which the program has received each answer
 * @answers: number of answers
 */
struct edu_outcome {
	__u64 hash;
	__u64 clock[ANSWERS];
	__u32 answers;
};

static unsigned int rounds(void)
{
	return getenv("TORUS_SHORT") ? ROUNDS_SHORT : ROUNDS;
}

/* Send a packet to the driver that contains its answer, which is as long. */
static bool ask(struct torus_context *context, unsigned char *packet, size_t bytes, __u32 id)
{
	static const __u32 there[3] = { 1, 0, 0 }, here[3] = { 0, 0, 0 };
	struct torus_bgl_header header;

	if (packet_make(packet, bytes, there, TORUS_ROUTE_ORDERED, id))
		return false;
	torus_bgl_header_init(&header, TORUS_ROUTE_ORDERED, here, 0, bytes);
	return !torus_bgl_header_build(packet + 8, &header) &&
	       !torus_inject_packet(context, 0, packet, bytes, -1);
}

/* The program. Return: its exit status. */
static int program(struct edu_outcome *outcome)
{
	unsigned char sent[5][256], got[256];
	struct torus_context *context;
	unsigned int round, i, many;
	size_t bytes[5];
	bool good;

	if (torus_context_attach(&context, FABRIC, 0, NULL))
		return 2;
	good = true;
	for (round = 0; good && round < rounds(); round++) {
		good = !torus_compute(context, 1 + round * 977 % 4001);
		many = 1 + round % 5;
		for (i = 0; good && i < many; i++) {
			bytes[i] = 32 * (1 + (round + i) % 8);
			good = ask(context, sent[i], bytes[i], round * 8 + i);
		}
		for (i = 0; good && i < many; i++) {
			good = torus_receive_packet(context, TORUS_FIFO_ANY, got, sizeof(got),
						    -1) == (long)bytes[i] &&
			       !memcmp(got + 8, sent[i] + 16, bytes[i] - 16);
			outcome->clock[outcome->answers++] = torus_context_clock(context);
		}
	}
	torus_context_detach(context);
	return good ? 0 : 1;
}

/* Run with @domains domains. @lines: [out] trace of the accesses and interrupts */
static bool play(__u32 domains, bool loaded, struct edu_outcome *outcome, char *lines)
{
	struct edu_outcome *shared = shared_alloc(sizeof(*shared));
	struct torus_fabric_counters counters;
	pid_t pid, others[BUSY];
	bool good;

	if (!shared || !lockstep_fabric(FABRIC, 2, domains, "1") ||
	    device_bind(FABRIC, 1, "torus_edu") || file_write(TRACING "/trace", "") ||
	    !trace_switch("1"))
		return false;
	if (loaded)
		busy(others, true);
	pid = start();
	if (!pid)
		_exit(program(shared));
	good = end_well(&pid, 1, 0) && fabric_rests(FABRIC);
	if (loaded)
		busy(others, false);
	trace_switch("0");
	good &= !fabric_counters(FABRIC, &counters);
	*outcome = *shared;
	outcome->hash = counters.hash;
	trace_read(lines);
	munmap(shared, sizeof(*shared));
	return !fabric_del(FABRIC) && good;
}

static unsigned int occurrences(const char *text, const char *word)
{
	unsigned int count = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		count++;
	return count;
}

/* Print the first line that differs. */
static void print_difference(const char *one, const char *other)
{
	size_t at = 0, line = 0;

	for (; one[at] && one[at] == other[at]; at++)
		if (one[at] == '\n')
			line = at + 1;
	printf("# %.*s\n# %.*s\n", (int)strcspn(one + line, "\n"), one + line,
	       (int)strcspn(other + line, "\n"), other + line);
}

FIXTURE(edu)
{
	char *one, *other;
};

FIXTURE_SETUP(edu)
{
	self->one = malloc(LINES);
	self->other = malloc(LINES);
	ASSERT_TRUE(self->one && self->other);
	ASSERT_TRUE(module_insert("torus_bus", ""));
	ASSERT_TRUE(module_insert("torus_host", ""));
	ASSERT_TRUE(module_insert("torus_edu", "echo=1"));
}

FIXTURE_TEARDOWN(edu)
{
	fabric_del(FABRIC);
	modules_remove("torus_edu");
	free(self->one);
	free(self->other);
}

/* Ten runs, half of them with busy processors; two in the short form. */
TEST_F(edu, same_ticks)
{
	unsigned int runs = getenv("TORUS_SHORT") ? 2 : 10, i;
	struct edu_outcome one, other;

	ASSERT_TRUE(play(1, false, &one, self->one));
	printf("# %u answers, %u accesses, %u interrupts\n", one.answers,
	       occurrences(self->one, "_access"), occurrences(self->one, "_interrupt"));
	EXPECT_GT(occurrences(self->one, "_access"), one.answers * 16);
	EXPECT_GE(occurrences(self->one, "_interrupt"), rounds());
	for (i = 1; i < runs; i++) {
		ASSERT_TRUE(play(i % 2 ? 4 : 1, i >= runs / 2, &other, self->other));
		EXPECT_EQ(0, memcmp(&one, &other, sizeof(one)));
		EXPECT_EQ(0, strcmp(self->one, self->other))
			print_difference(self->one, self->other);
	}
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0
/*
 * Episodes of drivers: one that is too long is reported with its driver and node, and ends by
 * torus_idle(), free_irq(), a reset of the port or unbinding. A loop that polls with torus_wait(),
 * and a moderated interrupt, have the same ticks in each run. A driver is bound only before time
 * starts, and a reset of the fabric starts it again.
 */
#include "lockstep.h"
#include "kselftest_harness.h"

#define FABRIC		"lockstephold"
#define DRIVER		"torus_port_test"
#define NODE		"/sys/bus/torus/devices/" FABRIC ":1.0.0/test"
#define PACKETS		20
#define COMPUTE		3000	/* ticks before the first packet */
#define MICROSECONDS	100

/*
 * The program sends packets to node 1, and waits for a simulated millisecond, which has no end
 * while a driver holds the fabric. Return: its exit status.
 */
static int program(__u64 *clock)
{
	static const __u32 there[3] = { 1, 0, 0 };
	struct torus_context *context;
	unsigned char packet[32];
	unsigned int i;
	bool good;

	if (torus_context_attach(&context, FABRIC, 0, NULL))
		return 2;
	good = true;
	for (i = 0; good && i < PACKETS; i++)
		good = !torus_compute(context, COMPUTE + i * 977 % 401) &&
		       !packet_make(packet, sizeof(packet), there, TORUS_ROUTE_ORDERED, i) &&
		       !torus_inject_packet(context, 0, packet, sizeof(packet), -1);
	good &= torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), 1) < 0;
	*clock = torus_context_clock(context);
	torus_context_detach(context);
	return good ? 0 : 1;
}

static pid_t program_start(__u64 *clock)
{
	pid_t pid = start();

	if (!pid)
		_exit(program(clock));
	return pid;
}

/* Read the events of the fabric from now on. @pid: [out] process that writes them to the file */
static FILE *events_begin(pid_t *pid)
{
	struct pollfd first = { .events = POLLIN };
	int ends[2], i;

	if (pipe(ends))
		return NULL;
	*pid = start();
	if (!*pid) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		execlp("torusctl", "torusctl", "monitor", FABRIC, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	/* It listens when it prints an event. */
	first.fd = ends[0];
	for (i = 0; i < WAIT_MS / 1000; i++)
		if (system("torusctl counter reset " FABRIC) || poll(&first, 1, 1000))
			break;
	return fdopen(ends[0], "r");
}

/* Return: true if an event says all words, which end with NULL. */
static bool event_says(FILE *events, const char *const *words)
{
	char line[512];
	unsigned int i;

	while (fgets(line, sizeof(line), events)) {
		printf("# %s", line);
		for (i = 0; words[i] && strstr(line, words[i]); i++)
			;
		if (!words[i])
			return true;
	}
	return false;
}

/* Check whether a process still runs after a moment. */
static bool runs(pid_t pid)
{
	usleep(500000);
	return !waitpid(pid, NULL, WNOHANG);
}

FIXTURE(hold)
{
	__u64 *clock;
	char *lines, *others;
	char stall[32];
};

FIXTURE_SETUP(hold)
{
	self->clock = shared_alloc(sizeof(*self->clock));
	self->lines = malloc(LINES);
	self->others = malloc(LINES);
	ASSERT_TRUE(self->clock && self->lines && self->others);
	ASSERT_TRUE(module_parameter("virtual_stall_ms", "200", self->stall, sizeof(self->stall)));
	ASSERT_TRUE(module_insert("torus_bus", ""));
	ASSERT_TRUE(module_insert("torus_host", ""));
	ASSERT_TRUE(module_insert(DRIVER, ""));
	ASSERT_TRUE(lockstep_fabric(FABRIC, 3, 2, "1-2"));
	ASSERT_EQ(0, device_bind(FABRIC, 1, DRIVER));
	ASSERT_EQ(0, device_bind(FABRIC, 2, DRIVER));
}

FIXTURE_TEARDOWN(hold)
{
	fabric_del(FABRIC);
	modules_remove(DRIVER);
	module_parameter("virtual_stall_ms", self->stall, NULL, 0);
	munmap(self->clock, sizeof(*self->clock));
	free(self->lines);
	free(self->others);
}

TEST_F(hold, report)
{
	static const char *const words[] = { "stall", DRIVER, "1,0,0", "episode", NULL };
	FILE *events;
	pid_t pid, monitor;

	events = events_begin(&monitor);
	ASSERT_NE(NULL, events);
	ASSERT_EQ(0, file_write(NODE, "busy"));
	pid = program_start(self->clock);
	EXPECT_TRUE(event_says(events, words));
	EXPECT_EQ(0, system("torusctl fabric show " FABRIC " | grep -q 'driver " DRIVER "'"));
	EXPECT_TRUE(runs(pid));
	EXPECT_EQ(0, file_write(NODE, "idle"));
	EXPECT_EQ(0, status_of(pid));
	kill(monitor, SIGKILL);
	status_of(monitor);
	fclose(events);
}

/* Check that a program does not end between two commands of the driver. */
static bool holds_between(__u64 *clock, const char *first, const char *last)
{
	pid_t pid;
	bool good;

	if (file_write(NODE, first))
		return false;
	pid = program_start(clock);
	good = runs(pid);
	good &= !file_write(NODE, last);
	return good && !status_of(pid);
}

TEST_F(hold, free_irq)
{
	if (getenv("TORUS_SHORT"))
		SKIP(return, "in the long form");
	EXPECT_TRUE(holds_between(self->clock, "neglect on", "neglect off"));
}

TEST_F(hold, reset)
{
	if (getenv("TORUS_SHORT"))
		SKIP(return, "in the long form");
	EXPECT_TRUE(holds_between(self->clock, "busy", "reset"));
}

/* Unbinding is final: it can be bound again when the fabric is reset. */
TEST_F(hold, unbind)
{
	pid_t pid;

	if (getenv("TORUS_SHORT"))
		SKIP(return, "in the long form");
	ASSERT_EQ(0, file_write(NODE, "busy"));
	pid = program_start(self->clock);
	EXPECT_TRUE(runs(pid));
	EXPECT_EQ(0, device_unbind(FABRIC, 1, DRIVER));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(ETIME, device_bind(FABRIC, 1, DRIVER));
	ASSERT_EQ(0, system("torusctl fabric reset " FABRIC));
	EXPECT_EQ(0, device_bind(FABRIC, 1, DRIVER));
	pid = program_start(self->clock);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_TRUE(fabric_rests(FABRIC));
}

/* Unplugging the device and deleting the fabric end an episode, too. */
TEST_F(hold, unplug)
{
	pid_t pid;

	if (getenv("TORUS_SHORT"))
		SKIP(return, "in the long form");
	ASSERT_EQ(0, file_write(NODE, "busy"));
	pid = program_start(self->clock);
	EXPECT_TRUE(runs(pid));
	EXPECT_EQ(0, system("torusctl node set " FABRIC " 1 driver off"));
	EXPECT_EQ(0, status_of(pid));
}

/* Receive by polling, on a fabric that was reset. Return: the result of the command, and trace. */
static bool poll_packets(__u64 *clock, bool loaded, char *result, char *lines)
{
	pid_t pid, reader, others[BUSY];
	bool good;
	FILE *file;

	if (file_write(TRACING "/trace", "") || !trace_switch("1"))
		return false;
	if (loaded)
		busy(others, true);
	reader = start();
	if (!reader)
		_exit(file_write(NODE, "poll 20"));
	/* It polls when time starts. */
	usleep(300000);
	pid = program_start(clock);
	good = !status_of(pid) && !status_of(reader) && fabric_rests(FABRIC);
	if (loaded)
		busy(others, false);
	trace_switch("0");
	trace_read(lines);
	file = fopen(NODE, "r");
	good &= file && fgets(result, 256, file);
	if (file)
		fclose(file);
	return good && !system("torusctl fabric reset " FABRIC);
}

TEST_F(hold, poll)
{
	char one[256] = "", other[256] = "";

	if (getenv("TORUS_SHORT"))
		SKIP(return, "in the long form");
	ASSERT_TRUE(poll_packets(self->clock, false, one, self->lines));
	printf("# %s", one);
	EXPECT_EQ(0, strncmp(one, "20 packets, ", 12));
	EXPECT_GT(strtoul(one + 12, NULL, 10), PACKETS * 50);
	ASSERT_TRUE(poll_packets(self->clock, true, other, self->others));
	EXPECT_STREQ(one, other);
	EXPECT_STREQ(self->lines, self->others);
}

/* Return: the tick in the first line of a trace with a word; 0: there is none. */
static unsigned long long tick_of(const char *line)
{
	const char *at = line ? strstr(line, "tick=") : NULL;

	return at ? strtoull(at + 5, NULL, 10) : 0;
}

/* The interrupt comes a number of simulated microseconds after the packet. */
TEST_F(hold, moderation)
{
	const double tick_ns = 40 / 7.;
	unsigned long long first, packet = COMPUTE;
	char command[32];

	if (getenv("TORUS_SHORT"))
		SKIP(return, "in the long form");
	snprintf(command, sizeof(command), "moderate %u", MICROSECONDS);
	ASSERT_EQ(0, file_write(NODE, command));
	ASSERT_EQ(0, file_write(TRACING "/trace", ""));
	ASSERT_TRUE(trace_switch("1"));
	EXPECT_EQ(0, status_of(program_start(self->clock)));
	EXPECT_TRUE(fabric_rests(FABRIC));
	trace_switch("0");
	trace_read(self->lines);
	first = tick_of(strstr(self->lines, "torus_port_interrupt"));
	printf("# sent after tick %llu, interrupt at tick %llu\n", packet, first);
	/* The packet needs fewer than 1000 ticks to its destination. */
	EXPECT_GE(first, packet + MICROSECONDS * 1000 / tick_ns);
	EXPECT_LT(first, packet + MICROSECONDS * 1000 / tick_ns + 1000);
}

TEST_HARNESS_MAIN

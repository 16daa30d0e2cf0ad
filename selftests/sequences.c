// SPDX-License-Identifier: GPL-2.0
/*
 * Random sequences of calls: open, attach, ioctl, mmap, writes to mappings, netlink messages with
 * valid and invalid attributes, and death by SIGKILL. Two processes run them in parallel on the
 * same fabrics. The kernel must log no report, and all fabrics must be deletable.
 *
 * TORUS_SEQUENCES sets their number (default 2000, with TORUS_SOAK 100000). TORUS_SEED sets the
 * number of the first one (default 1). A sequence's number is its seed.
 */
#include <signal.h>
#include <sys/time.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include "op_fuzzer.h"

#define SEQUENCES	2000
#define SEQUENCES_SOAK	100000
#define STEPS		24	/* maximum steps of a sequence */
#define PLAYERS		2
#define STUCK_MS	10	/* maximum duration of a waiting call */
#define MOST_BYTES	"33554432"	/* limit for all fabrics */

static const struct torus_nl_param virtual_time[] = {
	{ .key = "time", .text = "virtual", .is_text = true }, { .key = "programs", .value = 1 },
};

/* All fabrics of fabrics[] except the last one. */
static const struct torus_nl_fabric_spec specs[] = {
	{ .arch = "bgl", .ndims = 3, .dims = { 2, 2, 2 }, .domains = 2, .has_domains = true },
	{ .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 } },
	{ .arch = "xt", .ndims = 3, .dims = { 2, 2, 1 } },
	{ .arch = "bgl", .ndims = 3, .dims = { 2, 1, 1 }, .params = virtual_time, .nparams = 2 },
	{ .arch = "kncube", .ndims = 2, .dims = { 2, 2 } },
};

/* State that the players report to the test. */
struct sequences_shared {
	__u64 now[PLAYERS];	/* number of the present sequence */
	int own[PLAYERS];	/* the player kills itself */
};

/* --------------------------------------------------------------- mappings */

static void step_map(struct op_player *p)
{
	__u32 kind = number(p, 9), index = number(p, 7), i = below(p, MAPS);
	bool write = kind == TORUS_MAP_CONTROL || kind == TORUS_MAP_INJECT ||
		     kind == TORUS_MAP_STAMP || !below(p, 8);
	size_t bytes = below(p, 8) ? PAGE : number(p, 4) % 16 * PAGE;
	void *at;

	if (p->maps[i])
		return;
	at = mmap(NULL, bytes, PROT_READ | (write ? PROT_WRITE : 0),
		  below(p, 16) ? MAP_SHARED : MAP_PRIVATE, a_file(p),
		  (off_t)(TORUS_MAP_TOKEN(kind, index) & ~(1ull << 63)));
	/* keep only the first page of a longer mapping */
	if (at == MAP_FAILED)
		return;
	*(volatile char *)at;
	if (bytes > PAGE)
		munmap((char *)at + PAGE, bytes - PAGE);
	p->maps[i] = at;
	p->writable[i] = write;
}

static void step_unmap(struct op_player *p)
{
	__u32 i = below(p, MAPS);

	if (p->maps[i])
		munmap(p->maps[i], PAGE);
	p->maps[i] = NULL;
}

/* Make another call on a mapping. */
static void step_remap(struct op_player *p)
{
	void *at = p->maps[below(p, MAPS)];

	if (!at)
		return;
	switch (below(p, 4)) {
	case 0:
		mremap(at, PAGE, 2 * PAGE, 0);
		break;
	case 1:
		madvise(at, PAGE, number(p, 24));
		break;
	case 2:
		mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
		break;
	default:
		msync(at, PAGE, MS_SYNC);
	}
}

/* Write a command for an engine to the start of a mapping. */
static void scribble_command(struct op_player *p, unsigned char *at)
{
	const __u32 words[2] = {
		__builtin_bswap32(TORUS_TOFU_FIFO_GATE << TORUS_TOFU_FIFO_SHIFT |
				  below(p, 2) << TORUS_TOFU_A_SHIFT),
		__builtin_bswap32((__u32)TORUS_TOFU_PATH_ANY << TORUS_TOFU_PATH_SHIFT |
				  (TORUS_TOFU_COMMAND_CHUNKS - 1) << TORUS_TOFU_CHUNKS_SHIFT |
				  TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT),
	};
	const struct torus_tofu_command command = {
		.op = number(p, TORUS_TOFU_OPS), .atomic = number(p, TORUS_ATOMICS),
		.size = below(p, 2) ? 8 : 4, .vcq = number(p, 8), .peer_engine = number(p, 4),
		.peer_vcq = number(p, 8), .flags = number(p, 16), .steps = number(p, 2),
		.length = number(p, 3 * PAGE), .local = p->stadd + number(p, 64),
		.remote = p->stadd + number(p, 64),
	};

	memcpy(at, words, sizeof(words));
	memset(at + sizeof(words), 0, TORUS_TOFU_HEADER_BYTES - sizeof(words));
	memcpy(at + TORUS_TOFU_HEADER_BYTES, &command, sizeof(command));
}

/*
 * Write packets, a command or random data to a mapping. Random data are mostly small numbers, so
 * that indices are nearly valid.
 */
static void step_scribble(struct op_player *p)
{
	__u32 i = below(p, MAPS), k;
	unsigned char *at = p->maps[i];

	if (!at || !p->writable[i])
		return;
	switch (below(p, 4)) {
	case 0:
		for (k = 0; k < 4; k++) {
			const __u32 to[3] = { below(p, 2), below(p, 2), below(p, 2) };

			packet_make(at + 256 * k, 256, to, below(p, 2), k);
		}
		break;
	case 1:
		scribble_command(p, at);
		break;
	case 2:
		for (k = 0; k < 128; k++)
			((__u32 *)at)[k] = (__u32)number(p, RINGS);
		break;
	default:
		for (k = 0; k < 16; k++)
			((__u32 *)at)[below(p, PAGE / 4)] = (__u32)number(p, RINGS);
	}
	step_doorbell(p);
}

/* ---------------------------------------------------------------- netlink */

static void step_netlink(struct op_player *p)
{
	static struct chance_message message;
	static char answer[1 << 15];
	int answers = below(p, 8);

	if (!below(p, 16)) {
		close(p->netlink);
		p->netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	}
	chance_request(&p->random, &message, p->family, a_fabric(p));
	send(p->netlink, message.bytes, message.used, MSG_DONTWAIT);
	/* May leave a dump unfinished. */
	while (answers-- && recv(p->netlink, answer, sizeof(answer), MSG_DONTWAIT) > 0)
		;
}

/* Delete a fabric and create it again. */
static void step_fabric(struct op_player *p)
{
	__u32 i = below(p, ARRAY_SIZE(specs));
	struct torus_nl_fabric_spec spec = specs[i];

	if (below(p, 4))
		return;
	spec.name = fabrics[i];
	fabric_del(spec.name);
	nl_with(ask_add, &spec, NULL, 0);
}

/* Stop a workload that a random message may have started, and reset the fabric. */
static int ask_quiet(struct torus_nl *nl, const void *arg)
{
	torus_nl_do(nl, torus_nl_message(nl, TORUS_CMD_TRAFFIC_STOP, arg), NULL, NULL);
	return torus_nl_fabric_reset(nl, arg);
}

static void step_quiet(struct op_player *p)
{
	nl_with(ask_quiet, a_fabric(p), NULL, 0);
}

/* ---------------------------------------------------------------- players */

static void (*const steps[])(struct op_player *p) = {
	step_open, step_open, step_close, step_attach, step_attach, step_attach, step_attach,
	step_ask, step_ask, step_register, step_unregister, step_clock, step_gates, step_gates,
	step_gates, step_ioctl, step_doorbell, step_poll, step_read, step_fork, step_map, step_map,
	step_map, step_map, step_unmap, step_remap, step_scribble, step_scribble, step_scribble,
	step_scribble, step_scribble, step_scribble, step_netlink, step_netlink, step_netlink,
	step_netlink, step_fabric, step_quiet,
};

static void woken(int signal)
{
}

/* Interrupt waiting calls every @ms milliseconds. */
static void limit(int ms)
{
	const struct itimerval timer = {
		.it_value.tv_usec = ms * 1000, .it_interval.tv_usec = ms * 1000,
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void sequence(struct op_player *p, __u64 seed)
{
	__u32 count, i;

	p->random = mix(seed);
	for (i = 0; i < FILES; i++)
		p->files[i] = -1;
	count = 1 + below(p, STEPS);
	step_open(p);
	step_attach(p);
	while (count--)
		steps[below(p, ARRAY_SIZE(steps))](p);
	/* Every second sequence closes its files before it unmaps. */
	for (i = 0; i < FILES && seed & 1; i++)
		close(p->files[i]);
	for (i = 0; i < MAPS; i++) {
		if (p->maps[i])
			munmap(p->maps[i], PAGE);
		p->maps[i] = NULL;
	}
	for (i = 0; i < FILES && !(seed & 1); i++)
		close(p->files[i]);
}

/* Run every PLAYERS-th sequence from @seed to @end - 1. */
static void player(struct sequences_shared *shared, int number, __u16 family, __u64 seed, __u64 end)
{
	static struct op_player p;
	const struct sigaction action = { .sa_handler = woken };

	p.family = family;
	p.netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	p.area = mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p.area == MAP_FAILED || p.netlink < 0 || sigaction(SIGALRM, &action, NULL))
		_exit(1);
	limit(STUCK_MS);
	for (; seed < end; seed += PLAYERS) {
		__atomic_store_n(&shared->now[number], seed, __ATOMIC_RELEASE);
		sequence(&p, seed);
		if (!below(&p, 16)) {
			step_open(&p);
			step_attach(&p);
			step_map(&p);
			step_scribble(&p);
			__atomic_store_n(&shared->own[number], 1, __ATOMIC_RELEASE);
			kill(getpid(), SIGKILL);
		}
	}
	_exit(0);
}

/* Return: the kernel's taint flags for reports, or 0 if there was no report. */
static unsigned long kernel_tainted(void)
{
	FILE *file = fopen("/proc/sys/kernel/tainted", "re");
	unsigned long bits = ~0ul;

	if (file && fscanf(file, "%lu", &bits) != 1)
		bits = ~0ul;
	if (file)
		fclose(file);
	/* flags of a warning, an oops and a bad page */
	return bits & (1ul << 9 | 1ul << 7 | 1ul << 5);
}

static int family_id(void)
{
	struct nl_sock *sock = nl_socket_alloc();
	int id = sock && !genl_connect(sock) ? genl_ctrl_resolve(sock, TORUS_GENL_NAME) : -1;

	nl_socket_free(sock);
	return id;
}

FIXTURE(sequences)
{
	char max_bytes[32];
	struct sequences_shared *shared;
	int family;
};

FIXTURE_SETUP(sequences)
{
	struct torus_nl_fabric_spec spec;
	size_t i;

	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	self->family = family_id();
	ASSERT_LT(0, self->family);
	ASSERT_TRUE(module_parameter("max_bytes", MOST_BYTES, self->max_bytes,
				     sizeof(self->max_bytes)));
	for (i = 0; i < ARRAY_SIZE(specs); i++) {
		spec = specs[i];
		spec.name = fabrics[i];
		fabric_del(spec.name);
		ASSERT_EQ(0, nl_with(ask_add, &spec, NULL, 0));
	}
}

FIXTURE_TEARDOWN(sequences)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fabrics); i++)
		fabric_del(fabrics[i]);
	EXPECT_TRUE(module_parameter("max_bytes", self->max_bytes, NULL, 0));
	EXPECT_EQ(0, kernel_tainted());
}

static __u64 setting(const char *name, __u64 otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Run all sequences. Kill a player about every 80 ms, in turn. */
TEST_F_TIMEOUT(sequences, drawn, 36000)
{
	__u64 first = setting("TORUS_SEED", 1), end = first +
		setting("TORUS_SEQUENCES", getenv("TORUS_SOAK") ? SEQUENCES_SOAK : SEQUENCES);
	unsigned int kills = 0, ends = 0, turns = 0;
	pid_t pids[PLAYERS];
	int status, i;

	for (i = 0; i < PLAYERS; i++)
		self->shared->now[i] = first + i - PLAYERS;
	memset(pids, 0, sizeof(pids));
	while (ends < PLAYERS && !kernel_tainted()) {
		for (ends = i = 0; i < PLAYERS; i++) {
			if (pids[i] > 0 && waitpid(pids[i], &status, WNOHANG) == pids[i]) {
				bool done = WIFEXITED(status) && !WEXITSTATUS(status);

				if (!done && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
					TH_LOG("status %x in sequence %llu", status,
					       self->shared->now[i]);
				ASSERT_TRUE(done || (WIFSIGNALED(status) &&
						     WTERMSIG(status) == SIGKILL));
				pids[i] = done ? -1 : 0;
			}
			if (!pids[i]) {
				pids[i] = start();
				if (!pids[i])
					player(self->shared, i, self->family,
					       self->shared->now[i] + PLAYERS, end);
			}
			ends += pids[i] < 0;
		}
		usleep(5000);
		if (!(++turns % 16) && pids[turns / 16 % PLAYERS] > 0) {
			kill(pids[turns / 16 % PLAYERS], SIGKILL);
			kills++;
		}
		if (!(turns % 1024))
			TH_LOG("sequence %llu, %u kills", self->shared->now[0], kills);
	}
	TH_LOG("sequences %llu to %llu, %u killed from outside", first, end - 1, kills);
	if (kernel_tainted())
		TH_LOG("the kernel complained in sequence %llu or %llu", self->shared->now[0],
		       self->shared->now[1]);
	EXPECT_EQ(0, kernel_tainted());
}

TEST_HARNESS_MAIN

// SPDX-License-Identifier: GPL-2.0
/*
 * torus-demo: a process at every node of a fabric, and messages between them.
 *
 * Three phases: a ring, in which a token goes round all nodes; a halo exchange,
 * in which every node talks to its neighbours; and an all-to-all of messages of
 * mixed lengths.  The bytes of a message are a function of its source, its
 * destination and its number, and the receiver compares every one of them.
 *
 * The processes share a page of counters with their parent, which prints, and
 * which ends them all as soon as one fails.
 */
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <torus/message.h>

#define PROCESSES_MAX	4096
#define LENGTH_MAX	65536u
#define RING_CHUNKS	512
#define FAILURES_SHOWN	4

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

enum phase { PHASE_RING, PHASE_HALO, PHASE_ALL, PHASES };

static const char * const phase_names[PHASES] = { "ring", "halo", "all-to-all" };

/* Those that must stay in order between two nodes, and those that need not. */
static const enum torus_route phase_routes[PHASES] = {
	TORUS_ROUTE_ORDERED, TORUS_ROUTE_ORDERED, TORUS_ROUTE_DYNAMIC,
};

/**
 * struct tally - what one process has verified, written by it alone
 * @messages: by phase
 * @bytes: by phase
 * @packets: sent
 * @rejected: packets that the message layer threw away
 * @bad: messages damaged or lost
 * @failure: why it failed, empty if it has not
 */
struct tally {
	__u64 messages[PHASES];
	__u64 bytes[PHASES];
	__u64 packets;
	__u64 rejected;
	__u64 bad;
	char failure[256];
};

/**
 * struct shared - what parent and processes share
 * @barrier: all processes, between phases
 * @key: of the job; each phase adds one
 * @begin_ns: when each phase began, CLOCK_MONOTONIC
 * @end_ns: when it had ended everywhere
 * @tally: by rank
 */
struct shared {
	pthread_barrier_t barrier;
	__u32 key;
	__u64 begin_ns[PHASES];
	__u64 end_ns[PHASES];
	struct tally tally[];
};

/**
 * struct process - one process
 * @rank: its rank, which is its node's number
 * @count: processes
 * @context: its FIFOs
 * @job: the phase's job
 * @phase: the phase
 * @tally: its own
 */
struct process {
	__u32 rank;
	__u32 count;
	struct torus_context *context;
	struct torus_job *job;
	enum phase phase;
	struct tally *tally;
};

static struct {
	const char *fabric;
	unsigned int laps;
	unsigned int iterations;
	__u32 halo_bytes;
	unsigned int rounds;
	__u32 length_max;
	unsigned int timeout_s;
	unsigned int spins;
	unsigned int yields;
	bool json;
	bool progress;
	bool lines;
} options = {
	.laps = 4,
	.iterations = 4,
	.halo_bytes = 2048,
	.rounds = 1,
	.length_max = LENGTH_MAX,
	.timeout_s = 300,
	/* There are far more processes than processors. */
	.spins = 1,
	.yields = 1,
};

static struct shared *shared;
static pid_t *pids;
static unsigned int living;

static __u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static __u64 mix(__u64 z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* ------------------------------------------------------------------ content */

static __u64 message_seed(enum phase phase, __u32 source, __u32 dest, __u32 id)
{
	return mix(mix(mix((__u64)phase << 32 | source) ^ dest) ^ id);
}

/* Eight bytes of a message at a time; the last of them may be cut. */
static __u64 message_word(__u64 seed, __u32 at)
{
	return (seed + at) * 0x9e3779b97f4a7c15ull ^ seed >> 17;
}

static void message_fill(unsigned char *bytes, __u64 seed, __u32 length)
{
	__u32 at;

	for (at = 0; at < length; at += 8) {
		__u64 word = message_word(seed, at);

		memcpy(bytes + at, &word, length - at < 8 ? length - at : 8);
	}
}

/* Where a message differs from what it should be, or @length. */
static __u32 message_compare(const unsigned char *bytes, __u64 seed, __u32 length)
{
	__u32 at, i;

	for (at = 0; at < length; at += 8) {
		__u64 word = message_word(seed, at);
		__u32 part = length - at < 8 ? length - at : 8;

		if (!memcmp(bytes + at, &word, part))
			continue;
		for (i = 0; i < part; i++)
			if (bytes[at + i] != ((unsigned char *)&word)[i])
				return at + i;
	}
	return length;
}

/*
 * Lengths of 1 byte to 64 KB: of two powers of two the smaller, and anything from
 * there to the next; and from each source and to each destination one of 1 byte
 * and one of 64 KB.
 */
static __u32 mixed_length(__u32 source, __u32 dest, __u32 id, __u32 count)
{
	__u64 random = mix(message_seed(PHASE_ALL, source, dest, id));
	__u32 place = (source + dest + id) % count;
	__u32 bits = 0, one, other, length;

	if (place < 2)
		return place ? 1 : options.length_max;
	while (options.length_max >> (bits + 1))
		bits++;
	one = (random & 0xffff) % bits;
	other = (random >> 16 & 0xffff) % bits;
	length = 1u << (one < other ? one : other);
	return length + (random >> 32) % length;
}

static __u32 lap_length(unsigned int lap)
{
	static const __u32 lengths[] = { 1, 220, 221, 4096 };

	return lengths[lap % ARRAY_SIZE(lengths)];
}

/* ------------------------------------------------------------------ a process */

static void __attribute((noreturn, format(printf, 2, 3)))
fail(struct process *process, const char *format, ...)
{
	char *failure = process->tally->failure;
	va_list args;

	va_start(args, format);
	vsnprintf(failure, sizeof(process->tally->failure), format, args);
	va_end(args);
	_exit(1);
}

static void must(struct process *process, int ret, const char *what)
{
	if (ret < 0)
		fail(process, "%s: %s", what,
		     ret == -ETIMEDOUT ? "no message came in time" : torus_error_text());
}

static void *prepare(struct process *process, __u32 dest, __u32 id, __u32 length)
{
	void *bytes = malloc(length);

	if (!bytes)
		fail(process, "no memory for a message of %u bytes", length);
	message_fill(bytes, message_seed(process->phase, process->rank, dest, id), length);
	return bytes;
}

/* Take a message, compare all of it, count it. */
static void expect(struct process *process, long long source, __s64 tag, __u32 length,
		   struct torus_message_info *info)
{
	struct tally *tally = process->tally;
	void *bytes;
	__u32 wrong;
	int ret;

	ret = torus_message_take(process->job, source, tag, &bytes, info,
				 options.timeout_s * 1000);
	if (ret == -EBADMSG)
		tally->bad++;
	must(process, ret, "receive");
	if (!length)
		length = mixed_length(info->source, process->rank, info->tag, process->count);
	if (info->length != length)
		fail(process, "message %u from rank %u has %u bytes instead of %u", info->tag,
		     info->source, info->length, length);
	wrong = message_compare(bytes, message_seed(process->phase, info->source, process->rank,
						    info->tag), length);
	if (wrong < length)
		fail(process, "message %u from rank %u is wrong at byte %u of %u", info->tag,
		     info->source, wrong, length);
	free(bytes);
	__atomic_store_n(&tally->messages[process->phase],
			 tally->messages[process->phase] + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&tally->bytes[process->phase],
			 tally->bytes[process->phase] + length, __ATOMIC_RELAXED);
}

static void run_ring(struct process *process)
{
	__u32 next = (process->rank + 1) % process->count;
	__u32 last = (process->rank + process->count - 1) % process->count;
	struct torus_message_info info;
	unsigned int lap;

	for (lap = 0; lap < options.laps; lap++) {
		__u32 length = lap_length(lap);
		void *bytes = prepare(process, next, lap, length);

		if (process->rank)
			expect(process, last, lap, length, &info);
		must(process, torus_message_send(process->job, next, lap, bytes, length), "send");
		if (!process->rank)
			expect(process, last, lap, length, &info);
		free(bytes);
	}
}

/* The neighbour in direction @dir, 0 = x+, 1 = x-, 2 = y+ ..; -1: none. */
static long long neighbour(struct process *process, unsigned int dir)
{
	const struct torus_ioc_info *info = torus_context_info(process->context);
	__u32 coords[TORUS_DIMS_MAX];
	unsigned int dim = dir / 2;
	bool plus = !(dir & 1);
	__u32 node;

	if (info->dims[dim] == 1)
		return -1;
	memcpy(coords, info->coords, sizeof(coords));
	if (info->mesh >> dim & 1 && coords[dim] == (plus ? info->dims[dim] - 1 : 0))
		return -1;
	coords[dim] = (coords[dim] + (plus ? 1 : info->dims[dim] - 1)) % info->dims[dim];
	must(process, torus_node_locate(process->context, coords, &node), "locate");
	return node;
}

static void run_halo(struct process *process)
{
	unsigned int dirs = 2 * torus_context_info(process->context)->ndims;
	long long neighbours[2 * TORUS_DIMS_MAX];
	void *bytes[2 * TORUS_DIMS_MAX];
	struct torus_message_info info;
	unsigned int i, dir;

	for (dir = 0; dir < dirs; dir++)
		neighbours[dir] = neighbour(process, dir);
	for (i = 0; i < options.iterations; i++) {
		for (dir = 0; dir < dirs; dir++) {
			__u32 tag = i * dirs + dir;

			bytes[dir] = NULL;
			if (neighbours[dir] < 0)
				continue;
			bytes[dir] = prepare(process, neighbours[dir], tag, options.halo_bytes);
			must(process, torus_message_start(process->job, neighbours[dir], tag,
							  bytes[dir], options.halo_bytes, NULL),
			     "send");
		}
		/* What the neighbour in x+ has sent in its direction x-, and so on. */
		for (dir = 0; dir < dirs; dir++)
			if (neighbours[dir] >= 0)
				expect(process, neighbours[dir], i * dirs + (dir ^ 1),
				       options.halo_bytes, &info);
		must(process, torus_message_flush(process->job, options.timeout_s * 1000),
		     "flush");
		for (dir = 0; dir < dirs; dir++)
			free(bytes[dir]);
	}
}

static void run_all(struct process *process)
{
	void **bytes = calloc(process->count, sizeof(*bytes));
	unsigned char *seen = calloc(process->count, 1);
	struct torus_message_info info;
	unsigned int round;
	__u32 i;

	if (!bytes || !seen)
		fail(process, "no memory");
	for (round = 0; round < options.rounds; round++) {
		for (i = 0; i < process->count; i++) {
			__u32 dest = (process->rank + i) % process->count;
			__u32 length = mixed_length(process->rank, dest, round, process->count);

			bytes[i] = prepare(process, dest, round, length);
			must(process, torus_message_start(process->job, dest, round, bytes[i],
							  length, NULL), "send");
		}
		for (i = 0; i < process->count; i++) {
			expect(process, TORUS_MESSAGE_ANY, round, 0, &info);
			if (seen[info.source]++ != round)
				fail(process, "message %u from rank %u came twice", round,
				     info.source);
		}
		must(process, torus_message_flush(process->job, options.timeout_s * 1000),
		     "flush");
		for (i = 0; i < process->count; i++)
			free(bytes[i]);
	}
	free(seen);
	free(bytes);
}

static void run_phase(struct process *process, enum phase phase)
{
	static void (* const run[PHASES])(struct process *process) = {
		run_ring, run_halo, run_all,
	};
	struct torus_job_config config = {
		.key = shared->key + phase,
		.route = phase_routes[phase],
	};
	struct torus_job_counts counts;

	process->phase = phase;
	must(process, torus_job_open(&process->job, process->context, &config), "job");
	/* Senders start when all have attached and opened the job. */
	pthread_barrier_wait(&shared->barrier);
	if (!process->rank)
		shared->begin_ns[phase] = now_ns();
	run[phase](process);
	must(process, torus_job_barrier(process->job, options.timeout_s * 1000), "barrier");
	if (!process->rank)
		shared->end_ns[phase] = now_ns();
	must(process, torus_message_flush(process->job, options.timeout_s * 1000), "flush");
	torus_job_counts(process->job, &counts);
	process->tally->packets += counts.sent_packets;
	process->tally->bad += counts.damaged + counts.lost;
	process->tally->rejected += counts.rejected_key + counts.rejected_source +
				    counts.rejected_size + counts.rejected_number +
				    counts.rejected_index + counts.rejected_duplicate +
				    counts.rejected_mismatch;
	/* Not before everybody has what we sent: the next job would not know it. */
	pthread_barrier_wait(&shared->barrier);
	torus_job_close(process->job);
}

static void __attribute((noreturn)) run_process(__u32 rank, __u32 count)
{
	const struct torus_attach_config config = {
		.inject_chunks = RING_CHUNKS, .receive_chunks = RING_CHUNKS,
	};
	struct process process = { .rank = rank, .count = count, .tally = &shared->tally[rank] };
	unsigned int phase;

	must(&process, torus_context_attach(&process.context, options.fabric, rank, &config),
	     "attach");
	torus_wait_tune(process.context, options.spins, options.yields);
	for (phase = 0; phase < PHASES; phase++)
		run_phase(&process, phase);
	torus_context_detach(process.context);
	_exit(0);
}

/* ------------------------------------------------------------------ the parent */

static void end_all(__u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
	for (i = 0; i < count; i++)
		if (pids[i] > 0)
			waitpid(pids[i], NULL, 0);
	living = 0;
}

static void start_all(__u32 count, const sigset_t *mask)
{
	pid_t parent = getpid();
	__u32 i;

	for (i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] < 0) {
			perror("torus-demo: fork");
			end_all(i);
			exit(1);
		}
		if (!pids[i]) {
			/* However the parent ends, we end with it. */
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(1);
			sigprocmask(SIG_SETMASK, mask, NULL);
			run_process(i, count);
		}
		living++;
	}
}

struct totals {
	__u64 messages[PHASES];
	__u64 bytes[PHASES];
};

static __u64 sum(const __u64 values[PHASES])
{
	__u64 all = 0;
	unsigned int i;

	for (i = 0; i < PHASES; i++)
		all += values[i];
	return all;
}

static void expected_totals(const struct torus_fabric_info *fabric, struct totals *totals)
{
	__u32 n = fabric->nodes, dim, source, dest;
	unsigned int i;

	memset(totals, 0, sizeof(*totals));
	for (i = 0; i < options.laps; i++) {
		totals->messages[PHASE_RING] += n;
		totals->bytes[PHASE_RING] += (__u64)n * lap_length(i);
	}
	for (dim = 0; dim < fabric->ndims; dim++) {
		__u64 links = 2ull * n;

		if (fabric->dims[dim] == 1)
			continue;
		if (fabric->mesh >> dim & 1)
			links -= 2 * n / fabric->dims[dim];
		totals->messages[PHASE_HALO] += links * options.iterations;
	}
	totals->bytes[PHASE_HALO] = totals->messages[PHASE_HALO] * options.halo_bytes;
	for (i = 0; i < options.rounds; i++)
		for (source = 0; source < n; source++)
			for (dest = 0; dest < n; dest++)
				totals->bytes[PHASE_ALL] += mixed_length(source, dest, i, n);
	totals->messages[PHASE_ALL] = (__u64)n * n * options.rounds;
}

static void verified_totals(__u32 count, struct totals *totals)
{
	unsigned int phase;
	__u32 i;

	memset(totals, 0, sizeof(*totals));
	for (i = 0; i < count; i++)
		for (phase = 0; phase < PHASES; phase++) {
			const struct tally *tally = &shared->tally[i];

			totals->messages[phase] += __atomic_load_n(&tally->messages[phase],
								   __ATOMIC_RELAXED);
			totals->bytes[phase] += __atomic_load_n(&tally->bytes[phase],
								__ATOMIC_RELAXED);
		}
}

/* One line that changes, or, where lines stay, a new one every two seconds. */
static void show_progress(__u32 count, const struct totals *expected, __u64 start_ns, bool last)
{
	static __u64 shown_ns;
	struct totals now;

	if (!options.progress ||
	    (!last && now_ns() - shown_ns < (options.lines ? 2000000000 : 200000000)))
		return;
	shown_ns = now_ns();
	verified_totals(count, &now);
	fprintf(stderr,
		"%s%5.1f s  ring %llu/%llu  halo %llu/%llu  all-to-all %llu/%llu  %.1f of %.1f MB%s",
		options.lines ? "" : "\r", (now_ns() - start_ns) / 1e9,
		now.messages[PHASE_RING], expected->messages[PHASE_RING],
		now.messages[PHASE_HALO], expected->messages[PHASE_HALO],
		now.messages[PHASE_ALL], expected->messages[PHASE_ALL],
		sum(now.bytes) / 1e6, sum(expected->bytes) / 1e6,
		options.lines || last ? "\n" : "");
	fflush(stderr);
}

/* Wait for all processes.  0, or the exit status for what went wrong. */
static int watch(__u32 count, const sigset_t *signals, const struct totals *expected)
{
	const struct timespec pause = { .tv_nsec = 200000000 };
	__u64 start_ns = now_ns();
	bool failed = false;

	while (living) {
		int got = sigtimedwait(signals, NULL, &pause);
		int status;
		pid_t pid;
		__u32 i;

		if (got == SIGINT || got == SIGTERM || got == SIGHUP) {
			end_all(count);
			fprintf(stderr, "%storus-demo: interrupted\n",
				options.progress ? "\n" : "");
			return 128 + got;
		}
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
			for (i = 0; i < count && pids[i] != pid; i++)
				;
			if (i == count)
				continue;
			pids[i] = 0;
			living--;
			if (WIFSIGNALED(status) && !shared->tally[i].failure[0])
				snprintf(shared->tally[i].failure,
					 sizeof(shared->tally[i].failure),
					 "killed by signal %d", WTERMSIG(status));
			failed |= status;
		}
		if (failed || (now_ns() - start_ns) / 1000000000 >= options.timeout_s) {
			if (!failed)
				fprintf(stderr, "torus-demo: not done after %u s\n",
					options.timeout_s);
			end_all(count);
			return 1;
		}
		show_progress(count, expected, start_ns, false);
	}
	show_progress(count, expected, start_ns, true);
	return 0;
}

/* 0 for a phase that has not ended. */
static double phase_seconds(unsigned int phase)
{
	if (!shared->end_ns[phase])
		return 0;
	return (shared->end_ns[phase] - shared->begin_ns[phase]) / 1e9;
}

static void print_text(const struct totals *totals, __u64 packets, __u64 rejected, __u64 bad,
		       bool right)
{
	unsigned int i;

	for (i = 0; i < PHASES; i++)
		printf("%-11s %6llu messages %10llu bytes verified %8.2f s\n", phase_names[i],
		       totals->messages[i], totals->bytes[i],
		       phase_seconds(i));
	fprintf(stdout,
		"%-11s %6llu messages %10llu bytes verified, %llu packets sent, %llu rejected, %llu messages bad\n",
		right ? "all right" : "NOT RIGHT", sum(totals->messages), sum(totals->bytes),
		packets, rejected, bad);
}

static void print_json(const struct torus_fabric_info *fabric, const struct totals *totals,
		       __u64 packets, __u64 rejected, __u64 bad, bool right)
{
	unsigned int i;

	printf("{\"fabric\":\"%s\",\"processes\":%u,\"phases\":[", fabric->name, fabric->nodes);
	for (i = 0; i < PHASES; i++)
		fprintf(stdout,
			"%s{\"name\":\"%s\",\"messages\":%llu,\"bytes\":%llu,\"seconds\":%.6f}",
			i ? "," : "", phase_names[i], totals->messages[i], totals->bytes[i],
			phase_seconds(i));
	fprintf(stdout,
		"],\"messages\":%llu,\"bytes\":%llu,\"packets\":%llu,\"rejected\":%llu,\"bad\":%llu,\"ok\":%s}\n",
		sum(totals->messages), sum(totals->bytes), packets, rejected, bad,
		right ? "true" : "false");
}

static int report(const struct torus_fabric_info *fabric, const struct totals *expected, int status)
{
	__u64 packets = 0, rejected = 0, bad = 0;
	unsigned int failures = 0;
	struct totals totals;
	bool right;
	__u32 i;

	for (i = 0; i < fabric->nodes; i++) {
		const struct tally *tally = &shared->tally[i];

		packets += tally->packets;
		rejected += tally->rejected;
		bad += tally->bad;
		if (tally->failure[0] && failures++ < FAILURES_SHOWN)
			fprintf(stderr, "torus-demo: rank %u: %.255s\n", i, tally->failure);
	}
	if (failures > FAILURES_SHOWN)
		fprintf(stderr, "torus-demo: and %u more\n", failures - FAILURES_SHOWN);
	verified_totals(fabric->nodes, &totals);
	right = !status && !bad && !memcmp(&totals, expected, sizeof(totals));
	if (options.json)
		print_json(fabric, &totals, packets, rejected, bad, right);
	else
		print_text(&totals, packets, rejected, bad, right);
	return right ? 0 : status ? status : 1;
}

/* ------------------------------------------------------------------ options */

static void usage(FILE *to)
{
	fprintf(to,
		"torus-demo FABRIC [OPTION]...\n"
		"  --laps N         laps of the ring's token (4)\n"
		"  --iterations N   halo exchanges (4)\n"
		"  --halo BYTES     length of a halo message (2048)\n"
		"  --rounds N       all-to-alls (1, at most 200)\n"
		"  --length BYTES   longest message of the all-to-all (65536)\n"
		"  --timeout S      give up after so many seconds (300)\n"
		"  --spins N        looks at the rings before a wait yields (1)\n"
		"  --yields N       and yields before it sleeps (1)\n"
		"  --progress       a line every two seconds; a terminal gets one that changes\n"
		"  --json           print one JSON document\n"
		"  --help           print this\n"
		"A process at every node; the exit status is 0 if all bytes were right.\n");
}

static unsigned long parse_number(const char *option, const char *text, unsigned long min,
				  unsigned long max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < min || value > max) {
		fprintf(stderr, "torus-demo: --%s %s: a number of %lu to %lu is wanted\n", option,
			text, min, max);
		exit(2);
	}
	return value;
}

static void parse(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "laps", required_argument, NULL, 'l' },
		{ "iterations", required_argument, NULL, 'i' },
		{ "halo", required_argument, NULL, 'b' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "length", required_argument, NULL, 'n' },
		{ "timeout", required_argument, NULL, 't' },
		{ "spins", required_argument, NULL, 's' },
		{ "yields", required_argument, NULL, 'y' },
		{ "progress", no_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int opt;

	options.progress = isatty(STDERR_FILENO);
	while ((opt = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (opt) {
		case 'l':
			options.laps = parse_number("laps", optarg, 0, 1000000);
			break;
		case 'i':
			options.iterations = parse_number("iterations", optarg, 0, 1000000);
			break;
		case 'b':
			options.halo_bytes = parse_number("halo", optarg, 1, 1 << 24);
			break;
		case 'r':
			options.rounds = parse_number("rounds", optarg, 0, 200);
			break;
		case 'n':
			options.length_max = parse_number("length", optarg, 2, 1 << 24);
			break;
		case 't':
			options.timeout_s = parse_number("timeout", optarg, 1, 1000000);
			break;
		case 's':
			options.spins = parse_number("spins", optarg, 0, 1000000);
			break;
		case 'y':
			options.yields = parse_number("yields", optarg, 0, 1000000);
			break;
		case 'p':
			options.progress = true;
			options.lines = true;
			break;
		case 'j':
			options.json = true;
			break;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			usage(stderr);
			exit(2);
		}
	}
	if (optind + 1 != argc) {
		usage(stderr);
		exit(2);
	}
	options.fabric = argv[optind];
}

int main(int argc, char **argv)
{
	struct torus_fabric_info fabric;
	pthread_barrierattr_t attr;
	struct totals expected;
	sigset_t signals, mask;
	size_t bytes;

	parse(argc, argv);
	if (torus_fabric_find(options.fabric, &fabric)) {
		fprintf(stderr, "torus-demo: %s\n", torus_error_text());
		return 1;
	}
	if (fabric.nodes < 2 || fabric.nodes > PROCESSES_MAX) {
		fprintf(stderr, "torus-demo: fabric %s has %u nodes: 2 to %u will do\n",
			fabric.name, fabric.nodes, PROCESSES_MAX);
		return 1;
	}
	bytes = sizeof(*shared) + fabric.nodes * sizeof(shared->tally[0]);
	shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pids = calloc(fabric.nodes, sizeof(*pids));
	if (shared == MAP_FAILED || !pids) {
		perror("torus-demo");
		return 1;
	}
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->barrier, &attr, fabric.nodes);
	if (getrandom(&shared->key, sizeof(shared->key), 0) != sizeof(shared->key))
		shared->key = mix(now_ns() ^ getpid());

	/* Signals are waited for, so that no child outlives an interrupt. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &mask);
	expected_totals(&fabric, &expected);
	start_all(fabric.nodes, &mask);
	return report(&fabric, &expected, watch(fabric.nodes, &signals, &expected));
}

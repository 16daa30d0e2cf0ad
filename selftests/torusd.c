// SPDX-License-Identifier: GPL-2.0
/*
 * torusd: cables of a Cray XT are cut for longer than the permitted time and repaired, while
 * processes send to each other. For each pair of processes, each packet arrives once or is reported
 * as lost. Tables are changed both at one tick and with the network drained.
 *
 * Afterwards the module is unloaded and loaded again while torusd runs, and finally poll() fails.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <torus/torus.h>
#include "device.h"
#include "../user/netlink/link.h"
#include "kselftest.h"

#define FABRIC	"torusd"
#define NODES	64u
#define SEQS	32768u		/* maximum packets per pair */
#define HOLD_MS	150
#define CHANGED	FABRIC " table cable entries"	/* words of the log line for new tables */
#define BYTES	72u		/* bytes per packet: nine flits */
/* maximum cables cut in a short run, until one of them has lost a packet */
#define CABLES	24u

/*
 * Packets that a dead cable may lose: for each direction a window of 128 packets, and the contents
 * of 24 staging buffers of 16 flits.
 */
#define LOST_MAX	(2 * (128 + 24 * (16 / (BYTES / 8))))

/* Counts that the processes record, by source and destination. */
struct account {
	__u32 sent[NODES][NODES];
	__u32 got[NODES][NODES];
	__u32 lost[NODES][NODES];
	unsigned char seen[NODES][NODES][SEQS / 8];
	__u32 twice;
	__u32 strange;		/* packets or notices that match no sent packet */
	__u32 ready;
	__u32 ended;		/* processes whose packets have all completed */
	bool stop;
};

static struct account *account;
static __u64 most_lost;		/* maximum that one cable lost */
static bool few;		/* run a process on one node of each line only */

static bool takes_part(__u32 node)
{
	return !few || !((node + node / 4 + node / 16) % 4);
}

/* Content of a packet after its header. */
struct words {
	__u32 src;
	__u32 seq;
	__u32 check;
};

static void take_packets(struct torus_context *context, __u32 me)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	unsigned char packet[128];
	struct words words;
	int bytes;

	while ((bytes = torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet))) > 0) {
		memcpy(&words, packet + info->header_bytes, sizeof(words));
		if (words.src >= NODES || words.seq >= SEQS ||
		    words.check != (words.src ^ words.seq ^ me ^ 0x7075)) {
			__atomic_fetch_add(&account->strange, 1, __ATOMIC_RELAXED);
			continue;
		}
		account->got[words.src][me]++;
		if (account->seen[words.src][me][words.seq / 8] >> words.seq % 8 & 1)
			__atomic_fetch_add(&account->twice, 1, __ATOMIC_RELAXED);
		account->seen[words.src][me][words.seq / 8] |= 1u << words.seq % 8;
	}
}

static void take_notices(struct torus_context *context, __u32 me)
{
	struct torus_notice notice;

	while (torus_notice_take(context, &notice) > 0) {
		if (notice.flags & TORUS_NOTICE_WAITS)
			continue;
		if (notice.reason == TORUS_DROP_LINK_DEAD && notice.dest < NODES &&
		    !(notice.flags & TORUS_NOTICE_ALL)) {
			account->lost[me][notice.dest]++;
			continue;
		}
		__atomic_fetch_add(&account->strange, 1, __ATOMIC_RELAXED);
		fprintf(stderr, "# node %u: a packet to %u: %s at %u\n", me, notice.dest,
			torus_error_notice(notice.reason), notice.node);
	}
}

static bool send_one(struct torus_context *context, __u32 me, __u32 to)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	struct words words = { .src = me, .seq = account->sent[me][to] };
	unsigned char packet[BYTES] = { 0 };
	int ret;

	if (words.seq == SEQS)
		return true;
	words.check = me ^ words.seq ^ to ^ 0x7075;
	if (torus_packet_begin(context, packet, BYTES, to, 0, TORUS_ROUTE_ORDERED) < 0)
		return false;
	memcpy(packet + info->header_bytes, &words, sizeof(words));
	ret = torus_inject_try(context, TORUS_FIFO_ANY, packet, BYTES);
	if (ret >= 0)
		account->sent[me][to]++;
	return ret >= 0 || ret == -EAGAIN;
}

static bool all_ended(struct torus_context *context)
{
	return torus_inject_idle(context) > 0 && torus_inject_ended(context) > 0;
}

static int process(__u32 me)
{
	struct torus_context *context;
	__u32 to = me, count = 0, processes = few ? NODES / 4 : NODES;
	bool ended = false;

	if (torus_context_attach(&context, FABRIC, me, NULL)) {
		fprintf(stderr, "# node %u: %s\n", me, torus_error_text());
		return 1;
	}
	__atomic_fetch_add(&account->ready, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&account->ready, __ATOMIC_ACQUIRE) < processes)
		usleep(1000);
	while (__atomic_load_n(&account->ended, __ATOMIC_ACQUIRE) < processes) {
		take_packets(context, me);
		take_notices(context, me);
		if (!__atomic_load_n(&account->stop, __ATOMIC_ACQUIRE)) {
			do
				to = (to + 1) % NODES;
			while (!takes_part(to));
			if (to != me && !send_one(context, me, to)) {
				fprintf(stderr, "# node %u: %s\n", me, torus_error_text());
				return 1;
			}
			if (!(++count % 16))
				usleep(2000);
			continue;
		}
		if (!ended && all_ended(context)) {
			ended = true;
			__atomic_fetch_add(&account->ended, 1, __ATOMIC_RELEASE);
		}
		usleep(1000);
	}
	/* receive the last packets, which are in the rings by now */
	take_packets(context, me);
	take_notices(context, me);
	torus_context_detach(context);
	return 0;
}

/* -------------------------------------------------------------------- cables */

static int ask_state(struct torus_nl *nl, const void *arg)
{
	return torus_nl_link_set(nl, FABRIC, arg);
}

static __u32 neighbour(__u32 node, __u32 dir)
{
	/* in the node numbers of a 4x4x4 machine, z varies fastest */
	static const __u32 unit[3] = { 16, 4, 1 };
	__u32 at = node / unit[dir / 2] % 4;

	return node + ((at + 1) % 4 - at) * unit[dir / 2];
}

static void cable(__u32 node, __u32 dir, __u32 state)
{
	struct torus_nl_link link = {
		.present = TORUS_NL_HAS(TORUS_A_NODE) | TORUS_NL_HAS(TORUS_A_DIR) |
			   TORUS_NL_HAS(TORUS_A_LINK_STATE),
		.node = node, .dir = dir, .state = state,
	};
	char words[256] = "";

	if (nl_with(ask_state, &link, words, sizeof(words)))
		ksft_exit_fail_msg("link %u %u: %s\n", node, dir, words);
	link.node = neighbour(node, dir);
	link.dir = dir ^ 1;
	if (nl_with(ask_state, &link, words, sizeof(words)))
		ksft_exit_fail_msg("link %u %u: %s\n", link.node, link.dir, words);
}

/* -------------------------------------------------------------------- torusd */

static char log_name[] = "/tmp/torusd-log-XXXXXX", conf_name[] = "/tmp/torusd-conf-XXXXXX";

static void conf_and_log(void)
{
	static const char line[] = "fabric add " FABRIC " arch xt shape 4x4x4 seed 1\n";
	int conf = mkstemp(conf_name), log = mkstemp(log_name);

	if (conf < 0 || log < 0 || write(conf, line, strlen(line)) != (ssize_t)strlen(line))
		ksft_exit_fail_msg("files: %m\n");
	close(conf);
	close(log);
}

static pid_t agent(void)
{
	const char *top = getenv("TORUS_TOP") ? getenv("TORUS_TOP") : ".";
	char program[512], hold[16];
	int log = open(log_name, O_WRONLY | O_APPEND);
	pid_t pid;

	snprintf(program, sizeof(program), "%s/build/torusd", top);
	snprintf(hold, sizeof(hold), "%d", HOLD_MS);
	pid = start();
	if (!pid) {
		dup2(log, 1);
		dup2(log, 2);
		execl(program, program, "--hold", hold, "--drain", "20000", "run", conf_name,
		      NULL);
		_exit(127);
	}
	close(log);
	return pid;
}

/* Count the lines of the log that contain @part and each of @words. */
static __u32 logged_part(const char *part, const char *words)
{
	FILE *log = fopen(log_name, "r");
	char line[1024];
	__u32 times = 0;

	while (log && fgets(line, sizeof(line), log))
		times += strstr(line, part) && says(line, words);
	if (log)
		fclose(log);
	return times;
}

static __u32 logged(const char *words)
{
	return logged_part("", words);
}

static bool wait_logged_part(const char *part, const char *words, __u32 times)
{
	double until = now_s() + WAIT_MS / 1000;

	while (logged_part(part, words) < times) {
		if (now_s() > until) {
			ksft_print_msg("waited for %u times: %s%s\n", times, words, part);
			return false;
		}
		usleep(20000);
	}
	return true;
}

static bool wait_logged(const char *words, __u32 times)
{
	return wait_logged_part("", words, times);
}

static void show_log(void)
{
	FILE *log = fopen(log_name, "r");
	char line[512];

	while (log && fgets(line, sizeof(line), log))
		ksft_print_msg("torusd: %s", line);
	if (log)
		fclose(log);
}

static __u64 lost(void)
{
	__u64 sum = 0;
	__u32 a, b;

	for (a = 0; a < NODES; a++)
		for (b = 0; b < NODES; b++)
			sum += __atomic_load_n(&account->lost[a][b], __ATOMIC_RELAXED);
	return sum;
}

/* Return: the number of lost packets, when no further notice has arrived for a moment. */
static __u64 lost_settled(void)
{
	__u64 before, now = lost();

	do {
		before = now;
		usleep(50000);
		now = lost();
	} while (now != before);
	return now;
}

/* Cut and repair cables, one after the other, in various places. */
static bool cut_and_mend(__u32 first, __u32 cables)
{
	__u64 before = lost_settled(), now;
	__u32 i;

	for (i = first; i < first + cables; i++) {
		/* 29 and 64 * 3 have no common divisor, so that no cable is cut twice */
		__u32 which = (i * 29 + 7) % (NODES * 3), node = which / 3, dir = which % 3 * 2;

		cable(node, dir, 0);
		usleep(3 * HOLD_MS * 1000);
		if (!wait_logged(FABRIC " cable dead ms", i + 1) ||
		    !wait_logged_part(" 1 dead cable", CHANGED, i + 1))
			return false;
		cable(node, dir, 1);
		if (!wait_logged(FABRIC " cable works", i + 1) ||
		    !wait_logged_part(" 0 dead cable", CHANGED, i + 1))
			return false;
		now = lost_settled();
		most_lost = now - before > most_lost ? now - before : most_lost;
		before = now;
	}
	return true;
}

static void result(bool good, const char *what)
{
	if (good)
		ksft_test_result_pass("%s\n", what);
	else
		ksft_test_result_fail("%s\n", what);
}

/*
 * Unload the module and load it again, which changes the netlink family and its multicast group.
 * SIGHUP makes torusd create its file's fabric again. Then cut and repair one more cable.
 */
static bool reload(pid_t torusd, __u32 cables)
{
	double until = now_s() + WAIT_MS / 1000;
	int error;

	do
		error = module_unload();
	while (error == EAGAIN && now_s() < until);
	if (error || !wait_logged("module", 1) || module_load() ||
	    !wait_logged("module", 2) || kill(torusd, SIGHUP) ||
	    !wait_logged(FABRIC " made", 2))
		return false;
	return cut_and_mend(cables, 1);
}

/*
 * Limit torusd to one open file, so that poll() on two files fails. Return: torusd's exit status.
 */
static int without_poll(void)
{
	const struct rlimit one = { .rlim_cur = 1, .rlim_max = 1 };
	pid_t torusd = agent();

	if (!wait_logged("ready", 2) || prlimit(torusd, RLIMIT_NOFILE, &one, NULL))
		kill(torusd, SIGKILL);
	return status_of(torusd);
}

static void judge(void)
{
	__u64 sent = 0, got = 0;
	__u32 a, b, differ = 0;

	for (a = 0; a < NODES; a++)
		for (b = 0; b < NODES; b++) {
			sent += account->sent[a][b];
			got += account->got[a][b];
			differ += account->sent[a][b] !=
				  account->got[a][b] + account->lost[a][b];
		}
	ksft_print_msg("%llu packets sent, %llu arrived, %llu named lost, of one cable at most "
		       "%llu of %u\n", sent, got, lost(), most_lost, LOST_MAX);
	result(most_lost && most_lost <= LOST_MAX, "no more is lost than a dead cable holds");
	result(sent > 1000 && !differ, "for each pair: sent = received + named lost");
	result(!account->twice, "nothing twice");
	result(!account->strange, "nothing else was lost, and nothing is unknown");
}

int main(void)
{
	bool soak = getenv("TORUS_SOAK"), moved;
	__u32 cables = soak ? 50 : 6, node, bad = 0, at_once, drained;
	pid_t pid[NODES], torusd;

	ksft_print_header();
	ksft_set_plan(11);
	few = !soak;
	fabric_del(FABRIC);
	account = mmap(NULL, sizeof(*account), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (account == MAP_FAILED)
		ksft_exit_fail_msg("memory: %m\n");
	conf_and_log();
	torusd = agent();
	result(wait_logged("ready", 1), "torusd makes the fabric of its file");
	for (node = 0; node < NODES; node++) {
		pid[node] = takes_part(node) ? start() : -1;
		if (!pid[node])
			_exit(process(node));
	}
	moved = cut_and_mend(0, cables);
	while (moved && !most_lost && cables < CABLES)
		moved = cut_and_mend(cables++, 1);
	__atomic_store_n(&account->stop, true, __ATOMIC_RELEASE);
	for (node = 0; node < NODES; node++)
		bad += pid[node] > 0 && status_of(pid[node]) != 0;
	result(moved, "every cable is taken for dead, and taken back");
	result(!bad, "every process comes to its end");
	judge();
	drained = logged(CHANGED " drained");
	at_once = logged(CHANGED " one tick") - logged(CHANGED " one tick drained");
	ksft_print_msg("%u cables: tables changed %u times at one tick, %u times drained\n",
		       cables, at_once, drained);
	result(reload(torusd, cables), "it follows a reload of the module");
	kill(torusd, SIGTERM);
	result(!status_of(torusd) && at_once && drained && !logged("deadlock"),
	       "both kinds of swap, no deadlock, and torusd ends on SIGTERM");
	result(without_poll() == 4 && logged("event Invalid argument"),
	       "where it cannot go on it ends with 4");
	if (!moved || soak || ksft_get_fail_cnt())
		show_log();
	result(!fabric_del(FABRIC), "the fabric is still there, and goes");
	unlink(log_name);
	unlink(conf_name);
	ksft_finished();
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The transport of tests: processes on one machine, with a socket between each pair. Messages are
 * delayed at random, so that tests cover many orders of events.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "local.h"
#include "heartbeat.h"
#include "transport.h"

/*
 * Number of attempts, one per millisecond, to read the exit status of the process that ended first.
 */
#define GONE_TRIES	200

/* Number of checks for silent processes within one time-out. */
#define LOOKS		8

/* Value of the size field that marks a heartbeat, after which no message follows. */
#define BEAT		(~0ull)

/* Buffer of bytes to or from another process; @begin and @end delimit the unread bytes. */
struct heap {
	char *data;
	size_t begin;
	size_t end;
	size_t room;
};

struct local_peer {
	int fd;
	pid_t pid;	/* process ID, known to process 0, which forks the others */
	bool gone;
	struct heap in;
	struct heap out;
};

struct local_transport {
	struct sim_transport transport;
	uint32_t delay_us;
	uint64_t random;
	/*
	 * number of the first process that closed its connection; the number of processes if none
	 * has
	 */
	uint32_t gone;
	pid_t parent;	/* process ID of process 0 */
	struct sim_heartbeat heartbeat;
	void *got;
	struct local_peer peers[];
};

static struct local_transport *local_of(struct sim_transport *transport)
{
	return (struct local_transport *)transport;
}

/*
 * Kill the other processes, before this one exits. A child kills process 0, and then the kernel
 * kills all children (PR_SET_PDEATHSIG).
 */
static void local_kill(const struct local_transport *w)
{
	uint32_t i;

	if (w->transport.rank)
		kill(w->parent, SIGKILL);
	for (i = 1; !w->transport.rank && i < w->transport.count; i++) {
		kill(w->peers[i].pid, SIGKILL);
		waitpid(w->peers[i].pid, NULL, 0);
	}
}

static void local_report_rank(const char *format, uint32_t rank)
{
	char text[128];
	int used = snprintf(text, sizeof(text), format, rank);

	if (used > 0 && write(STDERR_FILENO, text, (size_t)used) < 0)
		_exit(2);
}

/* Report that there is no memory, and end this process; process 0 also ends the others. */
static void local_no_memory(const struct local_transport *w)
{
	local_report_rank("torus-sim: rank %u: out of memory for messages\n", w->transport.rank);
	if (!w->transport.rank)
		local_kill(w);
	_exit(w->transport.rank ? SIM_TRANSPORT_REPORTED : 1);
}

static void heap_room(const struct local_transport *w, struct heap *heap, size_t bytes)
{
	if (heap->begin == heap->end) {
		heap->begin = 0;
		heap->end = 0;
	}
	if (heap->end + bytes <= heap->room)
		return;
	heap->room = 2 * (heap->end + bytes);
	heap->data = realloc(heap->data, heap->room);
	if (!heap->data)
		local_no_memory(w);
}

static void heap_put(const struct local_transport *w, struct heap *heap, const void *data,
		     size_t bytes)
{
	heap_room(w, heap, bytes);
	memcpy(heap->data + heap->end, data, bytes);
	heap->end += bytes;
}

/*
 * Record that a process closed its connection. It may have ended normally after its last message.
 */
static void peer_gone(struct local_transport *w, uint32_t rank)
{
	w->peers[rank].gone = true;
	w->peers[rank].out.begin = w->peers[rank].out.end;
	if (w->gone == w->transport.count)
		w->gone = rank;
}

static void peer_move(struct local_transport *w, uint32_t rank, short events)
{
	struct local_peer *p = &w->peers[rank];
	ssize_t n;

	if (events & POLLOUT) {
		n = send(p->fd, p->out.data + p->out.begin, p->out.end - p->out.begin,
			 MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n > 0)
			p->out.begin += (size_t)n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			peer_gone(w, rank);
	}
	if (events & (POLLIN | POLLHUP | POLLERR)) {
		heap_room(w, &p->in, 1 << 16);
		n = recv(p->fd, p->in.data + p->in.end, 1 << 16, MSG_DONTWAIT);
		if (n > 0)
			sim_heartbeat_heard(&w->heartbeat, &w->transport, rank);
		if (n > 0)
			p->in.end += (size_t)n;
		else if (!n || (errno != EAGAIN && errno != EINTR))
			peer_gone(w, rank);
	}
}

/*
 * Wait up to @wait_ms ms for an event (-1: no limit), then send and receive as many bytes as
 * possible.
 */
static void local_move(struct local_transport *w, int wait_ms)
{
	struct pollfd fds[w->transport.count];
	uint32_t i;

	for (i = 0; i < w->transport.count; i++)
		fds[i] = (struct pollfd){
			.fd = i == w->transport.rank || w->peers[i].gone ? -1 : w->peers[i].fd,
			.events = POLLIN | (w->peers[i].out.begin < w->peers[i].out.end ?
					    POLLOUT : 0),
		};
	if (poll(fds, w->transport.count, wait_ms) < 0)
		return;
	for (i = 0; i < w->transport.count; i++)
		if (fds[i].revents)
			peer_move(w, i, fds[i].revents);
}

static void local_delay(struct local_transport *w)
{
	if (!w->delay_us)
		return;
	w->random = w->random * 6364136223846793005ull + 1442695040888963407ull;
	/* delay one message of four */
	if (!(w->random >> 33 & 3))
		usleep((useconds_t)((w->random >> 40) % w->delay_us));
}

/*
 * Find the process that ended first. Other processes that notice its end exit, too, and their
 * connections may close earlier. A signal kills a crashed process, while the others exit: this
 * difference identifies it.
 * @reported: [out] a process has already reported its error.
 */
static uint32_t local_first_gone(const struct local_transport *w, bool *reported)
{
	uint32_t tries, i;
	siginfo_t info;

	*reported = false;
	for (tries = 0; tries < GONE_TRIES; tries++) {
		for (i = 1; i < w->transport.count; i++) {
			info.si_pid = 0;
			if (!waitid(P_PID, (id_t)w->peers[i].pid, &info,
				    WEXITED | WNOHANG | WNOWAIT) &&
			    info.si_pid && info.si_code != CLD_EXITED)
				return i;
			*reported |= info.si_pid && info.si_status == SIM_TRANSPORT_REPORTED;
		}
		if (*reported)
			break;
		usleep(1000);
	}
	return w->gone;
}

/*
 * End all processes after a process has closed its connection. Process 0 reports which process
 * ended first, unless that process has reported its error itself.
 */
static void local_gone(const struct local_transport *w)
{
	uint32_t rank;
	bool reported;

	if (w->transport.rank)
		_exit(1);
	rank = local_first_gone(w, &reported);
	if (!reported)
		local_report_rank("torus-sim: rank %u has ended too early\n", rank);
	local_kill(w);
	_exit(1);
}

/* Send a heartbeat to all other processes if one is due. */
static void local_send_beats(struct local_transport *w)
{
	const uint64_t beat = BEAT;
	uint32_t i;

	if (!sim_heartbeat_due(&w->heartbeat, &w->transport))
		return;
	for (i = 0; i < w->transport.count; i++) {
		if (i == w->transport.rank || w->peers[i].gone)
			continue;
		heap_put(w, &w->peers[i].out, &beat, sizeof(beat));
		peer_move(w, i, POLLOUT);
	}
}

static void local_beat(struct sim_transport *transport)
{
	struct local_transport *w = local_of(transport);

	local_send_beats(w);
	local_move(w, 0);
	/*
	 * if a process is missing, end here: a process that computes must not continue until it
	 * waits
	 */
	if (w->gone != transport->count)
		local_gone(w);
}

/*
 * Wait for events from other processes, at most for a fraction of the time-out, and then check for
 * silent processes.
 */
static void local_wait(struct local_transport *w)
{
	local_send_beats(w);
	local_move(w, w->transport.timeout_ms ? (int)w->transport.timeout_ms / LOOKS : -1);
	if (!sim_heartbeat_timed_out(&w->heartbeat, &w->transport))
		return;
	local_kill(w);
	_exit(1);
}

static void local_send(struct sim_transport *transport, uint32_t to, const void *data, size_t bytes)
{
	struct local_transport *w = local_of(transport);
	uint64_t size = bytes;

	local_delay(w);
	heap_put(w, &w->peers[to].out, &size, sizeof(size));
	heap_put(w, &w->peers[to].out, data, bytes);
	peer_move(w, to, POLLOUT);
}

/*
 * Check whether the buffer has a complete message, after skipping heartbeats. @size: [out] size of
 * the message.
 */
static bool heap_has(struct heap *in, uint64_t *size)
{
	for (; in->end - in->begin >= sizeof(*size); in->begin += sizeof(*size)) {
		memcpy(size, in->data + in->begin, sizeof(*size));
		if (*size != BEAT)
			return in->end - in->begin >= sizeof(*size) + *size;
	}
	return false;
}

static void *local_receive(struct sim_transport *transport, uint32_t from, size_t *bytes)
{
	struct local_transport *w = local_of(transport);
	struct heap *in = &w->peers[from].in;
	uint64_t size;

	sim_heartbeat_begin(&w->heartbeat, transport);
	while (!heap_has(in, &size)) {
		if (w->peers[from].gone)
			local_gone(w);
		local_wait(w);
	}
	free(w->got);
	w->got = malloc(size + 1);
	if (!w->got)
		local_no_memory(w);
	memcpy(w->got, in->data + in->begin + sizeof(size), size);
	in->begin += sizeof(size) + size;
	*bytes = size;
	return w->got;
}

static void local_sent(struct sim_transport *transport)
{
	/* do not wait: local_send() has copied the message */
}

static void local_gather(struct sim_transport *transport, const void *own, void *all,
			 const size_t *sizes)
{
	char *to = all;
	size_t bytes;
	uint32_t i;

	for (i = 0; i < transport->count; i++)
		if (i != transport->rank)
			local_send(transport, i, own, sizes[transport->rank]);
	for (i = 0; i < transport->count; to += sizes[i++])
		memcpy(to, i == transport->rank ? own : local_receive(transport, i, &bytes),
		       sizes[i]);
}

static void local_share(struct sim_transport *transport, const void *own, void *all, size_t bytes)
{
	size_t sizes[transport->count];
	uint32_t i;

	for (i = 0; i < transport->count; i++)
		sizes[i] = bytes;
	local_gather(transport, own, all, sizes);
}

static void local_free(struct local_transport *w)
{
	uint32_t i;

	for (i = 0; i < w->transport.count; i++) {
		if (i != w->transport.rank && w->peers[i].fd >= 0)
			close(w->peers[i].fd);
		free(w->peers[i].in.data);
		free(w->peers[i].out.data);
	}
	free(w->got);
	sim_heartbeat_free(&w->heartbeat);
	free(w);
}

static void local_end(struct sim_transport *transport)
{
	struct local_transport *w = local_of(transport);
	uint32_t i;

	/*
	 * Send the remaining bytes, until a send fails because a process has closed its socket:
	 * that process has received all its messages.
	 */
	for (i = 0; i < transport->count; i++)
		if (w->peers[i].out.begin < w->peers[i].out.end &&
		    send(w->peers[i].fd, w->peers[i].out.data + w->peers[i].out.begin,
			 w->peers[i].out.end - w->peers[i].out.begin, MSG_NOSIGNAL) < 0)
			break;
	for (i = 1; !transport->rank && i < transport->count; i++)
		waitpid(w->peers[i].pid, NULL, 0);
	local_free(w);
}

/* Close the sockets of the other processes, and keep those of process @rank. */
static void local_keep(struct local_transport *w, int *fds, uint32_t rank)
{
	uint32_t n = w->transport.count, i, j;

	w->transport.rank = rank;
	w->random += rank;
	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++) {
			if (i == j)
				continue;
			if (i == rank)
				w->peers[j].fd = fds[i * n + j];
			else
				close(fds[i * n + j]);
		}
}

struct sim_transport *sim_transport_local(uint32_t count, uint32_t delay_us, uint64_t seed,
					  char *why,
					  size_t size)
{
	struct local_transport *w = calloc(1, sizeof(*w) + count * sizeof(w->peers[0]));
	int fds[count * count], pair[2];
	uint32_t i, j, rank = 0;
	pid_t parent = getpid();

	if (!w || !sim_heartbeat_init(&w->heartbeat, count)) {
		snprintf(why, size, "out of memory for %u ranks", count);
		return NULL;
	}
	w->transport = (struct sim_transport){
		.count = count, .share = local_share, .gather = local_gather, .send = local_send,
		.receive = local_receive, .sent = local_sent, .beat = local_beat, .end = local_end,
	};
	w->parent = parent;
	w->delay_us = delay_us;
	w->gone = count;
	w->random = seed;
	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++) {
			if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
				snprintf(why, size, "cannot create sockets for %u ranks: %s", count,
					 strerror(errno));
				return NULL;
			}
			fds[i * count + j] = pair[0];
			fds[j * count + i] = pair[1];
		}
	for (i = 1; i < count && !rank; i++) {
		w->peers[i].pid = fork();
		if (w->peers[i].pid < 0) {
			snprintf(why, size, "cannot create the process of rank %u: %s",
				 i, strerror(errno));
			return NULL;
		}
		if (!w->peers[i].pid)
			rank = i;
	}
	local_keep(w, fds, rank);
	/* the kernel kills this child if process 0 ends */
	if (rank && (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent))
		_exit(1);
	return &w->transport;
}

// SPDX-License-Identifier: GPL-2.0
/* Transports by file descriptors: AF_UNIX, UDP and TCP sockets, and pipes. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "perf.h"
#include "socket.h"
#include "poll_wait.h"

#define FD_TRANSPORTS	8
/* Maximum bytes of a datagram over UDP, rounded down. */
#define UDP_PIECE	61440u
/*
 * UDP does not block a sender, and drops datagrams that do not fit into the receiver's buffer.
 * Therefore the receiver sends a byte whenever it has read about half of its buffer. UDP_OVERHEAD
 * counts the memory that a datagram uses in addition to its bytes.
 */
#define UDP_CREDIT	(96u << 10)
#define UDP_OVERHEAD	1024u

/* Descriptors for writing and for reading, by transport, own rank and other rank. */
static int out[FD_TRANSPORTS][RANKS_MAX][RANKS_MAX], in[FD_TRANSPORTS][RANKS_MAX][RANKS_MAX];
static uint32_t udp_sent[RANKS_MAX], udp_come[RANKS_MAX];

static void keep(unsigned int transport, unsigned int a, unsigned int b, const int *pair)
{
	out[transport][a][b] = pair[0];
	in[transport][a][b] = pair[0];
	out[transport][b][a] = pair[1];
	in[transport][b][a] = pair[1];
}

static int socketpair_make(unsigned int transport, unsigned int a, unsigned int b, int type)
{
	int pair[2];

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair))
		return -errno;
	keep(transport, a, b, pair);
	return 0;
}

int socket_datagram_make(unsigned int transport, unsigned int a, unsigned int b)
{
	return socketpair_make(transport, a, b, SOCK_DGRAM);
}

int socket_stream_make(unsigned int transport, unsigned int a, unsigned int b)
{
	return socketpair_make(transport, a, b, SOCK_STREAM);
}

/*
 * Create a socket at a free port of the loopback interface. @at: [out] address of the socket.
 * Return: the descriptor or a negative errno.
 */
static int bound(int type, struct sockaddr_in *at)
{
	socklen_t length = sizeof(*at);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	*at = (struct sockaddr_in) {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (fd < 0 || bind(fd, (struct sockaddr *)at, sizeof(*at)) ||
	    getsockname(fd, (struct sockaddr *)at, &length))
		return -errno;
	return fd;
}

int socket_udp_make(unsigned int transport, unsigned int a, unsigned int b)
{
	struct sockaddr_in at[2];
	int pair[2] = { bound(SOCK_DGRAM, &at[0]), bound(SOCK_DGRAM, &at[1]) };

	if (pair[0] < 0 || pair[1] < 0)
		return pair[0] < 0 ? pair[0] : pair[1];
	if (connect(pair[0], (struct sockaddr *)&at[1], sizeof(at[1])) ||
	    connect(pair[1], (struct sockaddr *)&at[0], sizeof(at[0])))
		return -errno;
	keep(transport, a, b, pair);
	return 0;
}

int socket_tcp_make(unsigned int transport, unsigned int a, unsigned int b)
{
	struct sockaddr_in at;
	int listener = bound(SOCK_STREAM, &at), pair[2], one = 1;

	if (listener < 0)
		return listener;
	pair[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (pair[0] < 0 || listen(listener, 1) ||
	    connect(pair[0], (struct sockaddr *)&at, sizeof(at)))
		return -errno;
	pair[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (pair[1] < 0 ||
	    setsockopt(pair[0], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
	    setsockopt(pair[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		return -errno;
	close(listener);
	keep(transport, a, b, pair);
	return 0;
}

int socket_pipe_make(unsigned int transport, unsigned int a, unsigned int b)
{
	int there[2], back[2];

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		return -errno;
	in[transport][b][a] = there[0];
	out[transport][a][b] = there[1];
	in[transport][a][b] = back[0];
	out[transport][b][a] = back[1];
	return 0;
}

static int nonblock(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) ?
	       -errno : 0;
}

int socket_tune(struct perf_rank *rank)
{
	unsigned int t = rank->way.transport, other;
	int ret = 0;

	for (other = 0; !ret && other < rank->call->ranks; other++) {
		if (!in[t][rank->number][other])
			continue;
		ret = nonblock(in[t][rank->number][other], rank->way.poll);
		if (!ret)
			ret = nonblock(out[t][rank->number][other], rank->way.poll);
	}
	return ret ? poll_wait_failed(rank, "fcntl", ret) : 0;
}

/* Write all bytes. A datagram is written by one call, a stream by as many calls as necessary. */
static int write_all(struct perf_rank *rank, int fd, size_t bytes)
{
	size_t done = 0;
	ssize_t ret;

	while (done < bytes) {
		ret = write(fd, rank->buffer + done, bytes - done);
		if (ret >= 0) {
			done += ret;
			poll_wait_begin(rank);
		} else if (errno == EAGAIN) {
			poll_wait_more(rank);
		} else if (errno != EINTR) {
			return poll_wait_failed(rank, "write", -errno);
		}
	}
	return 0;
}

/* Read available bytes, but at most @bytes. Return: the number of bytes, or a negative errno. */
static ssize_t read_some(struct perf_rank *rank, int fd, size_t done, size_t bytes)
{
	ssize_t ret;

	for (;;) {
		ret = read(fd, rank->buffer + done, bytes);
		if (ret > 0) {
			poll_wait_begin(rank);
			return ret;
		}
		if (!ret)
			return poll_wait_failed(rank, "read", -EPIPE);
		if (errno == EAGAIN)
			poll_wait_more(rank);
		else if (errno != EINTR)
			return poll_wait_failed(rank, "read", -errno);
	}
}

int socket_send(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	int fd = out[rank->way.transport][rank->number][to], ret = 0;
	size_t piece;

	for (; !ret && bytes; bytes -= piece) {
		piece = bytes < rank->call->piece ? bytes : rank->call->piece;
		ret = write_all(rank, fd, piece);
	}
	return ret;
}

/*
 * If *@from is ANYBODY, select a rank from which data can be read. @from: [in, out] the rank.
 * Return: 0 or a negative errno.
 */
static int pick(struct perf_rank *rank, unsigned int *from)
{
	struct pollfd fds[RANKS_MAX];
	unsigned int who[RANKS_MAX], n = 0, i;
	static unsigned int turn;
	int ret;

	if (*from != ANYBODY)
		return 0;
	for (i = 0; i < rank->call->ranks; i++) {
		unsigned int at = (turn + i) % rank->call->ranks;

		if (rank->open >> at & 1) {
			fds[n].fd = in[rank->way.transport][rank->number][at];
			fds[n].events = POLLIN;
			who[n++] = at;
		}
	}
	do {
		ret = poll(fds, n, rank->way.poll ? 0 : -1);
		if (ret < 0 && errno != EINTR)
			return poll_wait_failed(rank, "poll", -errno);
		if (!ret)
			poll_wait_more(rank);
	} while (ret <= 0);
	for (i = 0; !fds[i].revents;)
		i++;
	*from = who[i];
	turn = who[i] + 1;
	return 0;
}

int socket_receive(struct perf_rank *rank, unsigned int *from, size_t bytes)
{
	size_t done = 0;
	ssize_t ret = pick(rank, from);
	int fd;

	if (ret)
		return ret;
	fd = in[rank->way.transport][rank->number][*from];
	for (; done < bytes; done += ret) {
		ret = read_some(rank, fd, done, bytes - done);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static bool udp_full(uint32_t *used, size_t bytes)
{
	*used += bytes + UDP_OVERHEAD;
	if (*used < UDP_CREDIT)
		return false;
	*used = 0;
	return true;
}

int socket_udp_send(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	int fd = out[rank->way.transport][rank->number][to], ret = 0;
	size_t most = rank->call->piece < UDP_PIECE ? rank->call->piece : UDP_PIECE, piece;

	for (; !ret && bytes; bytes -= piece) {
		piece = bytes < most ? bytes : most;
		ret = write_all(rank, fd, piece);
		if (!ret && udp_full(&udp_sent[to], piece)) {
			ssize_t got = read_some(rank, fd, 0, 1);

			ret = got < 0 ? got : 0;
		}
	}
	return ret;
}

int socket_udp_receive(struct perf_rank *rank, unsigned int *from, size_t bytes)
{
	size_t done = 0;
	ssize_t got;
	int ret = pick(rank, from), fd;

	if (ret)
		return ret;
	fd = in[rank->way.transport][rank->number][*from];
	for (; !ret && done < bytes; done += got) {
		got = read_some(rank, fd, done, bytes - done);
		if (got < 0)
			return got;
		if (udp_full(&udp_come[*from], got))
			ret = write_all(rank, fd, 1);
	}
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Transports by file descriptors: AF_UNIX, UDP and TCP sockets, and pipes. */
#ifndef TORUS_PERF_COMPARE_SOCKET_H
#define TORUS_PERF_COMPARE_SOCKET_H

#include "perf.h"

int socket_datagram_make(unsigned int transport, unsigned int a, unsigned int b);
int socket_stream_make(unsigned int transport, unsigned int a, unsigned int b);
int socket_udp_make(unsigned int transport, unsigned int a, unsigned int b);
int socket_tcp_make(unsigned int transport, unsigned int a, unsigned int b);
int socket_pipe_make(unsigned int transport, unsigned int a, unsigned int b);
int socket_tune(struct perf_rank *rank);
int socket_send(struct perf_rank *rank, unsigned int to, size_t bytes);
int socket_udp_send(struct perf_rank *rank, unsigned int to, size_t bytes);
int socket_receive(struct perf_rank *rank, unsigned int *from, size_t bytes);
int socket_udp_receive(struct perf_rank *rank, unsigned int *from, size_t bytes);

#endif

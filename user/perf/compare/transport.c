// SPDX-License-Identifier: GPL-2.0
/* List of the transports and their functions. */
#include "perf.h"
#include "shm_ring.h"
#include "socket.h"
#include "torus.h"
#include "transport.h"

const struct transport transports[] = {
	{ .name = "unix-datagram", .make = socket_datagram_make, .tune = socket_tune,
	  .send = socket_send, .receive = socket_receive },
	{ .name = "unix-stream", .make = socket_stream_make, .tune = socket_tune,
	  .send = socket_send, .receive = socket_receive },
	{ .name = "udp", .make = socket_udp_make, .tune = socket_tune,
	  .send = socket_udp_send, .receive = socket_udp_receive },
	{ .name = "tcp", .make = socket_tcp_make, .tune = socket_tune,
	  .send = socket_send, .receive = socket_receive },
	{ .name = "pipe", .make = socket_pipe_make, .tune = socket_tune,
	  .send = socket_send, .receive = socket_receive },
	{ .name = "ring", .make = shm_ring_make,
	  .send = shm_ring_send, .receive = shm_ring_receive },
	{ .name = "torus-packet", .torus = true, .tune = torus_tune,
	  .send = torus_packets_send, .send_many = torus_packets_send_many,
	  .receive = torus_packets_receive },
	{ .name = "torus-message", .torus = true, .tune = torus_tune,
	  .send = torus_messages_send, .receive = torus_messages_receive },
};

const unsigned int transport_count = sizeof(transports) / sizeof(transports[0]);

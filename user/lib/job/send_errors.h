/* SPDX-License-Identifier: GPL-2.0 */
/* Lost packets: a log of injected packets, and the errors of their messages. */
#ifndef TORUS_LIB_SEND_ERRORS_H
#define TORUS_LIB_SEND_ERRORS_H

#include <stdint.h>

#include "job.h"

/**
 * struct flight - log entry of an injected packet
 * @job: its job
 * @peer: receiver; NULL: @job was closed
 * @index: index of its first chunk in the ring
 * @number: number of its message
 * @packets: number of packets of its message
 * @note: note of its message
 * @source: with @forwarded: rank of the sender
 * @kind: KIND_*, without flags
 * @first: it is the first packet of its message; a report of KIND_UNDELIVERED: the packet that it
 *         reports is
 * @forwarded: it is a packet of another rank
 */
struct flight {
	struct torus_job *job;
	struct peer *peer;
	uint32_t index;
	uint32_t number;
	uint32_t packets;
	struct send_note note;
	uint32_t source;
	unsigned char kind;
	bool first;
	bool forwarded;
};

struct undelivered;

void torus_send_error_log(struct torus_job *job, unsigned int fifo, const struct flight *flight);
int torus_send_error_undelivered(struct torus_job *job, const struct undelivered *lost);
int torus_send_error_drain(struct torus_job *job);
int torus_send_error_of(const struct torus_job *job, const struct peer *peer);
int torus_send_error_peer_left(struct torus_job *job, struct peer *peer, bool all);
int torus_send_error_report(struct torus_job *job);
void torus_send_error_close(struct torus_job *job);

#endif /* TORUS_LIB_SEND_ERRORS_H */

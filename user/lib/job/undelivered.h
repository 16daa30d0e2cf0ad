/* SPDX-License-Identifier: GPL-2.0 */
/* Report the loss of forwarded packets to their senders. */
#ifndef TORUS_LIB_UNDELIVERED_H
#define TORUS_LIB_UNDELIVERED_H

#include <stdint.h>

#include "job.h"

struct flight;
struct packet_fields;

/**
 * struct undelivered - a packet that was lost after another rank had forwarded it
 * @dest: rank of the receiver
 * @number: number of its message
 * @reason: enum torus_drop or TORUS_NOTICE_*
 * @kind: KIND_*, without flags
 * @first: it is the first packet of its message
 */
struct undelivered {
	uint32_t dest;
	uint32_t number;
	uint32_t reason;
	unsigned char kind;
	bool first;
};

bool torus_undelivered_first(const struct packet_fields *fields);
bool torus_undelivered_lost(const struct flight *flight, const struct torus_notice *notice);
void torus_undelivered_again(const struct flight *flight);
int torus_undelivered_accept(struct torus_job *job, const struct torus_view *view);

#endif /* TORUS_LIB_UNDELIVERED_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Write and read packet headers in a form that is common to all machines. */
#ifndef TORUS_LIB_PACKET_H
#define TORUS_LIB_PACKET_H

#include "context.h"

int torus_packet_header(const struct torus_context *context, void *header,
			const struct torus_machine_packet *packet);
int torus_route_known(int route);
unsigned int torus_packet_chunks(const struct torus_context *context, const void *header);

#endif /* TORUS_LIB_PACKET_H */

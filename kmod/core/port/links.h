/* SPDX-License-Identifier: GPL-2.0 */
/* The state of the links of a port's node. */
#ifndef TORUS_CORE_PORT_LINKS_H
#define TORUS_CORE_PORT_LINKS_H

#include "core/platform.h"

struct torus_fabric;
struct torus_port;

/* Store the state of the links; fabric locked between two runs. */
void torus_port_links_check(struct torus_port *port, struct torus_fabric *f);

/* Accessor: return the state that the last check found, and request another check. */
u32 torus_port_links_read(struct torus_port *port);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reset of a port. The accessor requests it, and then leaves the whole port to the fabric's thread
 * until the reset is done: accesses fail with -EBUSY.
 */
#ifndef TORUS_CORE_PORT_RESET_H
#define TORUS_CORE_PORT_RESET_H

#include "core/platform.h"

struct torus_fabric;
struct torus_port;

/* Request a reset (accessor). */
void torus_port_reset_request(struct torus_port *port);

/* Check whether a reset is not done yet (accessor). */
bool torus_port_reset_pending(const struct torus_port *port);

/* Do a reset that was requested; the fabric is locked between two runs. */
void torus_port_reset_finish(struct torus_port *port, struct torus_fabric *f);

#endif

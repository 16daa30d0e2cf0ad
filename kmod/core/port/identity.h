/* SPDX-License-Identifier: GPL-2.0 */
/* Registers that never change: the machine, the node, sizes, node numbers. */
#ifndef TORUS_CORE_PORT_IDENTITY_H
#define TORUS_CORE_PORT_IDENTITY_H

#include "core/platform.h"

struct torus_port;

int torus_port_identity_read(const struct torus_port *port, u32 reg, u32 index, u32 *value);

#endif

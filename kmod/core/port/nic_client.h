/* SPDX-License-Identifier: GPL-2.0 */
/* A port as a client of the core's NIC. */
#ifndef TORUS_CORE_PORT_NIC_CLIENT_H
#define TORUS_CORE_PORT_NIC_CLIENT_H

#include "core/nic/group.h"

extern const struct torus_nic_ops torus_port_nic_ops;

#endif

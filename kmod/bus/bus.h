/* SPDX-License-Identifier: GPL-2.0 */
/* The bus, as its devices see it. */
#ifndef TORUS_BUS_BUS_H
#define TORUS_BUS_BUS_H

#include <linux/device.h>

extern struct bus_type torus_bus_type;

#endif

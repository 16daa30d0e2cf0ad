/* SPDX-License-Identifier: GPL-2.0 */
/* Cables that carry nothing, and the reaction to them. */
#ifndef TORUS_TORUSD_CABLE_MONITOR_H
#define TORUS_TORUSD_CABLE_MONITOR_H

#include "torusd.h"

uint64_t torusd_look(struct torusd *d);
void torusd_forget(struct torusd *d);

#endif

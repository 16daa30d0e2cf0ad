/* SPDX-License-Identifier: GPL-2.0 */
/* Monitor the cables of all fabrics, and react if a cable is out or works again. */
#ifndef TORUS_TORUSD_CABLE_MONITOR_H
#define TORUS_TORUSD_CABLE_MONITOR_H

#include "torusd.h"

uint64_t torusd_look(struct torusd *d);
void torusd_forget(struct torusd *d);

#endif

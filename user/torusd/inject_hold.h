/* SPDX-License-Identifier: GPL-2.0 */
/* Stop injection while tables change. */
#ifndef TORUS_TORUSD_INJECT_HOLD_H
#define TORUS_TORUSD_INJECT_HOLD_H

#include "torusd.h"

bool torusd_inject_hold(struct torusd *d, const char *fabric);
void torusd_inject_go(struct torusd *d, const char *fabric);
void torusd_inject_found(struct torusd *d);

#endif

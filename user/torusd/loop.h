/* SPDX-License-Identifier: GPL-2.0 */
/* torusd run: check the cables after each event and periodically, until a signal ends it. */
#ifndef TORUS_TORUSD_LOOP_H
#define TORUS_TORUSD_LOOP_H

#include "torusd.h"

int torusd_run(struct torusd *d);

#endif

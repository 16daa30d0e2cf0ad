/* SPDX-License-Identifier: GPL-2.0 */
/* torusd run: check the cables after each event until it is told to end. */
#ifndef TORUS_TORUSD_LOOP_H
#define TORUS_TORUSD_LOOP_H

#include "torusd.h"

int torusd_run(struct torusd *d);

#endif

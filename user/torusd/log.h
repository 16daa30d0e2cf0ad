/* SPDX-License-Identifier: GPL-2.0 */
/* The log of torusd: a line for each event. */
#ifndef TORUS_TORUSD_LOG_H
#define TORUS_TORUSD_LOG_H

#include "torusd.h"

void torusd_notify(const char *state);
uint64_t torusd_now_ms(void);

#endif

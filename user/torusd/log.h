/* SPDX-License-Identifier: GPL-2.0 */
/* Log of torusd, notifications to its service manager, and its clock. */
#ifndef TORUS_TORUSD_LOG_H
#define TORUS_TORUSD_LOG_H

#include <stdint.h>

#include "../config/compare.h"

extern const struct config_report torusd_log_differences;

void torusd_log(const char *fabric, const char *format, ...) __attribute__((format(printf, 2, 3)));
void torusd_notify(const char *state);
uint64_t torusd_now_ms(void);

#endif

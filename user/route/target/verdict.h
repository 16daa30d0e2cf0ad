/* SPDX-License-Identifier: GPL-2.0 */
/* Check routing tables before they are loaded, and report the first error. */
#ifndef TORUS_ROUTE_TARGET_VERDICT_H
#define TORUS_ROUTE_TARGET_VERDICT_H

#include "target.h"

bool xt_target_check(const struct xt_tables *tables, struct parse_error *why);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Find the first error in tables that are to be loaded. */
#ifndef TORUS_ROUTE_TARGET_VERDICT_H
#define TORUS_ROUTE_TARGET_VERDICT_H

#include "target.h"

bool xt_target_check(const struct xt_tables *tables, struct word_why *why);

#endif

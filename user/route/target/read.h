/* SPDX-License-Identifier: GPL-2.0 */
/* Read a machine's tables from a file. */
#ifndef TORUS_ROUTE_TARGET_READ_H
#define TORUS_ROUTE_TARGET_READ_H

#include "target.h"

bool xt_target_read(struct xt_target *target, const char *file, struct parse_error *why);

#endif

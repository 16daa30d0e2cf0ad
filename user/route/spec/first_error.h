/* SPDX-License-Identifier: GPL-2.0 */
/* Check routing tables before they are loaded, and report the first error. */
#ifndef TORUS_ROUTE_SPEC_FIRST_ERROR_H
#define TORUS_ROUTE_SPEC_FIRST_ERROR_H

#include "spec.h"

bool xt_spec_check(const struct xt_tables *tables, struct parse_error *why);

#endif

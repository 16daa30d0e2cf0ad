/* SPDX-License-Identifier: GPL-2.0 */
/* Read a machine's tables from a file. */
#ifndef TORUS_ROUTE_SPEC_FILE_H
#define TORUS_ROUTE_SPEC_FILE_H

#include "spec.h"

bool xt_spec_read(struct xt_spec *spec, const char *file, struct parse_error *why);

#endif

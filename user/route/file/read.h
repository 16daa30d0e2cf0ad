/* SPDX-License-Identifier: GPL-2.0 */
/* Read routing tables from a file, and validate each value. */
#ifndef TORUS_ROUTE_FILE_READ_H
#define TORUS_ROUTE_FILE_READ_H

#include "file.h"

bool xt_file_read(const char *name, struct xt_map **map, struct xt_tables **tables,
		  struct parse_error *why);

#endif

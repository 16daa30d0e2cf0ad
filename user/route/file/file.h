/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables as a JSON file; README.md here documents its keys. */
#ifndef TORUS_USER_ROUTE_FILE_H
#define TORUS_USER_ROUTE_FILE_H

#include <stdio.h>

#include "../../words/words.h"
#include "../xt/table.h"

#define XT_FILE_VERSION	1

bool xt_file_write(FILE *out, const struct xt_tables *tables);
bool xt_file_read(const char *name, struct xt_map **map, struct xt_tables **tables,
		  struct word_why *why);

#endif /* TORUS_USER_ROUTE_FILE_H */

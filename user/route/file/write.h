/* SPDX-License-Identifier: GPL-2.0 */
/* Write routing tables to a JSON file. */
#ifndef TORUS_ROUTE_FILE_WRITE_H
#define TORUS_ROUTE_FILE_WRITE_H

#include "file.h"

bool xt_file_write(FILE *out, const struct xt_tables *tables);

#endif

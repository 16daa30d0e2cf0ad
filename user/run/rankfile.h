/* SPDX-License-Identifier: GPL-2.0 */
/* Read a file with the node and the FIFO group of each rank. */
#ifndef TORUS_RUN_RANKFILE_H
#define TORUS_RUN_RANKFILE_H

#include "mapping.h"

bool run_rankfile_read(struct run_places *places, const struct run_fabric_info *machine,
		       const char *name, uint32_t group, struct parse_error *why);

#endif

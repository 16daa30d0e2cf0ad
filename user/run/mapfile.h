/* SPDX-License-Identifier: GPL-2.0 */
/* A file with the node and FIFO group of each rank. */
#ifndef TORUS_RUN_MAPFILE_H
#define TORUS_RUN_MAPFILE_H

#include "place.h"

bool run_mapfile_read(struct run_places *places, const struct run_machine *machine,
		      const char *name, uint32_t group, struct word_why *why);

#endif

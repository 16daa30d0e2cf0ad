/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a list of nodes. */
#ifndef TORUS_RUN_LIST_H
#define TORUS_RUN_LIST_H

#include "place.h"

bool run_list_read(struct run_places *places, const struct run_machine *machine,
		   const char *list, struct word_why *why);

#endif

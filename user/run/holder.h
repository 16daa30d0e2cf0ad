/* SPDX-License-Identifier: GPL-2.0 */
/* The process that holds a place, by netlink. */
#ifndef TORUS_RUN_HOLDER_H
#define TORUS_RUN_HOLDER_H

#include "free.h"

void run_holder_text(const struct run_machine *machine, const struct run_place *place,
		     char *text, size_t size);

#endif

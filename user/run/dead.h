/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_RUN_DEAD_H
#define TORUS_RUN_DEAD_H

#include "machine.h"

char *run_dead_read(const struct run_machine *machine);

#endif /* TORUS_RUN_DEAD_H */

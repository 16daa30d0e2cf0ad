/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of all links over the whole run, as CSV. */
#ifndef TORUS_SIM_RUN_LINK_CSV_H
#define TORUS_SIM_RUN_LINK_CSV_H

#include "series.h"

int sim_link_csv_write(struct torus_fabric *fabric, const char *path);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The pattern timed:FILE: packets at given ticks. */
#ifndef TORUS_SIM_TIMED_H
#define TORUS_SIM_TIMED_H

#include <stdbool.h>

#include "timed_file.h"

struct sim_timed;

/* Maximum number of packets that wait at their sources. */
#define SIM_TIMED_WAITING_MAX	(1u << 20)

int sim_timed_begin(struct sim_timed **timed, const char *name, struct torus_fabric *fabric);
int sim_timed_feed(struct sim_timed *timed, bool *full);
u64 sim_timed_next(const struct sim_timed *timed);
double sim_timed_share(const struct sim_timed *timed);
int sim_timed_report(const struct sim_timed *timed);
void sim_timed_totals(const struct sim_timed *timed, struct torus_traffic *traffic);
void sim_timed_end(struct sim_timed *timed);

#endif /* TORUS_SIM_TIMED_H */

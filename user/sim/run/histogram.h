/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms of latency, as CSV or as a picture. */
#ifndef TORUS_SIM_HISTOGRAM_H
#define TORUS_SIM_HISTOGRAM_H

#include "statistics.h"

int sim_histogram_check(const char *option, const char *path);
int sim_histogram_write(const struct sim_measure *measure, const char *path);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The option --fault: a fault of a link, and the tick at which it is set. */
#ifndef TORUS_SIM_FAULTS_H
#define TORUS_SIM_FAULTS_H

#include <stdbool.h>

#include "core/run/fabric.h"

bool sim_fault_parse(const struct torus_config *config, const char *text,
		     struct torus_fault *fault);
int sim_faults_set(struct torus_fabric *fabric, const struct torus_fault *faults,
		   unsigned int count);

#endif /* TORUS_SIM_FAULTS_H */

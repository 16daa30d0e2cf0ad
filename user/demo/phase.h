/* SPDX-License-Identifier: GPL-2.0 */
/* Messages between the processes, phase by phase. */
#ifndef TORUS_DEMO_PHASE_H
#define TORUS_DEMO_PHASE_H

#include "demo.h"

void phase_ring(struct process *process);
void phase_halo(struct process *process);
void phase_all(struct process *process);

#endif

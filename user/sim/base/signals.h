/* SPDX-License-Identifier: GPL-2.0 */
/* Signals that end a run early. */
#ifndef TORUS_SIM_BASE_SIGNALS_H
#define TORUS_SIM_BASE_SIGNALS_H

void sim_signals_catch(void);
void sim_interrupt(int number);
int sim_interrupted(void);

#endif /* TORUS_SIM_BASE_SIGNALS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Stop a run at Ctrl-C: the first asks for the results so far, the second ends the program. */
#ifndef TORUS_SIM_INTERRUPT_H
#define TORUS_SIM_INTERRUPT_H

void sim_interrupt_watch(void);
void sim_interrupt(int number);
int sim_interrupted(void);

#endif /* TORUS_SIM_INTERRUPT_H */

/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_TIMEOUT_H
#define TORUS_SIM_TIMEOUT_H

int sim_timeout_take(const char *word);

#endif /* TORUS_SIM_TIMEOUT_H */

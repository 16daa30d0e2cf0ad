/* SPDX-License-Identifier: GPL-2.0 */
/* The endings of file names. */
#ifndef TORUS_SIM_ENDING_H
#define TORUS_SIM_ENDING_H

int sim_ending(const char *option, const char *path, const char *writes);

#endif /* TORUS_SIM_ENDING_H */

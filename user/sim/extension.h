/* SPDX-License-Identifier: GPL-2.0 */
/* The endings of file names. */
#ifndef TORUS_SIM_EXTENSION_H
#define TORUS_SIM_EXTENSION_H

int sim_extension(const char *option, const char *path, const char *writes);

#endif /* TORUS_SIM_EXTENSION_H */

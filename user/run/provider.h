/* SPDX-License-Identifier: GPL-2.0 */
/* Find the provider, by which libfabric uses a fabric. */
#ifndef TORUS_RUN_PROVIDER_H
#define TORUS_RUN_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

struct run_mpirun;

bool run_provider_find(struct run_mpirun *mpirun);
const char *run_provider_fault(const struct run_mpirun *mpirun, char *text, size_t size);

#endif /* TORUS_RUN_PROVIDER_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of Open MPI's mpirun, which starts the ranks of --mpi. */
#ifndef TORUS_RUN_MPIRUN_H
#define TORUS_RUN_MPIRUN_H

#include <stdbool.h>
#include <stdint.h>

#define RUN_PATH_MAX	512

/**
 * struct run_mpirun - mpirun, and the provider through which its ranks use the fabric
 * @provider: file of the provider
 * @provider_path: value that FI_PROVIDER_PATH must get; "": it stays as it is
 * @words: command line, terminated by NULL; freed by run_mpirun_free()
 */
struct run_mpirun {
	char provider[RUN_PATH_MAX];
	char provider_path[RUN_PATH_MAX];
	char **words;
};

bool run_mpirun_make(struct run_mpirun *mpirun, uint32_t ranks, bool tag, char **program);
void run_mpirun_free(struct run_mpirun *mpirun);

#endif /* TORUS_RUN_MPIRUN_H */

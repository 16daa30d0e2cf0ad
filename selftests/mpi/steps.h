/* SPDX-License-Identifier: GPL-2.0 */
/* The steps of the program mpi. */
#ifndef TORUS_SELFTESTS_MPI_STEPS_H
#define TORUS_SELFTESTS_MPI_STEPS_H

#include "suite.h"

/* modes.c */
void step_modes(MPI_Comm comm, int rank, int size);
void step_sendrecv(MPI_Comm comm, int rank, int size);
void step_persistent(MPI_Comm comm, int rank, int size);
void step_self(MPI_Comm comm, int rank, int size);
void step_all_pairs(MPI_Comm comm, int rank, int size);

/* matching.c */
void step_order(MPI_Comm comm, int rank, int size);
void step_wildcards(MPI_Comm comm, int rank, int size);
void step_tags_backwards(MPI_Comm comm, int rank, int size);
void step_probe(MPI_Comm comm, int rank, int size);
void step_matched_probe(MPI_Comm comm, int rank, int size);
void step_cancel(MPI_Comm comm, int rank, int size);
void step_truncation(MPI_Comm comm, int rank, int size);
void step_completion(MPI_Comm comm, int rank, int size);

/* types.c */
void step_vector(MPI_Comm comm, int rank, int size);
void step_struct(MPI_Comm comm, int rank, int size);
void step_subarray(MPI_Comm comm, int rank, int size);
void step_indexed(MPI_Comm comm, int rank, int size);
void step_pack(MPI_Comm comm, int rank, int size);

/* collectives.c */
void step_broadcast(MPI_Comm comm, int rank, int size);
void step_reductions(MPI_Comm comm, int rank, int size);
void step_scans(MPI_Comm comm, int rank, int size);
void step_gather_scatter(MPI_Comm comm, int rank, int size);
void step_unequal_blocks(MPI_Comm comm, int rank, int size);
void step_alltoall(MPI_Comm comm, int rank, int size);
void step_nonblocking(MPI_Comm comm, int rank, int size);

/* communicators.c */
void step_split(MPI_Comm comm, int rank, int size);
void step_groups(MPI_Comm comm, int rank, int size);
void step_contexts(MPI_Comm comm, int rank, int size);
void step_intercommunicator(MPI_Comm comm, int rank, int size);
void step_cartesian(MPI_Comm comm, int rank, int size);

#endif /* TORUS_SELFTESTS_MPI_STEPS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Detect a launcher of several processes, and load the transport over MPI. */
#ifndef TORUS_SIM_TRANSPORT_MPI_LOADER_H
#define TORUS_SIM_TRANSPORT_MPI_LOADER_H

#include "core/platform.h"
#include "transport.h"

struct sim_transport *sim_mpi_load(char *why, size_t size);
u64 sim_mpi_program(void);

#endif /* TORUS_SIM_TRANSPORT_MPI_LOADER_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* The transport over MPI. */
#ifndef TORUS_SIM_TRANSPORT_MPI_H
#define TORUS_SIM_TRANSPORT_MPI_H

#include "transport.h"

/* Entry point of the MPI module. Return: NULL if it failed, with a reason in @why. */
struct sim_transport *sim_transport_open(char *why, size_t size);

#endif

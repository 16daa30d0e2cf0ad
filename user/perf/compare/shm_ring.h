/* SPDX-License-Identifier: GPL-2.0 */
/* Transport by rings in shared memory, one per direction. */
#ifndef TORUS_PERF_COMPARE_SHM_RING_H
#define TORUS_PERF_COMPARE_SHM_RING_H

#include "perf.h"

int shm_ring_make(unsigned int transport, unsigned int a, unsigned int b);
int shm_ring_send(struct perf_rank *rank, unsigned int to, size_t bytes);
int shm_ring_receive(struct perf_rank *rank, unsigned int *from, size_t bytes);

#endif

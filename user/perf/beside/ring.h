/* SPDX-License-Identifier: GPL-2.0 */
/* Transport by rings in shared memory, one per direction. */
#ifndef TORUS_PERF_BESIDE_RING_H
#define TORUS_PERF_BESIDE_RING_H

#include "beside.h"

int ring_make(unsigned int transport, unsigned int a, unsigned int b);
int ring_send(struct rank *rank, unsigned int to, size_t bytes);
int ring_receive(struct rank *rank, unsigned int *from, size_t bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes that one process of a parallel run sends to the others. */
#ifndef TORUS_SIM_PARCEL_H
#define TORUS_SIM_PARCEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/env.h"

/**
 * struct sim_parcel - bytes that go from rank to rank
 * @data: the bytes
 * @used: how many
 * @room: how many there may be
 * @failed: there was no memory for some
 */
struct sim_parcel {
	char *data;
	size_t used;
	size_t room;
	bool failed;
};

bool sim_parcel_here(u32 number);
void sim_parcel_add(struct sim_parcel *parcel, const void *data, size_t bytes);

#endif /* TORUS_SIM_PARCEL_H */

// SPDX-License-Identifier: GPL-2.0
/* What is dealt out to ranks, whole points each, and what of them goes from one to another. */
#include <stdlib.h>
#include <string.h>

#include "parcel.h"
#include "ranks.h"

/**
 * sim_parcel_here - is what is dealt out this rank's?
 * @number: of a point
 *
 * Return: true if so; all are where there is one rank.
 */
bool sim_parcel_here(u32 number)
{
	struct torus_ranks *ranks = sim_ranks();

	return !ranks || number % ranks->count == ranks->rank;
}

/**
 * sim_parcel_add - put bytes behind those of a parcel
 * @parcel: the parcel; its data is to be freed
 * @data: the bytes
 * @bytes: how many
 */
void sim_parcel_add(struct sim_parcel *parcel, const void *data, size_t bytes)
{
	char *more = parcel->data;

	if (parcel->used + bytes > parcel->room) {
		parcel->room = 2 * (parcel->used + bytes);
		more = realloc(parcel->data, parcel->room);
	}
	if (!more || !bytes) {
		parcel->failed |= !more;
		return;
	}
	parcel->data = more;
	memcpy(parcel->data + parcel->used, data, bytes);
	parcel->used += bytes;
}

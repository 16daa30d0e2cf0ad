/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The place of this process in a job, by its environment: its rank, as mpirun sets it, and the list
 * of places by rank in TORUS_MEMBERS.
 */
#ifndef TORUS_COMMON_RANK_PLACE_H
#define TORUS_COMMON_RANK_PLACE_H

#include <stdbool.h>
#include <stdint.h>

bool torus_mpi_rank(const char **name, uint32_t *rank);
bool torus_mpi_key(uint32_t *key);
int torus_members_text(const char *value, char **text);
bool torus_members_next(const char **text, uint32_t *node, uint32_t *group);
const char *torus_members_skip(const char *text);
const char *torus_members_past(const char *text);
int torus_members_length(const char *text);

#endif /* TORUS_COMMON_RANK_PLACE_H */

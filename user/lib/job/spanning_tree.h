/* SPDX-License-Identifier: GPL-2.0 */
/* The tree of a job's ranks. */
#ifndef TORUS_LIB_SPANNING_TREE_H
#define TORUS_LIB_SPANNING_TREE_H

#include <stdint.h>

#include "job.h"

int torus_tree_build(struct torus_job *job);
uint32_t torus_tree_above(const struct torus_job *job, uint32_t rank);
uint32_t torus_tree_below(const struct torus_job *job, uint32_t after);

#endif /* TORUS_LIB_SPANNING_TREE_H */

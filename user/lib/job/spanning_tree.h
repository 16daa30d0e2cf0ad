/* SPDX-License-Identifier: GPL-2.0 */
/* The tree of a job's ranks. */
#ifndef TORUS_LIB_SPANNING_TREE_H
#define TORUS_LIB_SPANNING_TREE_H

#include "job.h"

int torus_tree_build(struct torus_job *job);
__u32 torus_tree_above(const struct torus_job *job, __u32 rank);
__u32 torus_tree_below(const struct torus_job *job, __u32 after);

#endif /* TORUS_LIB_SPANNING_TREE_H */

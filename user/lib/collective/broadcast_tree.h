/* SPDX-License-Identifier: GPL-2.0 */
/* Broadcasts by messages along a tree, on machines without deposit. */
#ifndef TORUS_LIB_BROADCAST_TREE_H
#define TORUS_LIB_BROADCAST_TREE_H

#include "broadcast.h"

int torus_broadcast_tree_plan(const struct torus_job *job, const struct broadcast_box *box,
			      struct torus_broadcast *b);
int torus_broadcast_tree_push(struct torus_job *job, struct torus_broadcast *b);
bool torus_broadcast_tree_ended(const struct torus_broadcast *b);
int torus_broadcast_tree_free(struct torus_job *job, struct torus_broadcast *b);
void torus_broadcast_tree_lost(struct torus_job *job, struct torus_broadcast *b);

#endif /* TORUS_LIB_BROADCAST_TREE_H */

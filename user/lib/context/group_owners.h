/* SPDX-License-Identifier: GPL-2.0 */
/* The owners of the FIFO groups of an attached fabric, requested from the kernel. */
#ifndef TORUS_LIB_GROUP_OWNERS_H
#define TORUS_LIB_GROUP_OWNERS_H

#include "context.h"

int torus_groups_each(struct torus_context *context, torus_group_fn each, void *arg);
int torus_groups_idle(struct torus_context *context);

#endif /* TORUS_LIB_GROUP_OWNERS_H */

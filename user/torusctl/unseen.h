/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes of a fabric that the caller may not see: whether they are dead is not known. */
#ifndef TORUSCTL_UNSEEN_H
#define TORUSCTL_UNSEEN_H

#include "place.h"

int unseen_find(struct ctl *ctl, const struct torus_nl_fabric *fabric, struct place_list *unseen);
int unseen_refuse(struct ctl *ctl, const struct torus_nl_fabric *fabric, uint32_t node);

#endif /* TORUSCTL_UNSEEN_H */

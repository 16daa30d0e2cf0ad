/* SPDX-License-Identifier: GPL-2.0 */
/* Find the nodes of a fabric that the caller may not see. Their state is unknown. */
#ifndef TORUSCTL_HIDDEN_NODES_H
#define TORUSCTL_HIDDEN_NODES_H

#include "../../config/node_addr.h"

int hidden_nodes_find(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		      struct place_list *unseen);
int hidden_nodes_refuse(struct ctl *ctl, const struct torus_nl_fabric *fabric, uint32_t node);

#endif /* TORUSCTL_HIDDEN_NODES_H */

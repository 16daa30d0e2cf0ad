/* SPDX-License-Identifier: GPL-2.0 */
/* Find free places: living nodes whose FIFO group this user may attach to. */
#ifndef TORUS_RUN_FREE_NODES_H
#define TORUS_RUN_FREE_NODES_H

#include "env.h"

bool run_free_nodes_attached(const struct run_env *env, bool *attached);
bool run_free_nodes_choose(struct run_places *places, const struct run_fabric_info *machine,
			   uint32_t ranks);

#endif /* TORUS_RUN_FREE_NODES_H */

/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_WHERE_H
#define TORUS_SIM_WHERE_H

#include "../words/words.h"
#include "core/run/fabric.h"

bool sim_where_node(const struct torus_config *config, const char *word, u32 *node,
		    struct word_why *why);
bool sim_where_dir(const struct torus_config *config, const char *word, u32 *dir,
		   struct word_why *why);

#endif /* TORUS_SIM_WHERE_H */

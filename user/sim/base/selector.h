/* SPDX-License-Identifier: GPL-2.0 */
/* Selectors of nodes, directions and links: one of them, or all. */
#ifndef TORUS_SIM_BASE_SELECTOR_H
#define TORUS_SIM_BASE_SELECTOR_H

#include "../../parse/parse.h"
#include "core/run/fabric.h"

#define SIM_LINKS_MAX	64	/* maximum number of link selectors of one option */

/**
 * struct sim_links - selector of links
 * @node: sender of the links; TORUS_NONE for any
 * @dir: direction of the links; TORUS_NONE for any
 */
struct sim_links {
	u32 node;
	u32 dir;
};

bool sim_select_node(const struct torus_config *config, const char *word, u32 *node,
		     struct parse_error *why);
bool sim_select_dir(const struct torus_config *config, const char *word, u32 *dir,
		    struct parse_error *why);

bool sim_select_links(const struct torus_config *config, const char *word,
		      struct sim_links *links, struct parse_error *why);
bool sim_links_have(const struct sim_links *links, unsigned int n, u32 node, u32 dir);

#endif /* TORUS_SIM_BASE_SELECTOR_H */

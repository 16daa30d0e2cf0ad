/* SPDX-License-Identifier: GPL-2.0 */
/* Convert between the number and the coordinates of a node; check what a machine can do. */
#ifndef TORUS_CONFIG_NODE_ADDR_H
#define TORUS_CONFIG_NODE_ADDR_H

#include "../machine/machine.h"
#include "../netlink/fabric.h"
#include "../parse/node.h"
#include "../parse/node_set.h"
#include "../parse/parse.h"
#include "ctl.h"

/* buffer size that is enough for any coordinates as text */
#define PLACE_TEXT_MAX	PARSE_COORDS_MAX

struct torus_machine_shape place_shape(const struct torus_nl_fabric *fabric);
bool place_coords(const struct torus_nl_fabric *fabric, uint32_t node, uint32_t *coords);
const char *place_text(const struct torus_nl_fabric *fabric, uint32_t node, char *text,
		       size_t size);
int place_number(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 const struct parse_place *place, uint32_t *number);

#define PLACES_MAX	(1u << 24)	/* maximum number of nodes in a range of nodes */

/**
 * struct place_list - node numbers
 * @numbers: array, freed by the caller
 * @count: number of entries
 */
struct place_list {
	uint32_t *numbers;
	size_t count;
};

int place_numbers(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		  const struct parse_places *typed, struct place_list *list);
int place_demand(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 enum torus_machine_can what);

#endif /* TORUS_CONFIG_NODE_ADDR_H */

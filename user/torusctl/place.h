/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_PLACE_H
#define TORUSCTL_PLACE_H

#include "../netlink/fabric.h"
#include "ctl.h"
#include "parse.h"

const unsigned int *place_order(const struct torus_nl_fabric *fabric);
bool place_coords(const struct torus_nl_fabric *fabric, uint32_t node, uint32_t *coords);
const char *place_text(const struct torus_nl_fabric *fabric, uint32_t node, char *text,
		       size_t size);
int place_number(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 const struct parse_place *place, uint32_t *number);

#define PLACE_TEXT_MAX	112	/* bytes that hold any node's coordinates */

#endif /* TORUSCTL_PLACE_H */

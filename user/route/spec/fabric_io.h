/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Load routing tables into a fabric of the kernel and read them back. A new fabric starts with the
 * tables of policy v3.
 */
#ifndef TORUS_ROUTE_SPEC_FABRIC_IO_H
#define TORUS_ROUTE_SPEC_FABRIC_IO_H

#include "../../netlink/fabric.h"
#include "../../netlink/link.h"
#include "spec.h"

bool xt_live_map(const struct torus_nl_fabric *fabric, struct xt_spec *spec,
		 struct parse_error *why);
bool xt_live_cables(struct torus_nl *nl, const char *name, struct xt_spec *spec,
		    struct parse_error *why);
bool xt_live_load(struct torus_nl *nl, const char *name, const struct xt_tables *tables,
		  const uint64_t *at, struct parse_error *why);
bool xt_live_begin(struct torus_nl *nl, const char *name, struct parse_error *why);
int xt_live_read(struct torus_nl *nl, const struct torus_nl_fabric *fabric,
		 struct xt_spec *spec, struct parse_error *why);

#endif /* TORUS_ROUTE_SPEC_FABRIC_IO_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Requests to /dev/torus: fabrics, their FIFO groups and the coordinates of nodes. */
#ifndef TORUS_DEVQUERY_QUERY_H
#define TORUS_DEVQUERY_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "../machine/machine.h"
#include "../parse/parse.h"

#define QUERY_DEVICE	"/dev/torus"

int query_open(struct parse_error *why);
bool query_fabric(int fd, const char *name, struct torus_ioc_fabric *fabric,
		  struct parse_error *why);
bool query_fabrics(int fd, struct torus_ioc_fabric **fabrics, size_t *count,
		   struct parse_error *why);
bool query_groups(int fd, const struct torus_ioc_fabric *fabric, struct torus_group **groups,
		  size_t *count, struct parse_error *why);

bool query_holders(int fd, const struct torus_ioc_fabric *fabric, struct torus_group **groups,
		   uint32_t **holders, size_t *count, struct parse_error *why);

struct torus_machine_shape query_shape(const struct torus_ioc_fabric *fabric);
bool query_coords(const struct torus_ioc_fabric *fabric, uint32_t node, uint32_t *coords);
bool query_number(const struct torus_ioc_fabric *fabric, const uint32_t *coords, uint32_t *node);
const char *query_text(const struct torus_ioc_fabric *fabric, uint32_t node, char *text,
		       size_t size);

#endif /* TORUS_DEVQUERY_QUERY_H */

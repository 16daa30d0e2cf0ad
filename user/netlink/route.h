/* SPDX-License-Identifier: GPL-2.0 */
/* Load routing tables into a fabric, and read the current ones. */
#ifndef TORUS_NL_ROUTE_H
#define TORUS_NL_ROUTE_H

#include "session.h"

int torus_nl_route_load(struct torus_nl *nl, const char *fabric, const void *image,
			size_t bytes, const uint64_t *at);
int torus_nl_route_get(struct torus_nl *nl, const char *fabric, void **image, size_t *bytes);

#endif /* TORUS_NL_ROUTE_H */

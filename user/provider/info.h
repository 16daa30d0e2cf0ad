/* SPDX-License-Identifier: GPL-2.0 */
/* fi_getinfo(): what the provider offers. */
#ifndef TORUS_PROVIDER_INFO_H
#define TORUS_PROVIDER_INFO_H

#include "provider.h"

int prov_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
		 const struct fi_info *hints, struct fi_info **info);

#endif /* TORUS_PROVIDER_INFO_H */

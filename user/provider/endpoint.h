/* SPDX-License-Identifier: GPL-2.0 */
/* Endpoints. */
#ifndef TORUS_PROVIDER_ENDPOINT_H
#define TORUS_PROVIDER_ENDPOINT_H

#include "provider.h"

int prov_endpoint_open(struct fid_domain *fid, struct fi_info *info, struct fid_ep **ep,
		       void *context);
bool prov_endpoint_move(struct prov_endpoint *endpoint);

#endif /* TORUS_PROVIDER_ENDPOINT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Address vectors. */
#ifndef TORUS_PROVIDER_AV_H
#define TORUS_PROVIDER_AV_H

#include "provider.h"

int prov_av_open(struct fid_domain *fid, struct fi_av_attr *attr, struct fid_av **av,
		 void *context);
int prov_av_rank(const struct prov_av *av, fi_addr_t address, uint32_t *rank);
fi_addr_t prov_av_find(const struct prov_av *av, uint32_t rank);

#endif /* TORUS_PROVIDER_AV_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Completion queues. */
#ifndef TORUS_PROVIDER_CQ_H
#define TORUS_PROVIDER_CQ_H

#include "provider.h"

int prov_cq_open(struct fid_domain *fid, struct fi_cq_attr *attr, struct fid_cq **cq,
		 void *context);
int prov_cq_trywait(struct prov_cq *cq);
int prov_cq_wait_for(struct prov_cq *cq, int fd);
bool prov_cq_reserve(struct prov_cq *cq);
struct fi_cq_err_entry *prov_cq_add(struct prov_cq *cq, fi_addr_t source);

#endif /* TORUS_PROVIDER_CQ_H */

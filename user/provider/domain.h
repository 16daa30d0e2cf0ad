/* SPDX-License-Identifier: GPL-2.0 */
/* Fabrics, domains and event queues, and calls that objects do not support. */
#ifndef TORUS_PROVIDER_DOMAIN_H
#define TORUS_PROVIDER_DOMAIN_H

#include "provider.h"

int prov_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
int prov_no_bind(struct fid *fid, struct fid *other, uint64_t flags);
int prov_no_control(struct fid *fid, int command, void *arg);
int prov_no_ops(struct fid *fid, const char *name, uint64_t flags, void **ops, void *context);

#endif /* TORUS_PROVIDER_DOMAIN_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Create, reset and free a domain. */
#ifndef TORUS_CORE_RUN_DOMAIN_H
#define TORUS_CORE_RUN_DOMAIN_H

#include "core/state/domain.h"

int torus_domain_init(struct torus_domain *d);
void torus_domain_start(struct torus_domain *d);
void torus_domain_free(struct torus_domain *d);
u64 torus_domain_bytes(const struct torus_domain *d);

#endif /* TORUS_CORE_RUN_DOMAIN_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of the provider, from the environment. */
#ifndef TORUS_PROVIDER_PARAMETERS_H
#define TORUS_PROVIDER_PARAMETERS_H

#include "provider.h"

void prov_parameters_define(void);
void prov_parameters_read(struct torus_match_config *config, enum torus_route *route);

#endif /* TORUS_PROVIDER_PARAMETERS_H */

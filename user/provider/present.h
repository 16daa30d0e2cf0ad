/* SPDX-License-Identifier: GPL-2.0 */
/* Check that there is a fabric to use. */
#ifndef TORUS_PROVIDER_PRESENT_H
#define TORUS_PROVIDER_PRESENT_H

#include "provider.h"

bool prov_present(void);

#endif /* TORUS_PROVIDER_PRESENT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Which domain each node is in. */
#ifndef TORUS_CORE_DIVIDE_H
#define TORUS_CORE_DIVIDE_H

#include "core/state/domain.h"

int torus_divide(struct torus_fabric *f);
void torus_divide_free(struct torus_fabric *f);

#endif /* TORUS_CORE_DIVIDE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* What the core's narrow fields can hold. */
#ifndef TORUS_CORE_LIMIT_H
#define TORUS_CORE_LIMIT_H

#include "core/state/config.h"

int torus_limit_check(const struct torus_config *cfg, struct torus_error *err);

#endif /* TORUS_CORE_LIMIT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Check of a configuration against the core's narrow fields. */
#ifndef TORUS_CORE_RUN_LIMITS_H
#define TORUS_CORE_RUN_LIMITS_H

#include "core/state/config.h"

int torus_limit_check(const struct torus_config *cfg, struct torus_error *err);

#endif /* TORUS_CORE_RUN_LIMITS_H */

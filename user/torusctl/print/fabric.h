/* SPDX-License-Identifier: GPL-2.0 */
/* Print fabrics as text or as JSON. */
#ifndef TORUSCTL_FABRICPRINT_H
#define TORUSCTL_FABRICPRINT_H

#include "../../netlink/fabric.h"
#include "../../config/ctl.h"

void fabrics_print(const struct ctl *ctl, const struct torus_nl_fabric *fabrics, size_t count);

#endif /* TORUSCTL_FABRICPRINT_H */

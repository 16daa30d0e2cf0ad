/* SPDX-License-Identifier: GPL-2.0 */
/* The object route of torusctl. */
#ifndef TORUS_TORUSCTL_ROUTE_H
#define TORUS_TORUSCTL_ROUTE_H

#include "../../config/ctl.h"

extern const struct ctl_object ctl_route;

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Ways through a Tofu machine, and what their parts are called. */
#ifndef TORUS_USER_ROUTE_TOFU_WALK_H
#define TORUS_USER_ROUTE_TOFU_WALK_H

#include "arch/tofu/walk.h"

#define TOFU_ARCH	"tofu"	/* its name, as in `arch tofu` */

#endif /* TORUS_USER_ROUTE_TOFU_WALK_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Name of the Tofu machine in commands. */
#ifndef TORUS_USER_ROUTE_TOFU_WALK_H
#define TORUS_USER_ROUTE_TOFU_WALK_H

#include "arch/tofu/path.h"

#define TOFU_ARCH	"tofu"	/* name of the machine in torusctl's `arch tofu` */

#endif /* TORUS_USER_ROUTE_TOFU_WALK_H */

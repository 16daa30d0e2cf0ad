// SPDX-License-Identifier: GPL-2.0
/* Blue Gene/L's router: two dynamic VCs, the bubble escape VC, and the priority VC. */
#include "bgl.h"

#define ROUTER_VCS	4
#define ROUTER_WAYS	8
#define ROUTER_WAY_END	BGL_WAYS_NARROW
#define machine_run	bgl_own_run

#define BGL_ROUTER	bgl_own_router
#define BGL_DYNAMIC_VCS	2
#define BGL_ESCAPE	2
#define BGL_PAIR	0
#define BGL_WANT	narrow

static const char *const bgl_vc_names[] = { "D0", "D1", "BN", "BP" };

#include "routing.h"

_Static_assert(sizeof(struct router_node) == 512, "a node of eight cache lines");

// SPDX-License-Identifier: GPL-2.0
/* The router with finite buffers for up to three dimensions, with four VCs per link. */
#include "kncube.h"

#define ROUTER_DIRS	6
#define ROUTER_VCS	4
#define ROUTER_INJECT	8
#define KNCUBE_ROUTER	kncube_router_3d
#define machine_run	kncube_run_3d

#include "routing.h"

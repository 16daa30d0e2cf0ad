// SPDX-License-Identifier: GPL-2.0
/* The router with finite buffers for up to ten dimensions, with three VCs per link. */
#include "kncube.h"

#define ROUTER_DIRS	20
#define ROUTER_VCS	3
#define ROUTER_INJECT	4
#define KNCUBE_ROUTER	kncube_router_10d
#define machine_run	kncube_run_10d

#include "routing.h"

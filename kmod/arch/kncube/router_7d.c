// SPDX-License-Identifier: GPL-2.0
/* The router with finite buffers for up to seven dimensions, with four VCs per link. */
#include "kncube.h"

#define ROUTER_DIRS	14
#define ROUTER_VCS	4
#define ROUTER_INJECT	8
#define KNCUBE_ROUTER	kncube_router_7d
#define machine_run	kncube_run_7d

#include "routing.h"

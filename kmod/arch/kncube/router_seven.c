// SPDX-License-Identifier: GPL-2.0
/* The router with finite buffers for up to seven dimensions, with four VCs per link. */
#include "kncube.h"

#define ROUTER_DIRS	14
#define ROUTER_VCS	4
#define ROUTER_INJECT	8
#define KN_ROUTER	kn_router_seven
#define machine_run	kn_run_seven

#include "routing.h"

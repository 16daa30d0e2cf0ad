// SPDX-License-Identifier: GPL-2.0
/* The router with finite buffers for up to three dimensions, with four VCs per link. */
#include "kncube.h"

#define ROUTER_DIRS	6
#define ROUTER_VCS	4
#define ROUTER_INJECT	8
#define KN_ROUTER	kn_router_three
#define machine_run	kn_run_three

#include "routing.h"

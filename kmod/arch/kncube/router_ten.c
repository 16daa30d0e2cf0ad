// SPDX-License-Identifier: GPL-2.0
/* The router with finite buffers for up to ten dimensions, with three VCs per link. */
#include "kncube.h"

#define ROUTER_DIRS	20
#define ROUTER_VCS	3
#define ROUTER_INJECT	4
#define KN_ROUTER	kn_router_ten
#define machine_run	kn_run_ten

#include "routing.h"

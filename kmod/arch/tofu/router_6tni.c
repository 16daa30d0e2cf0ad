// SPDX-License-Identifier: GPL-2.0
/* Tofu's router with six engines, as in Tofu's successor: parameter `tnis=6`. */
#include "barrier.h"
#include "engine.h"
#include "tofu.h"

#define TOFU_TNIS	6
#define TOFU_ROUTER	tofu_router_6tni
#define machine_run	tofu_run_6tni

#include "routing.h"

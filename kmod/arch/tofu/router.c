// SPDX-License-Identifier: GPL-2.0
/* Tofu's router with the paper's four engines. */
#include "barrier.h"
#include "engine.h"
#include "tofu.h"

#define TOFU_TNIS	4
#define TOFU_ROUTER	tofu_router_4tni
#define machine_run	tofu_run

#include "routing.h"

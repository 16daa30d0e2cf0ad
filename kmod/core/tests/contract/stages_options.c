// SPDX-License-Identifier: GPL-2.0
/*
 * A machine that enables all options of a router with two stages. plain.c has its hooks, and
 * stages_options_hooks.h the others.
 */
#define ROUTER_STAGES	2
#define ROUTER_BANK	3
#define ROUTER_WAYS	8
#define ROUTER_WAY_END	4
#define ROUTER_ROUND_ROBIN	1
#define ROUTER_ONE_ALTERNATIVE	1
#define ROUTER_NO_RANDOM	1
#define ROUTER_TABLES	1
#define ROUTER_NIC_DELIVERY	1
#define ROUTER_INJECT_PORT	1
#define ROUTER_FREE_ON_START	1
#define ROUTER_TRUE_SIZE_CREDITS	1
#define CONTRACT_HOOKS	"stages_options_hooks.h"
#include "plain.c"

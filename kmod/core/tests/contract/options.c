// SPDX-License-Identifier: GPL-2.0
/*
 * A machine that enables all options of a router with one stage. plain.c and options_hooks.h have
 * its hooks.
 */
#define ROUTER_WAYS	8
#define ROUTER_BUBBLE	1
#define ROUTER_RANGES	1
#define ROUTER_BUSES	1
#define ROUTER_PRIORITY	1
#define ROUTER_DEPOSIT	1
#define ROUTER_BYPASS	1
#define ROUTER_GAP	1
#define ROUTER_CONTROL	1
#define ROUTER_UNBLOCKING 1
#define ROUTER_STRICT_INJECTION 1
#define ROUTER_ROUND_ROBIN	1
#define ROUTER_ONE_ALTERNATIVE	1
#define ROUTER_KEYS_WITHOUT_COUNTS	1
#define ROUTER_TABLES	1
#define ROUTER_NIC_DELIVERY	1
#define CONTRACT_HOOKS	"options_hooks.h"
#include "plain.c"

// SPDX-License-Identifier: GPL-2.0
/* A machine with several reception ports, which needs a hook in addition to those of plain.c. */
#define ROUTER_PORTS	2
#define ROUTER_ROUND_ROBIN	1
#define CONTRACT_HOOKS	"ports_hooks.h"
#include "plain.c"

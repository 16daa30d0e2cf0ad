// SPDX-License-Identifier: GPL-2.0
/* A machine whose packets name reception ports: its hook besides those of plain.c. */
#define ROUTER_PORTS	2
#define ROUTER_WINNERS	1
#define CONTRACT_HOOKS	"ports_hooks.h"
#include "plain.c"

// SPDX-License-Identifier: GPL-2.0
/*
 * A machine whose router has two stages, with constants and hooks in addition to those of plain.c.
 */
#define ROUTER_STAGES	2
#define ROUTER_BANK	3
#define ROUTER_ROUND_ROBIN	1
#define CONTRACT_HOOKS	"stages_hooks.h"
#include "plain.c"

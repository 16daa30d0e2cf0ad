/* SPDX-License-Identifier: GPL-2.0 */
/* The options, for node.h: no include guard, they come twice. */
#include "core/router/option_ranges.h"
#include "core/router/option_enter.h"
#include "core/router/option_buses.h"
#include "core/router/option_ports.h"
#include "core/router/option_priority.h"
#include "core/router/option_deposit.h"
#include "core/router/option_winners.h"
#include "core/router/option_delivery.h"
#include "core/router/option_bypass.h"
#include "core/router/option_gap.h"
#include "core/router/option_control.h"
#include "core/router/option_unblocking.h"
#include "core/router/option_injection.h"

#ifdef ROUTER_MEMBERS
#include "core/router/stage.h"
#endif

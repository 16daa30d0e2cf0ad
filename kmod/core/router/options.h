/* SPDX-License-Identifier: GPL-2.0 */
/* List of the options' files. It has no include guard, because node.h includes it twice. */
#include "core/router/option_ranges.h"
#include "core/router/option_bubble.h"
#include "core/router/option_buses.h"
#include "core/router/option_ports.h"
#include "core/router/option_priority.h"
#include "core/router/option_deposit.h"
#include "core/router/option_round_robin.h"
#include "core/router/option_nic_delivery.h"
#include "core/router/option_bypass.h"
#include "core/router/option_gap.h"
#include "core/router/option_control.h"
#include "core/router/option_unblocking.h"
#include "core/router/option_strict_injection.h"

#ifdef ROUTER_MEMBERS
#include "core/router/output_queues.h"
#endif

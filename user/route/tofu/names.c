// SPDX-License-Identifier: GPL-2.0
/* Names of path policies, orders of axes and phases. */
#include "names.h"

/**
 * tofu_policy_name() - get the name of a path policy
 */
const char *tofu_policy_name(enum tofu_policy policy)
{
	return tofu_policy_names[policy];
}

/**
 * tofu_order_name() - get the name of an order of the axes
 * @order: enum tofu_order
 */
const char *tofu_order_name(u32 order)
{
	return order == TOFU_Z_FIRST ? "zfirst" : "zlast";
}

/**
 * tofu_phase_name() - get the name of a phase
 * @phase: enum tofu_phase
 */
const char *tofu_phase_name(u32 phase)
{
	static const char *const names[] = { "relay", "group", "node" };

	return names[phase];
}

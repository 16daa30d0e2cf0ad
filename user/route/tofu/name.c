// SPDX-License-Identifier: GPL-2.0
/* Policies, orders and phases in a word. */
#include "name.h"

/**
 * tofu_policy_name() - a policy in a word
 * @policy: it
 *
 * Return: the word.
 */
const char *tofu_policy_name(enum tofu_policy policy)
{
	return tofu_policy_names[policy];
}

/**
 * tofu_order_name() - an order of the axes in a word
 * @order: enum tofu_order
 *
 * Return: the word.
 */
const char *tofu_order_name(u32 order)
{
	return order == TOFU_Z_FIRST ? "zfirst" : "zlast";
}

/**
 * tofu_phase_name() - a phase in a word
 * @phase: enum tofu_phase
 *
 * Return: the word.
 */
const char *tofu_phase_name(u32 phase)
{
	static const char *const names[] = { "relay", "group", "node" };

	return names[phase];
}

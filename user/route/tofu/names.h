/* SPDX-License-Identifier: GPL-2.0 */
/* Names of policies, orders and phases. */
#ifndef TORUS_ROUTE_TOFU_NAMES_H
#define TORUS_ROUTE_TOFU_NAMES_H

#include "walk.h"

const char *tofu_policy_name(enum tofu_policy policy);
const char *tofu_order_name(u32 order);
const char *tofu_phase_name(u32 phase);

#endif

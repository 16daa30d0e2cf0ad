/* SPDX-License-Identifier: GPL-2.0 */
/* Send queues of engines; commands of a session wait for their steps. */
#ifndef TORUS_ARCH_TOFU_SEND_QUEUES_H
#define TORUS_ARCH_TOFU_SEND_QUEUES_H

#include "arch/tofu/engine.h"

struct tofu_flow *tofu_flow_new(struct torus_domain *d, struct tofu_flows *list);
struct tofu_flow *tofu_flow_make(struct torus_domain *d);
void tofu_flow_schedule(struct tofu_flows *list, struct tofu_flow *flow);
void tofu_flows_step(struct tofu_flows *list, u32 vcq, u32 steps);
void tofu_flows_empty(struct tofu_flows *list);
void tofu_flow_drop(struct tofu_flows *list, struct tofu_flow *flow);

#endif

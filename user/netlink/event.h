/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_NL_EVENT_H
#define TORUS_NL_EVENT_H

#include "link.h"

/**
 * struct torus_nl_event - something that happened to a fabric
 * @present: which attributes the module sent: TORUS_NL_HAS()
 * @event: enum torus_event_type
 * @fabric: name of the fabric
 * @clock: ticks
 * @text: the module's words
 * @group: FIFO group of a node
 * @uid: new owner of a node
 * @partition: new partition of a node
 * @reg: offset of a register
 * @reg_value: its new value
 * @link: node, direction and faults, as far as they were sent
 */
struct torus_nl_event {
	uint64_t present;
	uint32_t event;
	char fabric[TORUS_NAME_MAX];
	uint64_t clock;
	char text[512];
	uint32_t group;
	uint32_t uid;
	uint32_t partition;
	uint32_t reg;
	uint32_t reg_value;
	struct torus_nl_link link;
};

int torus_nl_event_parse(const struct torus_nl_reply *reply, struct torus_nl_event *event);

#endif /* TORUS_NL_EVENT_H */

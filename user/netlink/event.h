/* SPDX-License-Identifier: GPL-2.0 */
/* Events of fabrics, received from the multicast group of the module. */
#ifndef TORUS_NL_EVENT_H
#define TORUS_NL_EVENT_H

#include "context.h"
#include "fabric.h"
#include "link.h"

/**
 * struct torus_nl_event - a change of a fabric
 * @present: set of attributes that the module sent, for TORUS_NL_HAS()
 * @event: enum torus_event_type
 * @fabric: name of the fabric
 * @clock: tick of the event
 * @text: description by the module
 * @group: FIFO group of a node
 * @uid: user ID of a node's new owner
 * @partition: new partition of a node
 * @node_state: enum torus_node_state
 * @arch: machine of a new fabric
 * @shape: shape of a new fabric
 * @nshape: number of lengths in @shape
 * @seed: seed of a new fabric
 * @domains: number of domains of a new fabric
 * @reg: offset of a register
 * @reg_value: new value of the register
 * @command: name of the process that caused the event
 * @signal: signal that killed the process, or 0
 * @params: parameters of the fabric that were set
 * @link: node, direction and faults of a link; members that @present does not name are 0
 */
struct torus_nl_event {
	torus_nl_set present;
	uint32_t event;
	char fabric[TORUS_NAME_MAX];
	uint64_t clock;
	char text[512];
	uint32_t group;
	uint32_t uid;
	uint32_t partition;
	uint32_t node_state;
	char arch[16];
	uint32_t shape[TORUS_DIMS_MAX];
	unsigned int nshape;
	uint64_t seed;
	uint32_t domains;
	uint32_t reg;
	uint32_t reg_value;
	char command[TORUS_NL_COMMAND_MAX];
	uint32_t signal;
	struct torus_nl_param params[TORUS_NL_PARAMS_MAX];
	size_t nparams;
	struct torus_nl_link link;
};

int torus_nl_event_parse(const struct torus_nl_reply *reply, struct torus_nl_event *event);

#endif /* TORUS_NL_EVENT_H */

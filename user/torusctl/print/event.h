/* SPDX-License-Identifier: GPL-2.0 */
/* Convert events of the module to records with the names of nodes and registers. */
#ifndef TORUSCTL_EVENTPRINT_H
#define TORUSCTL_EVENTPRINT_H

#include <json-c/json.h>

#include "../../netlink/event.h"
#include "../../netlink/fabric.h"
#include "../../netlink/reg.h"
#include "../../config/ctl.h"

/**
 * struct event_names - the names for the numbers in events
 * @ask: session for requests to the module
 * @fabric: the fabric whose names were read last; an empty name: no fabric
 * @regs: registers of that fabric
 * @nregs: number of entries in @regs
 */
struct event_names {
	struct torus_nl *ask;
	struct torus_nl_fabric fabric;
	struct torus_nl_reg *regs;
	size_t nregs;
};

const char *event_name(uint32_t event);
void event_names_init(struct event_names *names, struct torus_nl *ask);
void event_learn(struct event_names *names, const struct torus_nl_event *event);
struct json_object *event_json(const struct ctl *ctl, const struct event_names *names,
			       const struct torus_nl_event *event);

/* Format of an event's record as text, see report_print(). */
extern const char event_form[];

#endif /* TORUSCTL_EVENTPRINT_H */

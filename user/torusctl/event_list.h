/* SPDX-License-Identifier: GPL-2.0 */
/* Events of packets that the module has recorded, in the format of torus-sim run --trace. */
#ifndef TORUS_TORUSCTL_EVENT_LIST_H
#define TORUS_TORUSCTL_EVENT_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/torus.h>

#include "core/run/config.h"
#include "../config/ctl.h"
#include "../netlink/fabric.h"
#include "../report/packet_event.h"

/**
 * struct event_list - events that are not printed yet
 * @config: the configuration of the fabric, on which the format of events depends
 * @events: the events; nodes are indices
 * @count: number of events
 */
struct event_list {
	struct torus_config config;
	struct packet_event *events;
	size_t count;
};

int event_list_begin(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		     struct event_list *list);
int event_list_add(struct ctl *ctl, struct event_list *list, const struct torus_packet_event *from);
void event_list_print(FILE *out, bool json, struct event_list *list);
void event_list_free(struct event_list *list);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Format of an event of a trace, as a line of text or of JSON. */
#ifndef TORUS_SIM_EVENT_H
#define TORUS_SIM_EVENT_H

#include "trace.h"

/* Names of all events at which a run can stop; sim_event_find() finds each. */
#define SIM_EVENT_LIST	"inject route stall hop error resend deliver drop ack interrupt"

const char *sim_event_name(u32 event);
bool sim_event_find(const char *name, u32 *mask);
bool sim_event_is_json(const char *path);
void sim_event_head(FILE *out, const struct torus_fabric *fabric);
void sim_event_text(FILE *out, const struct torus_fabric *fabric, const struct sim_event *event);
void sim_event_json(FILE *out, const struct torus_fabric *fabric, const struct sim_event *event);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Convert the options of a run in a state file from and to a fabric and its workload. */
#ifndef TORUS_TORUSCTL_STATERUN_H
#define TORUS_TORUSCTL_STATERUN_H

#include "state.h"

struct json_object *state_run_json(struct ctl *ctl, const struct torus_nl_fabric *fabric,
				   const struct torus_traffic *traffic);
int state_run_take(struct ctl *ctl, struct json_object *doc, struct state_run *run);
void state_run_free(struct state_run *run);

#endif

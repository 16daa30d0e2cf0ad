/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes of a fabric of this process: owners, partitions and states. Jobs, which own partitions. */
#ifndef TORUS_REHEARSAL_NODE_H
#define TORUS_REHEARSAL_NODE_H

#include "rehearsal.h"

int rehearsal_node_get(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_node_set(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_job_add(struct rehearsed *r, struct torus_nl_request *request);

#endif /* TORUS_REHEARSAL_NODE_H */

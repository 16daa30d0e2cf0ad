/* SPDX-License-Identifier: GPL-2.0 */
/* Links of a fabric of this process: faults, and routing tables. */
#ifndef TORUS_REHEARSAL_LINK_H
#define TORUS_REHEARSAL_LINK_H

#include "rehearsal.h"

int rehearsal_link_get(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_fault_get(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_link_set(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_route_load(struct rehearsed *r, struct torus_nl_request *request);

#endif /* TORUS_REHEARSAL_LINK_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Create, describe, change and delete a fabric of this process. */
#ifndef TORUS_REHEARSAL_FABRIC_H
#define TORUS_REHEARSAL_FABRIC_H

#include "rehearsal.h"

bool rehearsal_name_good(const char *name);
int rehearsal_fabric_add(struct rehearsal *all, struct torus_nl_request *request);
int rehearsal_fabric_del(struct rehearsal *all, struct torus_nl_request *request);
void rehearsed_free(struct rehearsed *r);
int rehearsal_fabric_get(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_fabric_set(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_param_dump(struct torus_nl_request *request);

#endif /* TORUS_REHEARSAL_FABRIC_H */

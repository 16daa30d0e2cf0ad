/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of nodes of a fabric of this process. */
#ifndef TORUS_REHEARSAL_REG_H
#define TORUS_REHEARSAL_REG_H

#include "rehearsal.h"

int rehearsal_reg_get(struct rehearsed *r, struct torus_nl_request *request);
int rehearsal_reg_set(struct rehearsed *r, struct torus_nl_request *request);

#endif /* TORUS_REHEARSAL_REG_H */

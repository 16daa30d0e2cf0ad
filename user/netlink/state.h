/* SPDX-License-Identifier: GPL-2.0 */
/* Save the state of a fabric with its workload, and restore it into a new fabric. */
#ifndef TORUS_NL_STATE_H
#define TORUS_NL_STATE_H

#include "session.h"

int torus_nl_state_save(struct torus_nl *nl, const char *fabric, const char *options,
			void **state, size_t *bytes);
int torus_nl_state_load(struct torus_nl *nl, const char *fabric, const void *state, size_t bytes,
			const struct torus_traffic *traffic);

#endif /* TORUS_NL_STATE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Save a fabric with its workload from the module, and make a fabric from such a state. */
#ifndef TORUS_NL_STATE_H
#define TORUS_NL_STATE_H

#include "session.h"

int torus_nl_state_save(struct torus_nl *nl, const char *fabric, const char *options,
			void **state, size_t *bytes);
int torus_nl_state_load(struct torus_nl *nl, const char *fabric, const void *state, size_t bytes,
			const struct torus_traffic *traffic);

#endif /* TORUS_NL_STATE_H */

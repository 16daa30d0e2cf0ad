/* SPDX-License-Identifier: GPL-2.0 */
/* Read and reset the counters of a fabric and of its links. */
#ifndef TORUS_NL_COUNTER_H
#define TORUS_NL_COUNTER_H

#include "link.h"

int torus_nl_counter_get(struct torus_nl *nl, const char *fabric,
			 struct torus_fabric_counters *counters);
int torus_nl_counter_link(struct torus_nl *nl, const char *fabric, uint32_t node, uint32_t dir,
			  struct torus_nl_link *link);
int torus_nl_counter_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
			  struct torus_nl_link **links, size_t *count);
int torus_nl_counter_reset(struct torus_nl *nl, const char *fabric);

#endif /* TORUS_NL_COUNTER_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Read the counters of the network interfaces of nodes. */
#ifndef TORUS_NL_TNI_H
#define TORUS_NL_TNI_H

#include "session.h"

/**
 * struct torus_nl_tnis - counters of network interfaces
 * @count: number of interfaces; 0 if the machine's interfaces have no counters
 * @tni: counters, by number of the interface
 */
struct torus_nl_tnis {
	unsigned int count;
	struct torus_tni_counters tni[TORUS_TNIS_MAX];
};

int torus_nl_tnis_get(struct torus_nl *nl, const char *fabric, const uint32_t *node,
		      struct torus_nl_tnis *tnis);

#endif /* TORUS_NL_TNI_H */

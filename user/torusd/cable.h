/* SPDX-License-Identifier: GPL-2.0 */
/* Operations on a cable, which consists of the two links between two nodes. */
#ifndef TORUS_TORUSD_CABLE_H
#define TORUS_TORUSD_CABLE_H

#include "torusd.h"

void torusd_cable_senders(struct torusd *d, const char *fabric, const struct torusd_cable *cable,
			  uint32_t state);
const char *torusd_cable_text(const struct torus_nl_fabric *fabric,
			      const struct torusd_cable *cable, char *text, size_t size);

#endif

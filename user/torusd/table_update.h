/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables that follow the state of cables. */
#ifndef TORUS_TORUSD_TABLE_UPDATE_H
#define TORUS_TORUSD_TABLE_UPDATE_H

#include "torusd.h"

bool torusd_tables_follow(struct torusd *d, const struct torus_nl_fabric *fabric,
			  struct torusd_fabric *watched);

#endif

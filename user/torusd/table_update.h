/* SPDX-License-Identifier: GPL-2.0 */
/* Change routing tables after the state of cables has changed. */
#ifndef TORUS_TORUSD_TABLE_UPDATE_H
#define TORUS_TORUSD_TABLE_UPDATE_H

#include "torusd.h"

bool torusd_tables_follow(struct torusd *d, const struct torus_nl_fabric *fabric,
			  struct torusd_fabric *watched);

#endif

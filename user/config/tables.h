/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables in a configuration: the line that loads them, and the file. */
#ifndef TORUS_TORUSCTL_CONFIGROUTE_H
#define TORUS_TORUSCTL_CONFIGROUTE_H

#include "config.h"

int config_route_tail(struct ctl *ctl, const struct torus_nl_fabric *fabric, char *tail,
		      size_t size);
int config_route_write(struct ctl *ctl, const struct torus_nl_fabric *fabric, const char *dir,
		       const char *tail);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A configuration in JSON: its keys become options. */
#ifndef TORUS_SIM_CONFIGFILE_H
#define TORUS_SIM_CONFIGFILE_H

#include "config.h"

int sim_config_take(struct sim_cmdline *typed, unsigned int command, const char *text);
int sim_config_file(struct sim_cmdline *typed, unsigned int command);

#endif

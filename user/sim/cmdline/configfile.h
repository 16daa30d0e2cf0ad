/* SPDX-License-Identifier: GPL-2.0 */
/* Parser of JSON configurations: each key is an option. */
#ifndef TORUS_SIM_CONFIGFILE_H
#define TORUS_SIM_CONFIGFILE_H

#include "config.h"

int sim_config_take(struct sim_cmdline *typed, unsigned int command, const char *text);
int sim_config_file(struct sim_cmdline *typed, unsigned int command);

#endif

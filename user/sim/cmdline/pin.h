/* SPDX-License-Identifier: GPL-2.0 */
/* The file of --write-config: all options and keys with their values. */
#ifndef TORUS_SIM_PIN_H
#define TORUS_SIM_PIN_H

#include "config.h"

int sim_pin_write(const struct sim_cmdline *typed, const struct sim_run_config *options,
		  const struct sim_axes *axes);

#endif

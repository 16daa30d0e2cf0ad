/* SPDX-License-Identifier: GPL-2.0 */
/* The command line: options, object, command and arguments. */
#ifndef TORUS_TORUSCTL_CLI_H
#define TORUS_TORUSCTL_CLI_H

#include "../config/ctl.h"

void ctl_stoppable(void);

int ctl_run_words(struct ctl *ctl, struct ctl_args *args);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Take the arguments of a call one after another. */
#ifndef TORUS_TORUSCTL_ARGS_H
#define TORUS_TORUSCTL_ARGS_H

#include "ctl.h"

const char *ctl_next(struct ctl_args *args);
int ctl_end(struct ctl *ctl, struct ctl_args *args);

#endif

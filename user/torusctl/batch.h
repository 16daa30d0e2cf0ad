/* SPDX-License-Identifier: GPL-2.0 */
/* Calls from a file: torusctl -b FILE. */
#ifndef TORUS_TORUSCTL_BATCH_H
#define TORUS_TORUSCTL_BATCH_H

#include "../config/ctl.h"

int ctl_batch(struct ctl *ctl, const char *name);

#endif

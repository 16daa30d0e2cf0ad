/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl -b FILE: run each line of a file as one call of torusctl. */
#ifndef TORUS_TORUSCTL_BATCH_H
#define TORUS_TORUSCTL_BATCH_H

#include "../config/ctl.h"

int ctl_batch(struct ctl *ctl, const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The command reg write: write a register, or one of its fields. */
#ifndef TORUS_TORUSCTL_REG_WRITE_H
#define TORUS_TORUSCTL_REG_WRITE_H

#include "ctl.h"

int reg_write(struct ctl *ctl, struct ctl_args *args);

#endif

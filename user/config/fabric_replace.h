/* SPDX-License-Identifier: GPL-2.0 */
/* The command fabric replace. */
#ifndef TORUS_CONFIG_FABRIC_REPLACE_H
#define TORUS_CONFIG_FABRIC_REPLACE_H

#include "ctl.h"

int fabric_replace(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUS_CONFIG_FABRIC_REPLACE_H */

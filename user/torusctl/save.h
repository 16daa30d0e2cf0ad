/* SPDX-License-Identifier: GPL-2.0 */
/* Fabrics as a file of torusctl's commands, for restore. */
#ifndef TORUS_TORUSCTL_SAVE_H
#define TORUS_TORUSCTL_SAVE_H

#include "restore.h"

int save_file(struct ctl *ctl, const char *name);

#endif

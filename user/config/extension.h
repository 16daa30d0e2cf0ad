/* SPDX-License-Identifier: GPL-2.0 */
/* The endings of file names, which must fit the format that is written. */
#ifndef TORUS_TORUSCTL_EXTENSION_H
#define TORUS_TORUSCTL_EXTENSION_H

#include "ctl.h"

int output_extension(struct ctl *ctl, const char *key, const char *path, const char *writes);

#endif

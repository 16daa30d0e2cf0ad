/* SPDX-License-Identifier: GPL-2.0 */
/* Check that the ending of an output file's name agrees with the format that is written. */
#ifndef TORUS_TORUSCTL_EXTENSION_H
#define TORUS_TORUSCTL_EXTENSION_H

#include "ctl.h"

int output_extension(struct ctl *ctl, const char *key, const char *path, const char *writes);

#endif

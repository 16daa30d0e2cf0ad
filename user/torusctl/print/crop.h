/* SPDX-License-Identifier: GPL-2.0 */
/* Crop text to the size of a terminal. */
#ifndef TORUSCTL_CROP_H
#define TORUSCTL_CROP_H

#include <stdio.h>

void crop_print(FILE *out, const char *text, unsigned int rows, unsigned int columns);

#endif /* TORUSCTL_CROP_H */

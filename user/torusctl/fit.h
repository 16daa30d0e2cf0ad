/* SPDX-License-Identifier: GPL-2.0 */
/* Text that fits a terminal. */
#ifndef TORUSCTL_FIT_H
#define TORUSCTL_FIT_H

#include <stdio.h>

void fit_print(FILE *out, const char *text, unsigned int rows, unsigned int columns);

#endif /* TORUSCTL_FIT_H */

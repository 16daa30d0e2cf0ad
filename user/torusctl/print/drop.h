/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the reasons for which packets are dropped. */
#ifndef TORUS_TORUSCTL_PRINT_DROP_H
#define TORUS_TORUSCTL_PRINT_DROP_H

#include <stdbool.h>

#define DROP_NAME_MAX	32	/* maximum bytes of a name, with NUL */

bool drop_name(const char *drops, unsigned int drop, char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Print a fabric as text. */
#ifndef TORUS_INFO_TEXT_H
#define TORUS_INFO_TEXT_H

#include "group_count.h"

void info_text(const struct info_census *census, bool nodes);

#endif

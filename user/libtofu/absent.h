/* SPDX-License-Identifier: GPL-2.0 */
/* What is not offered. */
#ifndef TOFU_ABSENT_H
#define TOFU_ABSENT_H

int tofu_absent(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The version of all programs. */
#ifndef TORUS_COMMON_VERSION_H
#define TORUS_COMMON_VERSION_H

const char *torus_version(void);

#endif /* TORUS_COMMON_VERSION_H */

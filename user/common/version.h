/* SPDX-License-Identifier: GPL-2.0 */
/* The version of all programs. */
#ifndef TORUS_COMMON_VERSION_H
#define TORUS_COMMON_VERSION_H

#define TORUS_VERSION	"0.1"

#endif /* TORUS_COMMON_VERSION_H */

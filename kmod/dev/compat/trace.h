/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings in tracepoints.
 *
 * Since Linux 6.10 __string() keeps the source, and __assign_str() takes the field alone.
 */
#ifndef TORUS_DEV_COMPAT_TRACE_H
#define TORUS_DEV_COMPAT_TRACE_H

#include <linux/version.h>

/* torus_assign_str(): copy the string @src into the field that __string(@dst, @src) declared */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define torus_assign_str(dst, src)	__assign_str(dst, src)
#else
#define torus_assign_str(dst, src)	__assign_str(dst)
#endif

#endif

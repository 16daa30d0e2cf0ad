/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of struct bus_type's operations: match() has a const driver since Linux 6.11, uevent()
 * a const device since Linux 6.3.
 */
#ifndef TORUS_BUS_COMPAT_BUS_TYPE_H
#define TORUS_BUS_COMPAT_BUS_TYPE_H

#include <linux/device.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define torus_match_driver	struct device_driver
#else
#define torus_match_driver	const struct device_driver
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define torus_uevent_device	struct device
#else
#define torus_uevent_device	const struct device
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VFIO of Linux 6.1 to 6.12: the driver's release() frees the device only before Linux 6.2. With
 * IOMMUFD, since Linux 6.2, a device needs operations of its own. eventfd_signal() has no count
 * since Linux 6.8.
 */
#ifndef TORUS_VFIO_COMPAT_VFIO_H
#define TORUS_VFIO_COMPAT_VFIO_H

#include <linux/eventfd.h>
#include <linux/version.h>
#include <linux/vfio.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define torus_vfio_free_device(vdev)	vfio_free_device(vdev)
#define TORUS_VFIO_IOMMUFD_OPS
#else
#define torus_vfio_free_device(vdev)	((void)(vdev))
#define TORUS_VFIO_IOMMUFD_BIND_OPS \
	.bind_iommufd = vfio_iommufd_emulated_bind, \
	.unbind_iommufd = vfio_iommufd_emulated_unbind, \
	.attach_ioas = vfio_iommufd_emulated_attach_ioas
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define TORUS_VFIO_IOMMUFD_OPS	TORUS_VFIO_IOMMUFD_BIND_OPS,
#else
#define TORUS_VFIO_IOMMUFD_OPS	TORUS_VFIO_IOMMUFD_BIND_OPS, \
	.detach_ioas = vfio_iommufd_emulated_detach_ioas,
#endif
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define torus_vfio_signal(event)	eventfd_signal(event, 1)
#else
#define torus_vfio_signal(event)	eventfd_signal(event)
#endif

#endif

// SPDX-License-Identifier: GPL-2.0
/* Calls of /dev/torus. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "device.h"

/**
 * tofu_device_open - open the device
 *
 * Return: a file descriptor, or a negative errno.
 */
int tofu_device_open(void)
{
	int fd = open("/dev/torus", O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/**
 * tofu_device_close - close the device
 * @fd: from tofu_device_open()
 */
void tofu_device_close(int fd)
{
	close(fd);
}

/**
 * tofu_device_call - send a request to the kernel
 * @fd: from tofu_device_open()
 * @request: TORUS_IOC_*
 * @argument: [in, out] argument of the request
 *
 * Return: the result of the request, or a negative errno.
 */
int tofu_device_call(int fd, unsigned long request, void *argument)
{
	int ret = ioctl(fd, request, argument);

	return ret < 0 ? -errno : ret;
}

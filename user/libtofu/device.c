// SPDX-License-Identifier: GPL-2.0
/* /dev/torus. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "device.h"

/**
 * tofu_device_open - open the device
 *
 * Return: a file, or a negative errno.
 */
int tofu_device_open(void)
{
	int fd = open("/dev/torus", O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/**
 * tofu_device_close - and close it
 * @fd: from tofu_device_open()
 */
void tofu_device_close(int fd)
{
	close(fd);
}

/**
 * tofu_device_call - ask the kernel
 * @fd: from tofu_device_open()
 * @request: TORUS_IOC_*
 * @argument: its argument
 *
 * Return: what the request answers, or a negative errno.
 */
int tofu_device_call(int fd, unsigned long request, void *argument)
{
	int ret = ioctl(fd, request, argument);

	return ret < 0 ? -errno : ret;
}

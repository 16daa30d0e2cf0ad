/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of the device; the tests have their own version. */
#ifndef TOFU_DEVICE_H
#define TOFU_DEVICE_H

#include <linux/torus.h>
#include <sys/ioctl.h>

int tofu_device_open(void);
void tofu_device_close(int fd);
int tofu_device_call(int fd, unsigned long request, void *argument);

#endif

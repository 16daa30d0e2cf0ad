/* SPDX-License-Identifier: GPL-2.0 */
/* Functions by which the checks of labs 3, 4, 5 and 9 call a driver. Do not change this file. */
#ifndef TORUS_LAB_H
#define TORUS_LAB_H

#include <linux/torus_bus.h>
#include <linux/torus_port.h>

/* Words of the longest packet of a Blue Gene/L: 8 chunks of 32 bytes. */
#define TORUS_LAB_WORDS	64

/**
 * struct torus_lab_ops - operations of a driver
 * @send: send a packet of @count words, whose first two are the header. May sleep. Return: 0 or a
 *	negative errno
 * @receive: receive a packet into @words, which has space for TORUS_LAB_WORDS words. May sleep.
 *	Return: number of words; 0 if there is no packet; or a negative errno
 */
struct torus_lab_ops {
	int (*send)(struct torus_device *td, const u32 *words, u32 count);
	int (*receive)(struct torus_device *td, u32 *words);
};

/**
 * torus_lab_attach() - let the lab call a driver
 * @td: a device whose probe() is about to succeed; calls may come before this returns
 * @ops: operations, valid until torus_lab_detach()
 *
 * Return: 0, or -ENODEV if the device is not part of a lab.
 */
int torus_lab_attach(struct torus_device *td, const struct torus_lab_ops *ops);

/**
 * torus_lab_detach() - end the calls of the lab
 * @td: the device
 *
 * May sleep: it waits until all calls have returned. No call comes afterwards.
 */
void torus_lab_detach(struct torus_device *td);

#endif

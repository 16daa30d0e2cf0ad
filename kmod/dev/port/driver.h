/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bound driver of a device, as the host of the bus sees it: accesses, interrupts, virtual time.
 * All functions are exported in the namespace TORUS_HOST.
 */
#ifndef TORUS_DEV_PORT_DRIVER_H
#define TORUS_DEV_PORT_DRIVER_H

#include <linux/types.h>

struct torus_port_device;

void torus_port_device_request_poll(struct torus_port_device *pd);
int torus_port_device_join(struct torus_port_device *pd);
void torus_port_device_leave(struct torus_port_device *pd);
u64 torus_port_device_access(struct torus_port_device *pd, u32 offset, bool write);
void torus_port_device_accessed(struct torus_port_device *pd, u32 offset, u32 value, bool write,
				u64 tick);
bool torus_port_device_offer(struct torus_port_device *pd, u32 queue, u32 tail);
bool torus_port_device_delay(struct torus_port_device *pd, u32 cause, u32 microseconds);
void torus_port_device_interrupted(struct torus_port_device *pd, u32 cause);
bool torus_port_device_hold_interrupt(struct torus_port_device *pd, u32 cause);
void torus_port_device_sent_interrupt(struct torus_port_device *pd, u32 cause);
void torus_port_device_release_interrupt(struct torus_port_device *pd, u32 cause);
void torus_port_device_busy(struct torus_port_device *pd);
void torus_port_device_idle(struct torus_port_device *pd);
int torus_port_device_wait(struct torus_port_device *pd);
int torus_port_device_machine_read(struct torus_port_device *pd, u32 offset, u32 *value);
int torus_port_device_machine_write(struct torus_port_device *pd, u32 offset, u32 value);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes of a lab: devices whose operations pass through this module. */
#ifndef LABS_DRIVER_NODE_H
#define LABS_DRIVER_NODE_H

#include <linux/list.h>
#include <linux/rwsem.h>

#include "torus_lab.h"

/**
 * enum lab_event - where a hook waits
 * @LAB_READ: a read of the register has returned the hook's value
 * @LAB_WRITE: the register is about to be written
 * @LAB_WRITTEN: the register was written
 * @LAB_UNBIND: the driver's remove() has returned
 */
enum lab_event { LAB_NEVER, LAB_READ, LAB_WRITE, LAB_WRITTEN, LAB_UNBIND };

/**
 * enum lab_action - what a hook does, once
 * @LAB_DELIVER: let a packet of another node arrive, and its interrupt be handled
 * @LAB_FINISH: wait until the device is done with injection ring 0
 * @LAB_LATE: wait for the command "go", then as LAB_DELIVER if there is a packet
 * @LAB_MEET: wait until a second call of send() has written the register, or waits for the first
 */
enum lab_action { LAB_DELIVER, LAB_FINISH, LAB_MEET, LAB_LATE };

/**
 * struct lab_hook - something that happens at a certain access of a driver
 * @event: LAB_NEVER after it has happened; atomic_t, so that it happens once
 * @go: LAB_LATE: the command was given
 * @offset: register
 * @value: LAB_READ: the value
 * @action: what happens
 * @peer: LAB_DELIVER: the sender
 * @count: LAB_DELIVER: words of the packet
 * @words: LAB_DELIVER: the packet
 */
struct lab_hook {
	atomic_t event;
	bool go;
	u32 offset;
	u32 value;
	enum lab_action action;
	struct lab_node *peer;
	u32 count;
	u32 words[TORUS_LAB_WORDS];
};

/**
 * struct lab_node - a device of the lab
 * @link: in the list of all
 * @td: the device; the node ends with it
 * @host: operations of the host
 * @ops: our own, which the bus calls
 * @attached: read by calls of the driver, written by attach and detach
 * @driver: operations of the driver, or NULL (@attached)
 * @senders: calls of send() that have begun
 * @first: task of the call that a LAB_MEET hook stops
 * @met: writes of the hook's register by other tasks than @first
 * @hook: what happens at an access
 * @held: a write of TAIL that the device has not seen yet, or 0: see lab_hold_tail()
 * @release: lets the device see it after some time
 * @fake: register whose reads return @fake_value; 0: none
 * @fake_value: see @fake
 * @no_irq: torus_device_irq() fails
 * @irq: interrupts that were requested, by cause; 0: none
 * @irqs_left: interrupts that had a handler after remove()
 * @enabled_left: the register ENABLE after remove()
 */
struct lab_node {
	struct list_head link;
	struct torus_device *td;
	const struct torus_device_ops *host;
	struct torus_device_ops ops;
	struct rw_semaphore attached;
	const struct torus_lab_ops *driver;
	atomic_t senders;
	struct task_struct *first;
	atomic_t met;
	struct lab_hook hook;
	atomic64_t held;
	struct delayed_work release;
	u32 fake;
	u32 fake_value;
	bool no_irq;
	int irq[TORUS_PORT_CAUSES];
	u32 irqs_left;
	u32 enabled_left;
};

struct lab_node *lab_node_get(const char *name);
void lab_node_put(struct lab_node *node);

/* Registers without a record and without hooks. All ones: the device is gone or unbound. */
u32 lab_node_read(struct lab_node *node, u32 offset);
void lab_node_write(struct lab_node *node, u32 offset, u32 value);

/* Let the device see a write of TAIL that was held. */
void lab_release_tail(struct lab_node *node);

void lab_hook_run(struct lab_node *node, enum lab_event event, u32 offset, u32 value);

/* The record of accesses. */
void lab_record_add(const struct lab_node *node, bool write, u32 offset, u32 value);
void lab_record_clear(void);
/* Accesses by interrupt handlers since the module was loaded. */
u32 lab_record_in_handlers(void);

int lab_commands_init(void);
void lab_commands_exit(void);

#endif

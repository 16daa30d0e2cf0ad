/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts of a device: a line for each cause of its port. */
#ifndef TORUS_HOST_INTERRUPT_H
#define TORUS_HOST_INTERRUPT_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/torus_port.h>
#include <linux/types.h>

struct irq_domain;
struct fwnode_handle;

struct torus_host_interrupts;

/**
 * struct torus_host_line_ops - calls of the lines to their device; any context
 * @deliver: a handler was installed while the line kept an interrupt: send it
 * @freed: the driver has freed the line's last handler
 */
struct torus_host_line_ops {
	void (*deliver)(void *owner, u32 cause);
	void (*freed)(void *owner, u32 cause);
};

/**
 * struct torus_host_line - the interrupt line of a cause
 * @interrupts: lines of the device
 * @virq: Linux's number; 0: the driver has not requested the line
 * @cpu: processor that handles the interrupt
 * @handled: a handler is installed
 * @masked: no handler is installed, or the driver or the kernel has masked the line
 * @pending: an interrupt was sent, and not yet handled
 * @spurious: number of interrupts without a cause that follow
 * @called: @call is under way
 * @call: has another processor queue @work
 * @work: calls the handler on the processor that queued it
 */
struct torus_host_line {
	struct torus_host_interrupts *interrupts;
	unsigned int virq;
	int cpu;
	bool handled;
	bool masked;
	atomic_t pending;
	atomic_t spurious;
	atomic_t called;
	call_single_data_t call;
	struct irq_work work;
};

/**
 * struct torus_host_interrupts - the lines of a device, while a driver is bound
 * @domain: the lines as an interrupt controller
 * @fwnode: name of @domain
 * @ops: calls to the device
 * @owner: argument of @ops
 * @line: a line for each cause
 * @lock: one request of a line at a time
 */
struct torus_host_interrupts {
	struct irq_domain *domain;
	struct fwnode_handle *fwnode;
	const struct torus_host_line_ops *ops;
	void *owner;
	struct torus_host_line line[TORUS_PORT_CAUSES];
	struct mutex lock;	/* virq of all lines */
};

int torus_host_interrupts_create(struct torus_host_interrupts *interrupts, const char *name,
				 const struct torus_host_line_ops *ops, void *owner);
void torus_host_interrupts_destroy(struct torus_host_interrupts *interrupts);
int torus_host_interrupt_request(struct torus_host_interrupts *interrupts, u32 cause);
bool torus_host_interrupt_keep(struct torus_host_interrupts *interrupts, u32 cause);
void torus_host_interrupt_send(struct torus_host_interrupts *interrupts, u32 cause);
bool torus_host_interrupt_send_spurious(struct torus_host_interrupts *interrupts, u32 count);

#endif

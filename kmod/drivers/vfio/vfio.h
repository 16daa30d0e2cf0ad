/* SPDX-License-Identifier: GPL-2.0 */
/* torus_vfio: a node that is handed to a guest as a PCI function. */
#ifndef TORUS_VFIO_VFIO_H
#define TORUS_VFIO_VFIO_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>
#include <linux/vfio.h>

struct eventfd_ctx;
struct regmap;
struct torus_vfio;

#define TORUS_VFIO_CONFIG_BYTES	256

/**
 * struct torus_vfio_line - the interrupt of a cause
 * @v: the function
 * @irq: Linux's number; 0: not requested
 */
struct torus_vfio_line {
	struct torus_vfio *v;
	int irq;
};

/**
 * struct torus_vfio_interrupts - interrupts of the node, and their vectors in the guest
 * @line: interrupts of the node, one for each cause
 * @lock: protects the members below; taken in hard interrupts
 * @index: VFIO_PCI_MSI_IRQ_INDEX, VFIO_PCI_MSIX_IRQ_INDEX, or VFIO_PCI_NUM_IRQS: neither is on
 * @vector: MSI-X: the guest's vector of each cause; MSI: the first one is the vector of all causes
 * @pending: bit i: the interrupt of cause i was sent while its vector was NULL
 * @unplug: requests that the guest gives the function up, or NULL
 */
struct torus_vfio_interrupts {
	struct torus_vfio_line line[TORUS_PORT_CAUSES];
	spinlock_t lock;	/* all members below */
	u32 index;
	struct eventfd_ctx *vector[TORUS_PORT_CAUSES];
	u32 pending;
	struct eventfd_ctx *unplug;
};

/**
 * struct torus_vfio - a PCI function
 * @vdev: the function, as VFIO sees it; the first member
 * @td: the node
 * @machine: the machine's own registers; NULL if it has none
 * @lock: protects @config; one request about interrupts at a time
 * @config: configuration space
 * @master: the guest allows the function to access memory and to send interrupts
 * @interrupts: interrupts
 */
struct torus_vfio {
	struct vfio_device vdev;
	struct torus_device *td;
	struct regmap *machine;
	struct mutex lock;	/* see above */
	u8 config[TORUS_VFIO_CONFIG_BYTES];
	bool master;
	struct torus_vfio_interrupts interrupts;
};

#define to_torus_vfio(d)	container_of(d, struct torus_vfio, vdev)

#endif

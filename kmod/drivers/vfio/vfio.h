/* SPDX-License-Identifier: GPL-2.0 */
/* torus_vfio: a node that is handed to a guest as a PCI function. */
#ifndef TORUS_VFIO_VFIO_H
#define TORUS_VFIO_VFIO_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>
#include <linux/vfio.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

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
 * struct torus_vfio_memory - memory of the guest that the node accesses
 * @lock: one page at a time is pinned, entered, and unpinned
 * @pages: struct page of each pinned page, by DMA address; @lock, and @copy to remove one
 * @copy: a copy is in progress; taken in any context
 * @unmapped: address that was unmapped last (@lock)
 * @repeats: number of unmaps of this address one after the other (@lock)
 * @quiet_until: no page is pinned before this time, in jiffies (@lock)
 */
struct torus_vfio_memory {
	struct mutex lock;	/* see above */
	struct xarray pages;
	spinlock_t copy;	/* see above */
	u64 unmapped;
	u32 repeats;
	unsigned long quiet_until;
};

/**
 * struct torus_vfio_ring - a ring of descriptors
 * @tail: descriptors that the guest has filled in
 * @passed: descriptors that the node has got: its register TAIL
 */
struct torus_vfio_ring {
	u32 tail;
	u32 passed;
};

/**
 * struct torus_vfio_doorbells - descriptors that are being pinned
 * @lock: protects @generation and @ring; orders resets and writes of tails
 * @generation: number of resets
 * @ring: the rings
 * @work: pins descriptors and their memory
 */
struct torus_vfio_doorbells {
	spinlock_t lock;	/* see above */
	u32 generation;
	struct torus_vfio_ring ring[TORUS_PORT_RINGS];
	struct delayed_work work;
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
 * @memory: memory of the guest
 * @doorbells: descriptors of the guest
 */
struct torus_vfio {
	struct vfio_device vdev;
	struct torus_device *td;
	struct regmap *machine;
	struct mutex lock;	/* see above */
	u8 config[TORUS_VFIO_CONFIG_BYTES];
	bool master;
	struct torus_vfio_interrupts interrupts;
	struct torus_vfio_memory memory;
	struct torus_vfio_doorbells doorbells;
};

#define to_torus_vfio(d)	container_of(d, struct torus_vfio, vdev)

#endif

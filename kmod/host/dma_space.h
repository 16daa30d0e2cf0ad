/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The DMA address space of a device: which memory of its driver the device can access.
 *
 * The addresses are not those of the memory. A device that uses another address than one that the
 * driver has mapped accesses nothing, and reports a fault.
 */
#ifndef TORUS_HOST_DMA_SPACE_H
#define TORUS_HOST_DMA_SPACE_H

#include <linux/dma-direction.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/torus_bus.h>
#include <linux/types.h>

struct device;

/**
 * struct torus_dma_space - an address space
 * @lock: protects all fields and mappings; taken in any context. The device copies with the lock,
 *	so a mapping that was removed is not accessed any more
 * @mappings: struct torus_dma_mapping by address
 * @next: first address that the next mapping may get
 * @wrapped: all addresses have been used once
 * @open: a driver is bound
 * @guest: accesses the memory of a guest, in place of mappings; NULL: there is no guest
 * @guest_owner: argument of @guest
 */
struct torus_dma_space {
	spinlock_t lock;	/* all below; see above */
	struct rb_root mappings;
	u32 next;
	bool wrapped;
	bool open;
	torus_guest_access guest;
	void *guest_owner;
};

/**
 * struct torus_dma_request - memory to be mapped
 * @memory: the memory
 * @bytes: its length
 * @align: alignment of the address, a power of two; 0: the address has @memory's offset in its page
 * @direction: accesses that the device may make
 * @bounce: the device accesses a copy, which torus_dma_sync() updates
 * @copy: the copy has the contents of @memory from the beginning
 */
struct torus_dma_request {
	void *memory;
	size_t bytes;
	size_t align;
	enum dma_data_direction direction;
	bool bounce;
	bool copy;
};

void torus_dma_space_init(struct torus_dma_space *space);
void torus_dma_space_open(struct torus_dma_space *space);
void torus_dma_space_set_guest(struct torus_dma_space *space, torus_guest_access guest,
			       void *owner);
void torus_dma_space_close(struct torus_dma_space *space, struct device *dev);
dma_addr_t torus_dma_map(struct torus_dma_space *space, const struct torus_dma_request *request);
void torus_dma_unmap(struct torus_dma_space *space, struct device *dev, dma_addr_t address,
		     size_t bytes, bool copy);
void torus_dma_sync(struct torus_dma_space *space, struct device *dev, dma_addr_t address,
		    size_t bytes, bool for_cpu);
bool torus_dma_access(struct torus_dma_space *space, struct device *dev, u64 address, void *buffer,
		      u32 bytes, bool write);

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * The DMA address space of a device: addresses are assigned to memory and taken back, and the
 * device's accesses are checked. A mistake of the driver is reported in the log.
 *
 * Mappings lie on pages of their own, with an unused page after each: an address just after a
 * mapping belongs to no other one. Addresses are used again as late as possible, so that an access
 * after an unmap is detected. Most computers have little memory at these addresses, so that the use
 * of a physical address is detected, too.
 */
#include <linux/align.h>
#include <linux/device.h>
#include <linux/dma-mapping.h>
#include <linux/ioport.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "dma_space.h"

/* Addresses from the first one up to, but not including, the last one. */
#define TORUS_DMA_FIRST		0xc0000000u
#define TORUS_DMA_LAST		0xffff0000u

/* Contents of a copy that the driver has not synchronized. */
#define TORUS_DMA_POISON	0x5a

/**
 * struct torus_dma_mapping - memory that the device can access
 * @node: in the mappings of the space
 * @address: DMA address of the first byte
 * @bytes: length
 * @direction: accesses that the device may make
 * @memory: the driver's memory
 * @seen: the memory that the device accesses: @memory, or a copy
 */
struct torus_dma_mapping {
	struct rb_node node;
	u32 address;
	u32 bytes;
	enum dma_data_direction direction;
	void *memory;
	void *seen;
};

/* A driver's mistakes, as the device detects them. */
enum torus_dma_mistake {
	TORUS_DMA_NEVER_MAPPED,
	TORUS_DMA_NO_LONGER_MAPPED,
	TORUS_DMA_OUTSIDE,
	TORUS_DMA_DIRECTION,
};

/* ------------------------------------------------------------------- mappings by address */

static struct torus_dma_mapping *torus_dma_entry(struct rb_node *node)
{
	return rb_entry_safe(node, struct torus_dma_mapping, node);
}

/* First address of a mapping's pages. */
static u64 torus_dma_start(const struct torus_dma_mapping *mapping)
{
	return ALIGN_DOWN((u64)mapping->address, PAGE_SIZE);
}

/* First address after a mapping and the unused page that follows. */
static u64 torus_dma_end(const struct torus_dma_mapping *mapping)
{
	return ALIGN((u64)mapping->address + mapping->bytes, PAGE_SIZE) + PAGE_SIZE;
}

static bool torus_dma_less(struct rb_node *node, const struct rb_node *other)
{
	return torus_dma_entry(node)->address <
	       rb_entry(other, struct torus_dma_mapping, node)->address;
}

/* Return: the last mapping whose pages begin at @address or before it, or NULL. */
static struct torus_dma_mapping *torus_dma_before(struct torus_dma_space *space, u64 address)
{
	struct rb_node *node = space->mappings.rb_node;
	struct torus_dma_mapping *found = NULL;

	while (node) {
		struct torus_dma_mapping *mapping = torus_dma_entry(node);

		if (torus_dma_start(mapping) <= address) {
			found = mapping;
			node = node->rb_right;
		} else {
			node = node->rb_left;
		}
	}
	return found;
}

/* Return: the first of @bytes unused addresses, not before @from; 0: there are none. */
static u64 torus_dma_gap(struct torus_dma_space *space, u64 from, u64 bytes, u64 align)
{
	struct torus_dma_mapping *mapping = torus_dma_before(space, from);
	struct rb_node *next;

	next = mapping ? rb_next(&mapping->node) : rb_first(&space->mappings);
	if (mapping)
		from = max(from, torus_dma_end(mapping));
	from = ALIGN(from, align);
	for (; next && torus_dma_start(torus_dma_entry(next)) < from + bytes; next = rb_next(next))
		from = ALIGN(torus_dma_end(torus_dma_entry(next)), align);
	return from + bytes <= TORUS_DMA_LAST ? from : 0;
}

/* Assign an address to a mapping, with the lock. Return: false if there is none left. */
static bool torus_dma_place(struct torus_dma_space *space, struct torus_dma_mapping *mapping,
			    u64 align)
{
	u64 offset = align ? 0 : offset_in_page(mapping->memory), at;
	u64 bytes = ALIGN(offset + mapping->bytes, PAGE_SIZE) + PAGE_SIZE;

	align = max_t(u64, align, PAGE_SIZE);
	at = torus_dma_gap(space, space->next, bytes, align);
	if (!at) {
		space->wrapped = true;
		at = torus_dma_gap(space, TORUS_DMA_FIRST, bytes, align);
	}
	if (!at)
		return false;
	space->next = at + bytes;
	mapping->address = at + offset;
	rb_add(&mapping->node, &space->mappings, torus_dma_less);
	return true;
}

static void torus_dma_free(struct torus_dma_mapping *mapping)
{
	if (mapping->seen != mapping->memory)
		kfree(mapping->seen);
	kfree(mapping);
}

/* ---------------------------------------------------------------------- the driver's calls */

/**
 * torus_dma_space_init() - initialize an address space that is closed
 * @space: [out] the space
 */
void torus_dma_space_init(struct torus_dma_space *space)
{
	*space = (struct torus_dma_space){ .mappings = RB_ROOT, .next = TORUS_DMA_FIRST };
	spin_lock_init(&space->lock);
}

/**
 * torus_dma_space_open() - allow mappings: a driver is being bound
 * @space: the space, without mappings
 */
void torus_dma_space_open(struct torus_dma_space *space)
{
	spin_lock_irq(&space->lock);
	space->open = true;
	spin_unlock_irq(&space->lock);
}

/**
 * torus_dma_space_set_guest() - let the device access the memory of a guest, in place of mappings
 * @space: the space
 * @guest: accesses the memory; NULL: the guest is gone
 * @owner: argument of @guest
 *
 * An access by the old function has ended when this returns.
 */
void torus_dma_space_set_guest(struct torus_dma_space *space, torus_guest_access guest,
			       void *owner)
{
	spin_lock_irq(&space->lock);
	space->guest = guest;
	space->guest_owner = owner;
	spin_unlock_irq(&space->lock);
}

/**
 * torus_dma_space_close() - remove all mappings: the driver was unbound
 * @space: the space; the device makes no access any more
 * @dev: the device, for a message if there are mappings
 *
 * The memory of the mappings stays the driver's.
 */
void torus_dma_space_close(struct torus_dma_space *space, struct device *dev)
{
	struct torus_dma_mapping *mapping, *next, *first;
	struct rb_root left;
	u32 count = 0;

	spin_lock_irq(&space->lock);
	space->open = false;
	left = space->mappings;
	space->mappings = RB_ROOT;
	spin_unlock_irq(&space->lock);
	first = torus_dma_entry(rb_first(&left));
	rbtree_postorder_for_each_entry_safe(mapping, next, &left, node)
		count++;
	if (count)
		dev_err(dev, "the driver has left %u DMA mapping%s, the first of %u bytes at %#x\n",
			count, count > 1 ? "s" : "", first->bytes, first->address);
	rbtree_postorder_for_each_entry_safe(mapping, next, &left, node)
		torus_dma_free(mapping);
}

/* Give a mapping the memory that the device accesses. Return: false if there is no memory. */
static bool torus_dma_prepare(struct torus_dma_mapping *mapping,
			      const struct torus_dma_request *request)
{
	mapping->bytes = request->bytes;
	mapping->direction = request->direction;
	mapping->memory = request->memory;
	mapping->seen = request->memory;
	if (!request->bounce)
		return true;
	mapping->seen = kmalloc(request->bytes, GFP_ATOMIC | __GFP_NOWARN);
	if (!mapping->seen)
		return false;
	if (request->copy)
		memcpy(mapping->seen, request->memory, request->bytes);
	else
		memset(mapping->seen, TORUS_DMA_POISON, request->bytes);
	return true;
}

/**
 * torus_dma_map() - assign a DMA address to memory
 * @space: the space; any context
 * @request: the memory
 *
 * Return: the address; DMA_MAPPING_ERROR if no driver is bound, or if there is no memory or no
 * address left.
 */
dma_addr_t torus_dma_map(struct torus_dma_space *space, const struct torus_dma_request *request)
{
	struct torus_dma_mapping *mapping;
	unsigned long flags;
	bool placed;

	if (!request->bytes || request->bytes > TORUS_DMA_LAST - TORUS_DMA_FIRST)
		return DMA_MAPPING_ERROR;
	mapping = kzalloc(sizeof(*mapping), GFP_ATOMIC | __GFP_NOWARN);
	if (!mapping)
		return DMA_MAPPING_ERROR;
	if (!torus_dma_prepare(mapping, request)) {
		kfree(mapping);
		return DMA_MAPPING_ERROR;
	}
	spin_lock_irqsave(&space->lock, flags);
	placed = space->open && torus_dma_place(space, mapping, request->align);
	spin_unlock_irqrestore(&space->lock, flags);
	if (!placed) {
		torus_dma_free(mapping);
		return DMA_MAPPING_ERROR;
	}
	return mapping->address;
}

/**
 * torus_dma_unmap() - remove a mapping
 * @space: the space; any context. The device does not access the memory after this
 * @dev: the device, for a message if nothing is mapped there, or if the length is wrong
 * @address: address of the mapping
 * @bytes: length of the mapping
 * @copy: if the device accesses a copy, and may write: copy it back
 */
void torus_dma_unmap(struct torus_dma_space *space, struct device *dev, dma_addr_t address,
		     size_t bytes, bool copy)
{
	struct torus_dma_mapping *mapping;
	unsigned long flags;

	spin_lock_irqsave(&space->lock, flags);
	mapping = torus_dma_before(space, address);
	if (mapping && mapping->address == address)
		rb_erase(&mapping->node, &space->mappings);
	else
		mapping = NULL;
	spin_unlock_irqrestore(&space->lock, flags);
	if (!mapping) {
		dev_err(dev, "unmap of %zu bytes at %#llx, where nothing is mapped\n", bytes,
			(u64)address);
		return;
	}
	if (mapping->bytes != bytes)
		dev_err(dev, "unmap of %zu bytes at %#llx, where %u bytes are mapped\n", bytes,
			(u64)address, mapping->bytes);
	if (copy && mapping->seen != mapping->memory && mapping->direction != DMA_TO_DEVICE)
		memcpy(mapping->memory, mapping->seen, mapping->bytes);
	torus_dma_free(mapping);
}

/**
 * torus_dma_sync() - pass a part of a mapping to the processor or to the device
 * @space: the space; any context
 * @dev: the device, for a message if the part is not mapped
 * @address: address of the part
 * @bytes: length of the part
 * @for_cpu: pass the part to the processor
 *
 * Does nothing but check the part if the device accesses the driver's memory itself.
 */
void torus_dma_sync(struct torus_dma_space *space, struct device *dev, dma_addr_t address,
		    size_t bytes, bool for_cpu)
{
	struct torus_dma_mapping *mapping;
	unsigned long flags;
	u64 offset = 0;
	bool inside;

	spin_lock_irqsave(&space->lock, flags);
	mapping = torus_dma_before(space, address);
	if (mapping)
		offset = address - mapping->address;
	inside = mapping && offset <= mapping->bytes && bytes <= mapping->bytes - offset;
	if (inside && mapping->seen != mapping->memory) {
		if (!for_cpu)
			memcpy(mapping->seen + offset, mapping->memory + offset, bytes);
		else if (mapping->direction != DMA_TO_DEVICE)
			memcpy(mapping->memory + offset, mapping->seen + offset, bytes);
	}
	spin_unlock_irqrestore(&space->lock, flags);
	if (!inside)
		dev_err(dev, "sync of %zu bytes at %#llx, which are not mapped\n", bytes,
			(u64)address);
}

/* ---------------------------------------------------------------------- the device's access */

/* Find out why an access is not allowed, with the lock; @mapping: torus_dma_before(). */
static enum torus_dma_mistake torus_dma_mistake(const struct torus_dma_space *space,
						const struct torus_dma_mapping *mapping,
						u64 address, u32 bytes)
{
	if (mapping && address < torus_dma_end(mapping)) {
		bool inside = address >= mapping->address &&
			      address + bytes <= (u64)mapping->address + mapping->bytes;

		return inside ? TORUS_DMA_DIRECTION : TORUS_DMA_OUTSIDE;
	}
	return address >= TORUS_DMA_FIRST && address < (space->wrapped ? TORUS_DMA_LAST :
							space->next) ?
	       TORUS_DMA_NO_LONGER_MAPPED : TORUS_DMA_NEVER_MAPPED;
}

/* Report a fault; @mapping: copy of the mapping that is concerned, if any. */
static void torus_dma_report(struct device *dev, enum torus_dma_mistake mistake,
			     const struct torus_dma_mapping *mapping, u64 address, u32 bytes,
			     bool write)
{
	char why[64] = "which was never mapped";

	if (mistake == TORUS_DMA_NO_LONGER_MAPPED)
		strscpy(why, "which is no longer mapped", sizeof(why));
	else if (mistake == TORUS_DMA_OUTSIDE)
		scnprintf(why, sizeof(why), "outside of the %u bytes that are mapped at %#x",
			  mapping->bytes, mapping->address);
	else if (mistake == TORUS_DMA_DIRECTION)
		scnprintf(why, sizeof(why), "which is mapped for %ss only",
			  write ? "read" : "write");
	else if (page_is_ram(PHYS_PFN(address)) > 0)
		strscpy(why, "a physical address, must be a DMA address", sizeof(why));
	dev_err_ratelimited(dev, "DMA fault: %s of %u bytes at %#llx, %s\n",
			    write ? "write" : "read", bytes, address, why);
}

/**
 * torus_dma_access() - copy between a buffer and memory that the driver has mapped
 * @space: the space; any context
 * @dev: the device, for a message if the access is not allowed
 * @address: DMA address of the memory
 * @buffer: the buffer; written unless @write
 * @bytes: length
 * @write: copy to the memory
 *
 * A fault of a guest is not reported: the guest alone finds it in its registers.
 *
 * Return: true if all bytes were copied; false if none was.
 */
bool torus_dma_access(struct torus_dma_space *space, struct device *dev, u64 address, void *buffer,
		      u32 bytes, bool write)
{
	const enum dma_data_direction wrong = write ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
	struct torus_dma_mapping *mapping, copy = {};
	enum torus_dma_mistake mistake = TORUS_DMA_NEVER_MAPPED;
	unsigned long flags;
	u64 offset;
	bool ok;

	spin_lock_irqsave(&space->lock, flags);
	if (space->guest) {
		ok = space->guest(space->guest_owner, address, buffer, bytes, write);
		spin_unlock_irqrestore(&space->lock, flags);
		return ok;
	}
	mapping = torus_dma_before(space, address);
	/* An address before the mapping becomes a large offset. */
	offset = mapping ? address - mapping->address : 0;
	ok = mapping && offset < mapping->bytes && bytes <= mapping->bytes - offset &&
	     mapping->direction != wrong;
	if (ok && write)
		memcpy(mapping->seen + offset, buffer, bytes);
	else if (ok)
		memcpy(buffer, mapping->seen + offset, bytes);
	else
		mistake = torus_dma_mistake(space, mapping, address, bytes);
	if (!ok && mapping)
		copy = *mapping;
	spin_unlock_irqrestore(&space->lock, flags);
	if (!ok)
		torus_dma_report(dev, mistake, &copy, address, bytes, write);
	return ok;
}

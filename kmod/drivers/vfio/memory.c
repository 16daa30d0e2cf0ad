// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the guest that the node accesses: pages that are pinned.
 *
 * A page is pinned by a task that may sleep, because the page may arrive late or never
 * (userfaultfd, FUSE). It stays pinned until VFIO's user unmaps it or closes the function. The
 * thread that runs the fabric copies from and to pinned pages only, with a spinlock. So an unmap
 * waits for the copy in progress. An address that is not pinned is a DMA fault.
 */
#include <linux/highmem.h>
#include <linux/iommu.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/vfio.h>

#include "memory.h"
#include "vfio.h"

/*
 * VFIO repeats an unmap while pages are pinned, and crashes the kernel if they still are after ten
 * calls. So no page is pinned for a while after an unmap; while the same memory is unmapped again
 * and again, the time doubles up to this power.
 */
#define MEMORY_QUIET		(HZ / 50)
#define MEMORY_QUIET_POWER	8u

static unsigned long memory_index(u64 address)
{
	return address >> PAGE_SHIFT;
}

/**
 * torus_vfio_memory_init() - initialize a memory without pages
 * @v: the function
 */
void torus_vfio_memory_init(struct torus_vfio *v)
{
	struct torus_vfio_memory *m = &v->memory;

	mutex_init(&m->lock);
	spin_lock_init(&m->copy);
	xa_init(&m->pages);
	m->quiet_until = jiffies;
}

/* Pin a page and enter it; @lock is locked. A page that cannot be pinned is not entered. */
static void memory_pin_page(struct torus_vfio *v, unsigned long index)
{
	dma_addr_t address = (dma_addr_t)index << PAGE_SHIFT;
	struct page *page;

	if (vfio_pin_pages(&v->vdev, address, 1, IOMMU_READ | IOMMU_WRITE, &page) != 1)
		return;
	if (xa_is_err(xa_store_irq(&v->memory.pages, index, page, GFP_KERNEL)))
		vfio_unpin_pages(&v->vdev, address, 1);
}

/**
 * torus_vfio_memory_pin() - pin memory, so that the node can access it
 * @v: the function, which a guest has; may sleep for as long as the guest likes
 * @address: DMA address
 * @bytes: length, not 0
 *
 * Pages that the guest does not have, or that it cannot write, are left out: an access will fail.
 *
 * Return: 0; -EAGAIN shortly after memory was unmapped: try again later.
 */
int torus_vfio_memory_pin(struct torus_vfio *v, u64 address, u32 bytes)
{
	struct torus_vfio_memory *m = &v->memory;
	unsigned long index;
	u64 last;
	int err = 0;

	if (check_add_overflow(address, (u64)bytes - 1, &last))
		return 0;
	for (index = memory_index(address); !err && index <= memory_index(last); index++) {
		if (xa_load(&m->pages, index))
			continue;
		mutex_lock(&m->lock);
		if (time_before(jiffies, m->quiet_until))
			err = -EAGAIN;
		else
			memory_pin_page(v, index);
		mutex_unlock(&m->lock);
	}
	return err;
}

/* Check that all pages are pinned; @copy is locked. */
static bool memory_pinned(struct torus_vfio_memory *m, u64 address, u32 bytes)
{
	unsigned long index;
	u64 last;

	if (check_add_overflow(address, (u64)bytes - 1, &last))
		return false;
	for (index = memory_index(address); index <= memory_index(last); index++)
		if (!xa_load(&m->pages, index))
			return false;
	return true;
}

static void memory_copy(struct torus_vfio_memory *m, u64 address, u8 *buffer, u32 bytes, bool write)
{
	u32 offset, part;
	struct page *page;

	for (; bytes; bytes -= part, address += part, buffer += part) {
		page = xa_load(&m->pages, memory_index(address));
		offset = offset_in_page(address);
		part = min_t(u32, bytes, PAGE_SIZE - offset);
		if (write)
			memcpy_to_page(page, offset, buffer, part);
		else
			memcpy_from_page(buffer, page, offset, part);
	}
}

/**
 * torus_vfio_memory_access() - copy between a buffer and pinned memory: torus_guest_access
 * @owner: the function; any context
 * @address: DMA address
 * @buffer: the buffer
 * @bytes: length, not 0
 * @write: copy to the memory
 *
 * Return: true if all bytes were copied; false if none was.
 */
bool torus_vfio_memory_access(void *owner, u64 address, void *buffer, u32 bytes, bool write)
{
	struct torus_vfio *v = owner;
	struct torus_vfio_memory *m = &v->memory;
	unsigned long flags;
	bool ok;

	spin_lock_irqsave(&m->copy, flags);
	ok = READ_ONCE(v->master) && memory_pinned(m, address, bytes);
	if (ok)
		memory_copy(m, address, buffer, bytes, write);
	spin_unlock_irqrestore(&m->copy, flags);
	return ok;
}

/* After an unmap of pages that were pinned, pin none for a while; @lock is locked. */
static void memory_be_quiet(struct torus_vfio_memory *m, u64 address)
{
	m->repeats = address == m->unmapped ? min(m->repeats + 1, MEMORY_QUIET_POWER) : 0;
	m->unmapped = address;
	m->quiet_until = jiffies + (MEMORY_QUIET << m->repeats);
}

/**
 * torus_vfio_memory_unmap() - unpin pages: vfio_device_ops.dma_unmap
 * @v: the function; may sleep. When this returns, no access to the memory is in progress
 * @address: DMA address of the first byte
 * @bytes: length, not 0
 */
void torus_vfio_memory_unmap(struct torus_vfio *v, u64 address, u64 bytes)
{
	struct torus_vfio_memory *m = &v->memory;
	unsigned long index, last = memory_index(address + bytes - 1);
	struct page *page;
	bool found = false;

	mutex_lock(&m->lock);
	xa_for_each_range(&m->pages, index, page, memory_index(address), last) {
		spin_lock_irq(&m->copy);
		xa_erase(&m->pages, index);
		spin_unlock_irq(&m->copy);
		vfio_unpin_pages(&v->vdev, (dma_addr_t)index << PAGE_SHIFT, 1);
		found = true;
	}
	if (found)
		memory_be_quiet(m, address);
	mutex_unlock(&m->lock);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings of a context's pages and rings.
 *
 * A program passes a token, TORUS_MAP_TOKEN(), as the offset. All open files share the inode of
 * /dev/torus, and with it one space of offsets. So torus_mmap_file() puts the context's number
 * above the token. Then the rings of one context can be unmapped, when its fabric is deleted,
 * without touching those of another.
 *
 * vm_pgoff: bits 24.. number of the context; 20..23 kind; 12..19 index; 0..11 page
 *
 * Pages are mapped by page faults. After torus_mmap_revoke(), a fault maps a page of zeros for each
 * page of the reception rings, of the arrival ticks and of the notices. For each page of the
 * injection rings and of the stamps it maps the context's grave, a page of its own. So a program
 * that still reads or writes there gets no signal, and affects no other program.
 */
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/rwsem.h>
#include <linux/vmalloc.h>

#include "dev/base/memory_limit.h"
#include "dev/compat/vma.h"
#include "dev/engine/engine.h"
#include "attach.h"
#include "context.h"
#include "mmap.h"

#define TORUS_MAP_PAGE_BITS	12
#define TORUS_MAP_KIND_SHIFT	(32 - PAGE_SHIFT)
#define TORUS_MAP_INDEX_SHIFT	(24 - PAGE_SHIFT)
#define TORUS_MAP_ID_SHIFT	24

static_assert(TORUS_MAP_INDEX_SHIFT == TORUS_MAP_PAGE_BITS);

/* Page of zeros in place of revoked mappings that programs only read; never mapped writable. */
static void *torus_mmap_zeros;

static u32 torus_mmap_kind(unsigned long pgoff)
{
	return (pgoff >> TORUS_MAP_KIND_SHIFT) &
	       (BIT(TORUS_MAP_ID_SHIFT - TORUS_MAP_KIND_SHIFT) - 1);
}

static u32 torus_mmap_index(unsigned long pgoff)
{
	return (pgoff >> TORUS_MAP_INDEX_SHIFT) & 0xff;
}

/* Return page number @page of the @bytes at @data; NULL if there is none. */
static struct page *torus_mmap_data_page(void *data, size_t bytes, unsigned long page)
{
	if (!data || page >= bytes >> PAGE_SHIFT)
		return NULL;
	page = array_index_nospec(page, bytes >> PAGE_SHIFT);
	return vmalloc_to_page(data + (page << PAGE_SHIFT));
}

/* Return a page of the array of ticks that belongs to a ring. */
static struct page *torus_mmap_ticks_page(struct torus_ring *rings, u32 count, u32 index,
					  size_t bytes, unsigned long page)
{
	if (index >= count)
		return NULL;
	index = array_index_nospec(index, count);
	return torus_mmap_data_page(rings[index].ticks, bytes, page);
}

static struct page *torus_mmap_ring_page(struct torus_ctx *ctx, struct torus_ring *rings,
					 u32 count, u32 index, size_t bytes, unsigned long page)
{
	if (index >= count)
		return NULL;
	index = array_index_nospec(index, count);
	return torus_mmap_data_page(rings[index].data, bytes, page);
}

/*
 * Return the page at @pgoff, or the page that replaces it if the rings were revoked.
 * torus_mmap_file() has checked the offset, so NULL means that a mapping was granted by mistake.
 */
static struct page *torus_mmap_page(struct torus_ctx *ctx, unsigned long pgoff)
{
	const struct torus_arch *arch = ctx->engine->arch;
	unsigned long page = pgoff & (BIT(TORUS_MAP_PAGE_BITS) - 1);
	u32 kind = torus_mmap_kind(pgoff);

	lockdep_assert_held(&ctx->map_lock);

	if (kind == TORUS_MAP_STATUS)
		return virt_to_page(ctx->client.status);
	if (kind == TORUS_MAP_CONTROL)
		return virt_to_page(ctx->control);
	if (!ctx->rings)
		return virt_to_page(kind == TORUS_MAP_INJECT || kind == TORUS_MAP_STAMP ?
				    ctx->grave : torus_mmap_zeros);
	if (kind == TORUS_MAP_INJECT)
		return torus_mmap_ring_page(ctx, ctx->inject, arch->inject_fifos,
					    torus_mmap_index(pgoff), ctx->inject_bytes, page);
	if (kind == TORUS_MAP_STAMP)
		return torus_mmap_ticks_page(ctx->inject, arch->inject_fifos,
					     torus_mmap_index(pgoff), ctx->stamp_bytes, page);
	if (kind == TORUS_MAP_ARRIVAL)
		return torus_mmap_ticks_page(ctx->receive, arch->receive_fifos,
					     torus_mmap_index(pgoff), ctx->arrival_bytes, page);
	if (kind == TORUS_MAP_NOTICE)
		return torus_mmap_data_page(ctx->notices.data, ctx->notice_bytes, page);
	return torus_mmap_ring_page(ctx, ctx->receive, arch->receive_fifos,
				    torus_mmap_index(pgoff), ctx->receive_bytes, page);
}

/*
 * Map a page. The lock is kept until the page is mapped: torus_mmap_revoke() locks for writing
 * before it unmaps, so it finds every page that was mapped before.
 */
static vm_fault_t torus_mmap_fault(struct vm_fault *vmf)
{
	struct torus_ctx *ctx = vmf->vma->vm_private_data;
	struct page *page;
	int err = -EFAULT;

	down_read(&ctx->map_lock);
	page = torus_mmap_page(ctx, vmf->pgoff);
	if (page)
		err = vm_insert_page(vmf->vma, vmf->address & PAGE_MASK, page);
	up_read(&ctx->map_lock);
	/*
	 * An absent page becomes SIGBUS. -EBUSY: another thread of the program has mapped it
	 * already.
	 */
	return err && err != -EBUSY ? vmf_error(err) : VM_FAULT_NOPAGE;
}

/*
 * Detect that the owner executes another program: the mapping ends together with its address space,
 * in a task that does not exit. engine/group_owner.c detects an exit, after the process has closed
 * its files, so that usually the release of the file gives the group back.
 */
static void torus_mmap_close(struct vm_area_struct *vma)
{
	struct torus_ctx *ctx = vma->vm_private_data;

	if (!atomic_read(&vma->vm_mm->mm_users) && !(current->flags & PF_EXITING))
		torus_group_owner_end(&ctx->client.owner);
}

static const struct vm_operations_struct torus_mmap_ops = {
	.close = torus_mmap_close,
	.fault = torus_mmap_fault,
};

/* Return the number of bytes that the program may map at this token; 0 if the token is invalid. */
static size_t torus_mmap_bytes(struct torus_ctx *ctx, unsigned long pgoff, bool *writable)
{
	const struct torus_arch *arch = ctx->engine->arch;
	u32 index = torus_mmap_index(pgoff);

	*writable = false;
	if (pgoff >> TORUS_MAP_ID_SHIFT || pgoff & (BIT(TORUS_MAP_PAGE_BITS) - 1))
		return 0;
	switch (torus_mmap_kind(pgoff)) {
	case TORUS_MAP_STATUS:
		return index ? 0 : PAGE_SIZE;
	case TORUS_MAP_CONTROL:
		*writable = true;
		return index ? 0 : PAGE_SIZE;
	case TORUS_MAP_INJECT:
		*writable = true;
		return index < arch->inject_fifos ? ctx->inject_bytes : 0;
	case TORUS_MAP_RECEIVE:
		return index < arch->receive_fifos ? ctx->receive_bytes : 0;
	case TORUS_MAP_STAMP:
		*writable = true;
		return index < arch->inject_fifos ? ctx->stamp_bytes : 0;
	case TORUS_MAP_ARRIVAL:
		return index < arch->receive_fifos ? ctx->arrival_bytes : 0;
	case TORUS_MAP_NOTICE:
		return index ? 0 : ctx->notice_bytes;
	}
	return 0;
}

/**
 * torus_mmap_file() - mmap() of an open file
 * @file: the file
 * @vma: mapping that the program requests
 *
 * Return: 0, or
 * - -ENOTCONN before ATTACH;
 * - -ENODEV if the fabric was deleted, or the context was evicted;
 * - -ECHILD if another process attached the context;
 * - -EINVAL if the offset is no token, the length is not the token's, or the mapping is private;
 * - -EACCES for a writable mapping of a read-only object, and for an executable mapping.
 */
int torus_mmap_file(struct file *file, struct vm_area_struct *vma)
{
	struct torus_ctx *ctx = file->private_data;
	bool writable;
	size_t bytes;
	int err;

	err = torus_ctx_usable(ctx);
	if (err)
		return err;
	bytes = torus_mmap_bytes(ctx, vma->vm_pgoff, &writable);
	if (!bytes || vma->vm_end - vma->vm_start != bytes || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC || (!writable && vma->vm_flags & VM_WRITE))
		return -EACCES;

	vm_flags_clear(vma, VM_MAYEXEC);
	if (!writable)
		vm_flags_clear(vma, VM_MAYWRITE);
	vm_flags_set(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP | VM_MIXEDMAP);
	vma->vm_pgoff |= (unsigned long)ctx->id << TORUS_MAP_ID_SHIFT;
	vma->vm_private_data = ctx;
	vma->vm_ops = &torus_mmap_ops;
	return 0;
}

static void torus_mmap_zap(struct torus_ctx *ctx, u32 kind, u32 count)
{
	pgoff_t first = (pgoff_t)ctx->id << TORUS_MAP_ID_SHIFT |
			(pgoff_t)kind << TORUS_MAP_KIND_SHIFT;

	unmap_mapping_pages(ctx->file->f_mapping, first,
			    (pgoff_t)count << TORUS_MAP_INDEX_SHIFT, false);
}

/**
 * torus_mmap_revoke() - unmap and free the rings of a context
 * @ctx: the context, whose group was given back
 *
 * The caller must prevent the release of @ctx->file.
 */
void torus_mmap_revoke(struct torus_ctx *ctx)
{
	u8 *rings = ctx->rings;

	down_write(&ctx->map_lock);
	ctx->rings = NULL;
	up_write(&ctx->map_lock);
	if (ctx->file) {
		torus_mmap_zap(ctx, TORUS_MAP_INJECT, TORUS_INJECT_MAX);
		torus_mmap_zap(ctx, TORUS_MAP_RECEIVE, TORUS_RECEIVE_MAX);
		torus_mmap_zap(ctx, TORUS_MAP_NOTICE, 1);
		torus_mmap_zap(ctx, TORUS_MAP_STAMP, TORUS_INJECT_MAX);
		torus_mmap_zap(ctx, TORUS_MAP_ARRIVAL, TORUS_RECEIVE_MAX);
	}
	vfree(rings);
	torus_ctx_uncount(ctx);
}

/* Called before the first context is created. */
int __init torus_mmap_init(void)
{
	torus_mmap_zeros = (void *)get_zeroed_page(GFP_KERNEL);
	return torus_mmap_zeros ? 0 : -ENOMEM;
}

void torus_mmap_exit(void)
{
	free_page((unsigned long)torus_mmap_zeros);
}

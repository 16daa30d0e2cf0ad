// SPDX-License-Identifier: GPL-2.0
/*
 * Registered memory of a program, which the engines (TNIs) of other programs' nodes may access. It
 * is pinned for long, so that an access never faults, and mapped into the kernel, where the
 * fabric's threads copy.
 *
 * Regions are found by queue and STag. They are added and removed with the engine locked, between
 * two runs. So no packet is being copied then, and a fabric's thread that finds a region may use it
 * until its copy ends. Pinning and unpinning may sleep for long, and happen with the engine
 * unlocked.
 *
 * Pages are charged to the process that attached the context (mm->pinned_vm), and limited by
 * RLIMIT_MEMLOCK, except with CAP_IPC_LOCK. Each page is charged once per context, no matter how
 * many of its regions contain it.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "core/nic/rdma_memory.h"
#include "dev/engine/engine.h"
#include "context.h"
#include "memory.h"

#define TORUS_MEMORY_OFFSET	(BIT_ULL(TORUS_STADD_BITS) - 1)
#define TORUS_MEMORY_STAGS	BIT(64 - TORUS_STADD_BITS)
#define TORUS_MEMORY_REGIONS	16384u

/*
 * A page may be in several regions. The mappings of all regions of a context may take this multiple
 * of RLIMIT_MEMLOCK, except with CAP_IPC_LOCK.
 */
#define TORUS_MEMORY_MAPPED	8u

/**
 * struct torus_region - registered memory
 * @link: in a list of regions that were removed and will be freed
 * @pages: array of @npages pinned pages
 * @npages: number of pages
 * @map: address at which the kernel has mapped the pages
 * @bytes: kernel address of the first byte
 * @length: number of bytes
 * @read_only: other programs may not write into the region
 */
struct torus_region {
	struct list_head link;
	struct page **pages;
	unsigned long npages;
	void *map;
	u8 *bytes;
	u64 length;
	bool read_only;
};

/* Initialize the registered memory of a context: no region. */
void torus_memory_init(struct torus_memories *memories)
{
	xa_init(&memories->regions);
	xa_init(&memories->pins);
	mutex_init(&memories->lock);
	memories->next = TORUS_STAGS;
}

/* Free the registry of a context. torus_memory_drop() must have been called before. */
void torus_memory_destroy(struct torus_memories *memories)
{
	xa_destroy(&memories->regions);
	xa_destroy(&memories->pins);
	mutex_destroy(&memories->lock);
}

static unsigned long torus_memory_key(u32 queue, u64 stadd)
{
	return (unsigned long)queue << (64 - TORUS_STADD_BITS) |
	       stadd >> TORUS_STADD_BITS;
}

/* ----------------------------------------------------------------- charging */

/*
 * Count one registration less for the first pages of a region. Return: number of pages that are in
 * no region any more.
 */
static unsigned long torus_memory_forget(struct torus_memories *m, struct torus_region *r,
					 unsigned long npages)
{
	unsigned long i, pfn, times, gone = 0;

	lockdep_assert_held(&m->lock);
	for (i = 0; i < npages; i++) {
		pfn = page_to_pfn(r->pages[i]);
		times = xa_to_value(xa_load(&m->pins, pfn)) - 1;
		/* Replacing an entry of the array needs no memory. */
		if (times)
			xa_store(&m->pins, pfn, xa_mk_value(times), 0);
		else
			xa_erase(&m->pins, pfn);
		gone += !times;
	}
	return gone;
}

static void torus_memory_uncharge(struct torus_ctx *ctx, struct torus_region *r)
{
	struct torus_memories *m = &ctx->memories;
	unsigned long gone;

	mutex_lock(&m->lock);
	gone = torus_memory_forget(m, r, r->npages);
	m->mapped -= r->npages;
	mutex_unlock(&m->lock);
	atomic64_sub(gone, &ctx->mm->pinned_vm);
}

static unsigned long torus_memory_limit(void)
{
	return rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
}

static int torus_memory_charge(struct torus_ctx *ctx, struct torus_region *r)
{
	struct torus_memories *m = &ctx->memories;
	unsigned long i, pfn, new = 0;
	void *entry;
	int err = 0;

	mutex_lock(&m->lock);
	if (m->mapped + r->npages > TORUS_MEMORY_MAPPED * torus_memory_limit() &&
	    !capable(CAP_IPC_LOCK)) {
		mutex_unlock(&m->lock);
		return -ENOMEM;
	}
	for (i = 0; i < r->npages && !err; i++) {
		pfn = page_to_pfn(r->pages[i]);
		entry = xa_load(&m->pins, pfn);
		new += !entry;
		entry = xa_mk_value(entry ? xa_to_value(entry) + 1 : 1);
		err = xa_err(xa_store(&m->pins, pfn, entry, TORUS_GFP_USER));
	}
	if (err) {
		torus_memory_forget(m, r, i - 1);
	} else if (atomic64_add_return(new, &ctx->mm->pinned_vm) > torus_memory_limit() &&
		   !capable(CAP_IPC_LOCK)) {
		torus_memory_forget(m, r, r->npages);
		atomic64_sub(new, &ctx->mm->pinned_vm);
		err = -ENOMEM;
	} else {
		m->mapped += r->npages;
	}
	mutex_unlock(&m->lock);
	return err;
}

/* ------------------------------------------------------------------ pinning */

/*
 * Check whether a mapping is a shared one of a file. Shared memory has a file, too, but on tmpfs or
 * of huge pages; a private mapping of a file has pages of its own.
 */
static bool torus_memory_is_file(const struct vm_area_struct *vma)
{
	return vma->vm_file && vma->vm_flags & VM_MAYSHARE &&
	       !(vma->vm_flags & VM_HUGETLB) &&
	       file_inode(vma->vm_file)->i_sb->s_magic != TMPFS_MAGIC;
}

/*
 * Reject files: a page that is pinned for long could not be written back safely, nor truncated.
 * Reject memory that peers may only read, if the program cannot read it itself.
 */
static int torus_memory_check(unsigned long start, unsigned long end, bool read_only)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	struct vma_iterator vmi;
	int err = 0;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	vma_iter_init(&vmi, mm, start);
	for_each_vma_range(vmi, vma, end) {
		if (torus_memory_is_file(vma))
			err = -EOPNOTSUPP;
		else if (read_only && !(vma->vm_flags & VM_READ))
			err = err ?: -EFAULT;
	}
	mmap_read_unlock(mm);
	return err;
}

static int torus_memory_pin(struct torus_region *r, unsigned long start)
{
	/* FOLL_WRITE even for read-only regions: a private page becomes the process's own copy. */
	unsigned int flags = FOLL_LONGTERM | FOLL_WRITE | (r->read_only ? FOLL_FORCE : 0);
	unsigned long done = 0;
	int ret = 0;

	while (done < r->npages) {
		ret = pin_user_pages_fast(start + (done << PAGE_SHIFT),
					  min_t(unsigned long, r->npages - done, 4096), flags,
					  r->pages + done);
		if (ret <= 0)
			break;
		done += ret;
		cond_resched();
	}
	if (done == r->npages)
		return 0;
	unpin_user_pages(r->pages, done);
	return ret ?: -EFAULT;
}

/*
 * Check the pinned pages again: the address may have been remapped between the check and the
 * pinning.
 */
static bool torus_memory_is_memory(const struct torus_region *r)
{
	unsigned long i;

	for (i = 0; i < r->npages; i++) {
		struct folio *folio = page_folio(r->pages[i]);

		if (!folio_test_anon(folio) && !folio_test_swapbacked(folio) &&
		    !folio_test_hugetlb(folio))
			return false;
	}
	return true;
}

/* Unpin and free a region that no TNI can find any more. */
static void torus_memory_unpin(struct torus_region *r)
{
	vunmap(r->map);
	unpin_user_pages_dirty_lock(r->pages, r->npages, true);
	kvfree(r->pages);
	kfree(r);
}

static int torus_memory_make(const struct torus_ioc_register *ask, struct torus_region **out)
{
	unsigned long start = ask->address & PAGE_MASK;
	struct torus_region *r;
	int err;

	r = kzalloc(sizeof(*r), TORUS_GFP_USER);
	if (!r)
		return -ENOMEM;
	r->npages = (PAGE_ALIGN(ask->address + ask->length) - start) >> PAGE_SHIFT;
	r->length = ask->length;
	r->read_only = ask->flags & TORUS_REGISTER_READ_ONLY;
	err = -ENOMEM;
	if (r->npages > torus_memory_limit() && !capable(CAP_IPC_LOCK))
		goto err_region;
	r->pages = kvmalloc_array(r->npages, sizeof(*r->pages), TORUS_GFP_USER);
	if (!r->pages)
		goto err_region;
	err = torus_memory_check(start, ask->address + ask->length, r->read_only);
	if (!err)
		err = torus_memory_pin(r, start);
	if (err)
		goto err_pages;
	err = -EOPNOTSUPP;
	if (!torus_memory_is_memory(r))
		goto err_pin;
	err = -ENOMEM;
	r->map = vmap(r->pages, r->npages, VM_MAP, PAGE_KERNEL);
	if (!r->map)
		goto err_pin;
	r->bytes = r->map + offset_in_page(ask->address);
	*out = r;
	return 0;

err_pin:
	unpin_user_pages(r->pages, r->npages);
err_pages:
	kvfree(r->pages);
err_region:
	kfree(r);
	return err;
}

/* -------------------------------------------------------------- registering */

/* Find the queue, the first part of the key by which TNIs find memory. Return: 0 or -EINVAL. */
static int torus_memory_queue(struct torus_ctx *ctx, u32 fifo, u32 vcq, u32 *queue)
{
	struct torus_engine *e = ctx->engine;

	if (fifo >= e->arch->inject_fifos || vcq >= TORUS_VCQS)
		return -EINVAL;
	*queue = e->fabric->router->inject_slot(ctx->client.group * e->arch->inject_fifos + fifo) *
		 TORUS_VCQS + vcq;
	return 0;
}

/*
 * Reserve an entry for a region, charged to the program's cgroup. Called before the engine is
 * locked: a program that its cgroup keeps waiting for memory then delays no other program.
 */
static int torus_memory_reserve(struct torus_ctx *ctx, u32 queue, struct torus_ioc_register *ask)
{
	struct torus_memories *m = &ctx->memories;
	int err = -EBUSY;
	u32 tries;

	if (ask->flags & TORUS_REGISTER_STAG) {
		ask->stadd = (u64)ask->stag << TORUS_STADD_BITS;
		err = xa_insert(&m->regions, torus_memory_key(queue, ask->stadd), NULL,
				TORUS_GFP_USER);
		return err == -EBUSY ? -EADDRINUSE : err;
	}
	mutex_lock(&m->lock);
	/* An STag is reused only after all others were used. */
	for (tries = 0; err == -EBUSY && tries <= TORUS_MEMORY_REGIONS; tries++) {
		ask->stadd = (u64)m->next << TORUS_STADD_BITS;
		if (++m->next == TORUS_MEMORY_STAGS)
			m->next = TORUS_STAGS;
		err = xa_insert(&m->regions, torus_memory_key(queue, ask->stadd), NULL,
				TORUS_GFP_USER);
	}
	mutex_unlock(&m->lock);
	return err == -EBUSY ? -EADDRINUSE : err;
}

/*
 * Add a region in the entry that was reserved: from now on TNIs find it. The engine must be locked.
 */
static int torus_memory_insert(struct torus_ctx *ctx, struct torus_region *r, unsigned long key)
{
	struct torus_memories *m = &ctx->memories;
	int err;

	lockdep_assert_held(&ctx->engine->lock.mutex);
	if (m->count >= TORUS_MEMORY_REGIONS)
		return -ENOSPC;
	/* A reserved entry needs no memory. */
	err = xa_err(xa_store(&m->regions, key, r, 0));
	m->count += !err;
	return err;
}

/* Reserve an entry for a region, and add it. On success @ask->stadd is its address. */
static int torus_memory_place(struct torus_ctx *ctx, struct torus_region *r,
			      struct torus_ioc_register *ask)
{
	unsigned long key;
	u32 queue;
	int err = torus_ctx_lock(ctx);

	if (err)
		return err;
	err = torus_memory_queue(ctx, ask->fifo, ask->vcq, &queue);
	torus_engine_unlock(ctx->engine);
	if (!err)
		err = torus_memory_reserve(ctx, queue, ask);
	if (err)
		return err;
	key = torus_memory_key(queue, ask->stadd);
	err = torus_ctx_lock(ctx);
	if (!err) {
		err = torus_memory_insert(ctx, r, key);
		torus_engine_unlock(ctx->engine);
	}
	if (err)
		xa_release(&ctx->memories.regions, key);
	return err;
}

/* Remove a region: TNIs do not find it any more. The engine must be locked. */
static struct torus_region *torus_memory_take(struct torus_ctx *ctx, unsigned long key)
{
	struct torus_region *r = xa_load(&ctx->memories.regions, key);

	lockdep_assert_held(&ctx->engine->lock.mutex);
	/* A reserved entry stays: its region was not added yet. */
	if (!r)
		return NULL;
	xa_erase(&ctx->memories.regions, key);
	ctx->memories.count--;
	return r;
}

static void torus_memory_free(struct torus_ctx *ctx, struct torus_region *r)
{
	torus_memory_uncharge(ctx, r);
	torus_memory_unpin(r);
}

static int torus_memory_remove(struct torus_ctx *ctx, u32 fifo, u32 vcq, u64 stadd)
{
	struct torus_region *r = NULL;
	u32 queue;
	int err = torus_ctx_lock(ctx);

	if (err)
		return err;
	err = torus_memory_queue(ctx, fifo, vcq, &queue);
	if (!err)
		r = torus_memory_take(ctx, torus_memory_key(queue, stadd));
	torus_engine_unlock(ctx->engine);
	if (err)
		return err;
	if (!r)
		return -ENOENT;
	torus_memory_free(ctx, r);
	return 0;
}

static bool torus_memory_sane(const struct torus_ioc_register *ask)
{
	return !memchr_inv(ask->reserved, 0, sizeof(ask->reserved)) &&
	       !(ask->flags & ~(TORUS_REGISTER_READ_ONLY | TORUS_REGISTER_STAG)) &&
	       ask->stag < (ask->flags & TORUS_REGISTER_STAG ? TORUS_STAGS : 1) &&
	       ask->length && ask->length <= TORUS_MEMORY_OFFSET &&
	       ask->vcq < TORUS_VCQS;
}

/**
 * torus_memory_register() - TORUS_IOC_REGISTER
 * @ctx: the program's context, usable
 * @argp: [in, out] memory to register; its STADD
 *
 * Return: 0; an error of <linux/torus.h>; -EINTR if the process is being killed.
 */
int torus_memory_register(struct torus_ctx *ctx, struct torus_ioc_register __user *argp)
{
	struct torus_ioc_register ask;
	struct torus_region *r;
	int err;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (!ctx->engine->arch->command)
		return -EOPNOTSUPP;
	if (!torus_memory_sane(&ask) || ask.fifo >= ctx->engine->arch->inject_fifos)
		return -EINVAL;
	if (ask.address + ask.length < ask.address ||
	    ask.address + ask.length > TASK_SIZE_MAX)
		return -EFAULT;
	err = torus_memory_make(&ask, &r);
	if (err)
		return err;
	err = torus_memory_charge(ctx, r);
	if (err) {
		torus_memory_unpin(r);
		return err;
	}
	err = torus_memory_place(ctx, r, &ask);
	if (err) {
		torus_memory_free(ctx, r);
		return err;
	}
	if (!copy_to_user(argp, &ask, sizeof(ask)))
		return 0;
	torus_memory_remove(ctx, ask.fifo, ask.vcq, ask.stadd);
	return -EFAULT;
}

/**
 * torus_memory_unregister() - TORUS_IOC_UNREGISTER
 * @ctx: the program's context, usable
 * @argp: STADD of the memory
 *
 * Return: 0 or an error of <linux/torus.h>.
 */
int torus_memory_unregister(struct torus_ctx *ctx, struct torus_ioc_unregister __user *argp)
{
	struct torus_ioc_unregister ask;

	if (copy_from_user(&ask, argp, sizeof(ask)))
		return -EFAULT;
	if (!ctx->engine->arch->command)
		return -EOPNOTSUPP;
	if (memchr_inv(ask.reserved, 0, sizeof(ask.reserved)))
		return -EINVAL;
	if (ask.stadd & TORUS_MEMORY_OFFSET)
		return -ENOENT;
	return torus_memory_remove(ctx, ask.fifo, ask.vcq, ask.stadd);
}

/**
 * torus_memory_drop() - remove all regions of a context whose program has left, or whose fabric is
 *	deleted
 * @ctx: the context, with its engine locked
 * @gone: [out] list of the regions, for torus_memory_release()
 */
void torus_memory_drop(struct torus_ctx *ctx, struct list_head *gone)
{
	struct torus_region *r;
	unsigned long key;

	xa_for_each(&ctx->memories.regions, key, r)
		list_add(&torus_memory_take(ctx, key)->link, gone);
}

/**
 * torus_memory_release() - unpin and free regions
 * @ctx: context of the regions
 * @gone: list from torus_memory_drop()
 *
 * May take long. The engine need not be locked.
 */
void torus_memory_release(struct torus_ctx *ctx, struct list_head *gone)
{
	struct torus_region *r, *next;

	list_for_each_entry_safe(r, next, gone, link) {
		torus_memory_free(ctx, r);
		cond_resched();
	}
}

/* ------------------------------------------------------------------ access */

/* Write the last word after all others: a program that polls it then finds the whole transfer. */
static void torus_memory_write(u8 *to, const u8 *from, u32 length)
{
	u32 last = min_t(u32, length, sizeof(u64));

	memcpy(to, from, length - last);
	smp_wmb();	/* Pairs with the program's own read barrier. */
	memcpy(to + length - last, from + length - last, last);
}

/*
 * Execute an atomic operation. cmpxchg: the program's processors may change the word concurrently.
 */
static bool torus_memory_atomic(struct torus_access *access, void *at)
{
	u64 old;

	if (!IS_ALIGNED((unsigned long)at, access->total))
		return false;
	do {
		old = access->total == 8 ? READ_ONCE(*(u64 *)at) : READ_ONCE(*(u32 *)at);
		access->value = access->total == 8 ?
			cmpxchg((u64 *)at, old, torus_access_result(access, old)) :
			cmpxchg((u32 *)at, (u32)old, (u32)torus_access_result(access, old));
	} while (access->value != old);
	return true;
}

/**
 * torus_memory_access() - access a program's memory for an engine (TNI)
 * @client: the context; called by the thread that runs its node
 * @access: [in, out] operation, address, bytes; result of an atomic operation
 *
 * Return: enum torus_access_answer.
 */
u32 torus_memory_access(void *client, struct torus_access *access)
{
	struct torus_ctx *ctx = client;
	struct torus_region *r = xa_load(&ctx->memories.regions,
					 torus_memory_key(access->queue, access->start));
	u8 *at;

	if (!r)
		return TORUS_ACCESS_UNKNOWN;
	if (!torus_access_within(access, TORUS_MEMORY_OFFSET, r->length))
		return TORUS_ACCESS_RANGE;
	if (access->remote && r->read_only && access->op != TORUS_ACCESS_READ)
		return TORUS_ACCESS_DENIED;
	at = r->bytes + (access->start & TORUS_MEMORY_OFFSET) + access->at;
	switch (access->op) {
	case TORUS_ACCESS_READ:
		memcpy(access->bytes, at, access->length);
		break;
	case TORUS_ACCESS_WRITE:
		torus_memory_write(at, access->bytes, access->length);
		break;
	default:
		if (!torus_memory_atomic(access, at))
			return TORUS_ACCESS_UNKNOWN;
	}
	return TORUS_ACCESS_FINE;
}

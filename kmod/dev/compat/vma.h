/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flags of a memory area.
 *
 * Linux 6.3 made vm_flags read-only and added functions that change it.  These assert that the
 * caller has locked the address space for writing, as mmap() has.
 */
#ifndef TORUS_DEV_COMPAT_VMA_H
#define TORUS_DEV_COMPAT_VMA_H

#include <linux/mm.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags |= flags;
}

static inline void vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
	vma->vm_flags &= ~flags;
}
#endif

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Mappings of a context's pages and rings; see mmap.c. */
#ifndef TORUS_DEV_CONTEXT_MMAP_H
#define TORUS_DEV_CONTEXT_MMAP_H

struct file;
struct torus_ctx;
struct vm_area_struct;

#define TORUS_MAP_ID_MAX	((1u << 24) - 1)

int torus_mmap_init(void);
void torus_mmap_exit(void);

int torus_mmap_file(struct file *file, struct vm_area_struct *vma);
void torus_mmap_revoke(struct torus_ctx *ctx);

#endif

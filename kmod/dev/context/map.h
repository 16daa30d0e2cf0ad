/* SPDX-License-Identifier: GPL-2.0 */
/* Mappings of a context's pages and rings; see map.c. */
#ifndef TORUS_DEV_CONTEXT_MAP_H
#define TORUS_DEV_CONTEXT_MAP_H

struct file;
struct torus_file;
struct vm_area_struct;

#define TORUS_MAP_ID_MAX	((1u << 24) - 1)

int torus_map_init(void);
void torus_map_exit(void);

int torus_map_file(struct file *file, struct vm_area_struct *vma);
void torus_map_revoke(struct torus_file *ctx);

#endif

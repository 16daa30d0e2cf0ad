/* SPDX-License-Identifier: GPL-2.0 */
/* Registered memory of a program, which the TNIs of other nodes may access. */
#ifndef TORUS_DEV_CONTEXT_MEMORY_H
#define TORUS_DEV_CONTEXT_MEMORY_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

struct torus_access;
struct torus_ctx;
struct torus_ioc_register;
struct torus_ioc_unregister;

/**
 * struct torus_memories - registered memory of a context
 * @regions: struct torus_region by queue and STag; added and removed with the engine locked, read
 *	by the fabric's threads during a run. Empty entries are reserved without the engine's lock
 * @count: number of regions (engine.lock)
 * @next: STag for the next region whose program names none
 * @mapped: number of pages of all regions; a page in several regions counts several times
 * @lock: protects @next, @pins and @mapped
 * @pins: for each page frame, the number of regions that contain it
 */
struct torus_memories {
	struct xarray regions;
	u32 count;
	u32 next;
	unsigned long mapped;
	struct mutex lock;	/* next, pins, mapped */
	struct xarray pins;
};

void torus_memory_init(struct torus_memories *memories);
void torus_memory_destroy(struct torus_memories *memories);
int torus_memory_register(struct torus_ctx *ctx, struct torus_ioc_register __user *argp);
int torus_memory_unregister(struct torus_ctx *ctx, struct torus_ioc_unregister __user *argp);
void torus_memory_drop(struct torus_ctx *ctx, struct list_head *gone);
void torus_memory_release(struct torus_ctx *ctx, struct list_head *gone);
u32 torus_memory_access(void *client, struct torus_access *access);

#endif

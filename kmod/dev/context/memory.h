/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of a program that engines may reach. */
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
 * struct torus_memories - what a context has registered
 * @regions: by queue and STag (engine held to change it; the fabric's threads look things up)
 * @count: how many (engine held)
 * @next: STag of the next one that names none
 * @mapped: pages of all regions, each as often as it is registered
 * @lock: protects @next, @pins and @mapped
 * @pins: for each page frame how often it is registered
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

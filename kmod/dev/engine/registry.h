/* SPDX-License-Identifier: GPL-2.0 */
/* Fabrics by name, in each network namespace. */
#ifndef TORUS_DEV_ENGINE_REGISTRY_H
#define TORUS_DEV_ENGINE_REGISTRY_H

#include <linux/list.h>
#include <linux/types.h>

#include "core/error.h"

struct net;
struct torus_config;
struct torus_engine;

/**
 * struct torus_registry_entry - an engine's entry in the registry
 * @link: in the list of its namespace, which the registry's lock protects
 * @net: the namespace; valid while the engine's fabric is not NULL
 * @bytes: charged against max_bytes for the fabric (engine.lock)
 * @tied: port of the netlink socket whose end deletes the fabric; 0: none
 */
struct torus_registry_entry {
	struct list_head link;
	struct net *net;
	u64 bytes;
	u32 tied;
};

int torus_registry_init(void);
void torus_registry_close(void);
void torus_registry_exit(void);

int torus_registry_add(struct net *net, const char *name, const struct torus_config *cfg,
		       u32 tied, struct torus_engine **out, struct torus_error *err);
struct torus_engine *torus_registry_del(struct net *net, const char *name);
int torus_registry_del_unused(struct net *net, const char *name, struct torus_engine **out,
			      struct torus_error *err);
struct torus_engine *torus_registry_untie(struct net *net, u32 portid);
struct torus_engine *torus_registry_find(struct net *net, const char *name);
struct torus_engine *torus_registry_nth(struct net *net, unsigned long n);
u32 torus_registry_generation(struct net *net);

#endif

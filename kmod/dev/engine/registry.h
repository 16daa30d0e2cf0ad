/* SPDX-License-Identifier: GPL-2.0 */
/* Fabrics by name, in each network namespace. */
#ifndef TORUS_DEV_ENGINE_REGISTRY_H
#define TORUS_DEV_ENGINE_REGISTRY_H

#include <linux/types.h>

#include "core/error.h"

struct net;
struct torus_config;
struct torus_engine;

int torus_registry_init(void);
void torus_registry_close(void);
void torus_registry_exit(void);

int torus_registry_add(struct net *net, const char *name, const struct torus_config *cfg,
		       struct torus_engine **out, struct torus_error *err);
struct torus_engine *torus_registry_del(struct net *net, const char *name);
struct torus_engine *torus_registry_untie(struct net *net, u32 portid);
struct torus_engine *torus_registry_find(struct net *net, const char *name);
struct torus_engine *torus_registry_nth(struct net *net, unsigned long n);
u32 torus_registry_generation(struct net *net);

#endif

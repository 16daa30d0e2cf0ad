/* SPDX-License-Identifier: GPL-2.0 */
/* The life cycle of an engine: creation, removal, reset, and the end of a workload. */
#ifndef TORUS_DEV_ENGINE_ENGINE_LIFECYCLE_H
#define TORUS_DEV_ENGINE_ENGINE_LIFECYCLE_H

struct net;
struct torus_config;
struct torus_engine;
struct torus_error;
struct torus_fabric;

int torus_engine_create(struct net *net, const char *name, const struct torus_config *cfg,
			struct torus_engine **out, struct torus_error *err);
int torus_engine_unused(struct torus_engine *e, struct torus_error *err);
void torus_engine_remove(struct torus_engine *e);
void torus_engine_remove_locked(struct torus_engine *e);
void torus_engine_get(struct torus_engine *e);
void torus_engine_put(struct torus_engine *e);

void torus_engine_restart(struct torus_engine *e);
void torus_engine_exchange(struct torus_engine *e, struct torus_fabric *f);
void torus_engine_end_workload(struct torus_engine *e);
int torus_engine_keep_result(struct torus_engine *e);
void torus_engine_renice(struct torus_engine *e);

#endif

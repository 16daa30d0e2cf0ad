/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables of a fabric, uploaded piece by piece. */
#ifndef TORUS_DEV_ENGINE_ROUTES_H
#define TORUS_DEV_ENGINE_ROUTES_H

#include "engine.h"
#include "upload.h"

extern const struct torus_upload_kind torus_routes_kind;

int torus_routes_begin(struct torus_engine *e, u32 portid, u64 bytes, struct torus_error *err);
int torus_routes_commit(struct torus_engine *e, u32 portid, u64 at, struct torus_error *err);
void torus_routes_count_all(struct torus_engine *e);
void torus_routes_release(struct torus_engine *e);

/* Adjust the charge for the fabric's tables, if the machine has any. The engine must be locked. */
static inline void torus_routes_count(struct torus_engine *e)
{
	if (e->arch->routes_use)
		torus_routes_count_all(e);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables that are being loaded, piece by piece. */
#ifndef TORUS_DEV_ROUTES_H
#define TORUS_DEV_ROUTES_H

#include <linux/types.h>

#include "core/error.h"

struct torus_engine;

/**
 * struct torus_routes_load - routing tables that are being loaded
 * @portid: the socket that has begun it
 * @bytes: that the image is to have
 * @have: bytes that have come
 * @image: they
 * @kept: bytes of the fabric's tables, as the budget has them
 */
struct torus_routes_load {
	u32 portid;
	u32 bytes;
	u32 have;
	void *image;
	u64 kept;
};

int torus_routes_begin(struct torus_engine *e, u32 portid, u64 bytes, struct torus_error *err);
int torus_routes_add(struct torus_engine *e, u32 portid, const void *part, u32 bytes,
		     struct torus_error *err);
int torus_routes_commit(struct torus_engine *e, u32 portid, struct torus_error *err);
void torus_routes_leave(struct torus_engine *e, u32 portid);
void torus_routes_release(struct torus_engine *e);

#endif

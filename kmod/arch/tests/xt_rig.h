/* SPDX-License-Identifier: GPL-2.0 */
/* Cray XT fabrics with tables for tests: dimension order, one table a node. */
#ifndef TORUS_ARCH_TESTS_XT_RIG_H
#define TORUS_ARCH_TESTS_XT_RIG_H

#include "core/tests/rig.h"
#include "arch/xt/table.h"

/**
 * struct xt_plan - what the tables say
 * @dateline: coordinate of each dimension's dateline node, TORUS_NONE: none
 * @one: enter every dimension on VC 0 where that is legal; else, where no dateline is crossed,
 *       on the VC that the lowest bits of source and destination name
 */
struct xt_plan {
	u32 dateline[XT_DIMS];
	bool one;
};

/* The image of dimension-ordered tables, to be freed; @bytes gets its length. */
void *xt_rig_image(struct torus_fabric *f, const struct xt_plan *plan, size_t *bytes);

/* The entry of a node and input in an image. */
u8 *xt_rig_entry(void *image, u32 node, u32 input, u32 nid);

/* A fabric with such tables loaded; datelines at the highest coordinates of rings. */
struct torus_fabric *xt_rig_make(const char *shape, const char *settings, bool one);

/* Give a fabric tables: routers go by them from its clock's tick on. */
int xt_rig_load(struct torus_fabric *f, const void *image, size_t bytes, struct torus_error *err);

#endif

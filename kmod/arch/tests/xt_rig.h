/* SPDX-License-Identifier: GPL-2.0 */
/* Cray XT fabrics with routing tables for tests: dimension order, one table per node. */
#ifndef TORUS_ARCH_TESTS_XT_RIG_H
#define TORUS_ARCH_TESTS_XT_RIG_H

#include "core/tests/rig.h"
#include "arch/xt/table.h"

/**
 * struct xt_plan - rules for the entries of the tables
 * @dateline: coordinate of the dateline node in each dimension, or TORUS_NONE
 * @one: if set, packets enter each dimension on VC 0. If not set, packets that cross no dateline
 *   enter on VC 1 if their coordinate and that of the destination differ in the lowest bit.
 */
struct xt_plan {
	u32 dateline[XT_DIMS];
	bool one;
};

/*
 * Build an image of dimension-ordered tables. @bytes: [out] its length; the caller frees the
 * image.
 */
void *xt_rig_image(struct torus_fabric *f, const struct xt_plan *plan, size_t *bytes);

/* Find the entry of node @node and input @input for destination @nid in an image. */
u8 *xt_rig_entry(void *image, u32 node, u32 input, u32 nid);

/*
 * Create a fabric with dimension-ordered tables. The datelines are at the highest coordinates of
 * the rings.
 */
struct torus_fabric *xt_rig_make(const char *shape, const char *settings, bool one);

/* Load tables into a fabric. The routers use them from the current tick. */
int xt_rig_load(struct torus_fabric *f, const void *image, size_t bytes, struct torus_error *err);

#endif

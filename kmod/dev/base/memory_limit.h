/* SPDX-License-Identifier: GPL-2.0 */
/* Limits of the memory that fabrics, rings, gates, uploads, captures and devices take. */
#ifndef TORUS_DEV_BASE_MEMORY_LIMIT_H
#define TORUS_DEV_BASE_MEMORY_LIMIT_H

#include <linux/types.h>

#include "core/error.h"

struct torus_budget_user;

void torus_budget_init(void);
int torus_budget_take(u64 bytes, struct torus_error *err);
void torus_budget_give(u64 bytes);
void torus_budget_keep(u64 bytes);
void torus_budget_unkeep(u64 bytes);
int torus_budget_take_rings(u64 bytes, struct torus_budget_user **user);
void torus_budget_give_rings(u64 bytes, struct torus_budget_user *user);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables that are staged for a tick.  For loading see run/fabric.h. */
#ifndef TORUS_CORE_RUN_ROUTING_TABLES_H
#define TORUS_CORE_RUN_ROUTING_TABLES_H

#include "core/env.h"
#include "core/error.h"
#include "core/run/fabric.h"

struct torus_fabric;

u64 torus_routes_next(const struct torus_fabric *f);
u64 torus_routes_fingerprint(const struct torus_fabric *f);
void torus_routes_turn(struct torus_fabric *f);
void torus_routes_forget(struct torus_fabric *f);
int torus_routes_copy(struct torus_fabric *to, const struct torus_fabric *from,
		      struct torus_error *err);

/**
 * torus_fabric_routes_load() - all routing tables at once
 * @f: the fabric, held
 * @image: as the ABI describes it, aligned to 4 bytes; copied
 * @bytes: its length
 * @at: tick from which on routers go by them, the clock's or one to come; TORUS_ROUTES_NOW
 * @err: what is wrong with it
 *
 * All routers change over in one tick: what is due before @at goes by the old tables, what is
 * due in @at and behind it by the new ones, packets that are under way too.  The result is
 * the same for any number of domains.
 *
 * Tables may wait for several ticks; those for the same tick replace each other, and
 * TORUS_ROUTES_NOW has none of them come; a reset forgets them.  They do not move the clock of
 * a fabric without packets, which then changes over as soon as its clock gets there.  The clock
 * of a fabric whose packets all stand still goes on to the least of those ticks, whatever they
 * stand for: a dead link, a node without tables, a reader that does not read.  Only where rx_stall
 * limits how long a reader may keep them waiting, it is torus_fabric_idle_advance() that lets
 * the clock pass.
 *
 * Return: 0; -EOPNOTSUPP where the machine has none; -EINVAL also for a tick that has passed;
 * -ERANGE; -ENOSPC when tables wait for 64 ticks; -ENOMEM.  What was loaded before stays then.
 */
int torus_fabric_routes_load(struct torus_fabric *f, const void *image, size_t bytes, u64 at,
			     struct torus_error *err);

/**
 * torus_fabric_routes_at() - may tables be loaded for a tick?
 * @f: the fabric, held
 * @at: as in torus_fabric_routes_load()
 * @err: why not
 *
 * Return: 0, -EINVAL for a tick that has passed, -ENOSPC when tables wait for 64 others.
 */
int torus_fabric_routes_at(const struct torus_fabric *f, u64 at, struct torus_error *err);

/* Bytes of the images that are loaded: of the one that routers go by, and of those that wait. */
u64 torus_fabric_routes_bytes(const struct torus_fabric *f);

/**
 * torus_fabric_routes_waiting() - do tables wait for their tick?
 * @f: the fabric, held
 * @first: out: the least tick for which some do
 *
 * Return: the number of ticks for which tables wait.
 */
u32 torus_fabric_routes_waiting(const struct torus_fabric *f, u64 *first);

/**
 * torus_fabric_routes() - the routing tables that are loaded
 * @f: the fabric, held
 * @bytes: gets the length of the image
 *
 * Return: the image, NULL while none is loaded.
 */
const void *torus_fabric_routes(const struct torus_fabric *f, size_t *bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Routing tables: load an image now, or stage it for a tick. */
#ifndef TORUS_CORE_RUN_ROUTING_TABLES_H
#define TORUS_CORE_RUN_ROUTING_TABLES_H

#include "core/platform.h"
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
 * torus_fabric_routes_load() - load the routing tables of all routers
 * @f: the fabric; no run may be in progress
 * @image: tables in the format of the ABI, aligned to 4 bytes; copied
 * @bytes: length of @image
 * @at: tick at which the routers switch, the clock's or a later one; or TORUS_ROUTES_NOW
 * @err: [out] error message
 *
 * All routers switch in one tick. Events due before @at use the old tables, events due at or after
 * @at the new ones, also for packets in flight. The result is the same for any number of domains.
 *
 * Tables can be staged for several ticks. New tables for the same tick replace the old ones.
 * TORUS_ROUTES_NOW and a reset discard all staged tables.
 *
 * Staged tables do not advance the clock of a fabric without packets: it switches when its clock
 * reaches the tick. If there are packets but none can move, the clock advances to the first staged
 * tick, whatever blocks them: a dead link, a node without tables, a reader that does not read.
 * Exception: if readers block packets and rx_stall limits the time for that, only
 * torus_fabric_idle_advance() advances the clock.
 *
 * Return: 0; -EOPNOTSUPP if the machine has no tables; -EINVAL, also for a tick that has passed;
 * -ERANGE; -ENOSPC if tables are staged for 64 other ticks; -ENOMEM. On error, loaded and staged
 * tables stay.
 */
int torus_fabric_routes_load(struct torus_fabric *f, const void *image, size_t bytes, u64 at,
			     struct torus_error *err);

/**
 * torus_fabric_routes_at() - check whether tables can be loaded for a tick
 * @f: the fabric; no run may be in progress
 * @at: tick as in torus_fabric_routes_load()
 * @err: [out] error message
 *
 * Return: 0, -EINVAL for a tick that has passed, -ENOSPC if tables are staged for 64 other ticks.
 */
int torus_fabric_routes_at(const struct torus_fabric *f, u64 at, struct torus_error *err);

/* Return the bytes of the images of the current tables and of all staged tables. */
u64 torus_fabric_routes_bytes(const struct torus_fabric *f);

/**
 * torus_fabric_routes_waiting() - count the ticks with staged tables
 * @f: the fabric; no run may be in progress
 * @first: [out] the first of these ticks, ~0 if there is none
 *
 * Return: the number of ticks.
 */
u32 torus_fabric_routes_waiting(const struct torus_fabric *f, u64 *first);

/**
 * torus_fabric_routes() - return the image of the current routing tables
 * @f: the fabric; no run may be in progress
 * @bytes: [out] length of the image
 *
 * Return: the image, NULL if none is loaded.
 */
const void *torus_fabric_routes(const struct torus_fabric *f, size_t *bytes);

#endif

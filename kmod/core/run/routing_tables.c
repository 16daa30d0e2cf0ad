// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables of a fabric: one image, loaded whole or not at all, and given back as it came.
 *
 * Tables may wait for a tick.  A run stops there, where every domain has done what is due
 * before that tick and nothing of what is due in it: so all routers change over at once, and
 * what follows does not depend on how nodes are divided.
 */
#include "core/base/crc.h"
#include "core/run/fabric.h"
#include "core/run/routing_tables.h"

#define ROUTES_WAITING_MAX	64

/**
 * struct torus_routes - tables that wait for their tick
 * @next: those of a later tick
 * @at: the tick
 * @bytes: of the image
 * @crc: CRC-32C of the image
 * @made: the machine's tables
 */
struct torus_routes {
	struct torus_routes *next;
	u64 at;
	size_t bytes;
	u32 crc;
	void *made;
};

/**
 * torus_routes_forget() - tables that wait for their tick never come
 * @f: the fabric, held
 */
void torus_routes_forget(struct torus_fabric *f)
{
	while (f->routes_waiting) {
		struct torus_routes *r = f->routes_waiting;

		f->routes_waiting = r->next;
		f->arch->routes_free(r->made);
		torus_free(r, sizeof(*r));
	}
}

/**
 * torus_routes_next() - where a run must stop
 * @f: the fabric, held
 *
 * Return: the tick for which tables wait, ~0 when none do.
 */
u64 torus_routes_next(const struct torus_fabric *f)
{
	return f->routes_waiting ? f->routes_waiting->at : ~0ull;
}

/**
 * torus_routes_fingerprint() - a number that tells tables that wait from others
 * @f: the fabric, held
 *
 * Return: it follows from each of the tables and its tick.
 */
u64 torus_routes_fingerprint(const struct torus_fabric *f)
{
	const struct torus_routes *r;
	u64 fingerprint = 0;

	for (r = f->routes_waiting; r; r = r->next)
		fingerprint = torus_mix(torus_mix(fingerprint ^ r->at) ^ ((u64)r->bytes << 32 |
									  r->crc));
	return fingerprint;
}

/**
 * torus_routes_turn() - routers go by the tables whose tick has come
 * @f: the fabric, held, between two runs
 */
void torus_routes_turn(struct torus_fabric *f)
{
	while (torus_routes_next(f) <= f->clock) {
		struct torus_routes *r = f->routes_waiting;

		f->routes_waiting = r->next;
		f->arch->routes_use(f, r->made);
		torus_free(r, sizeof(*r));
	}
}

int torus_fabric_routes_at(const struct torus_fabric *f, u64 at, struct torus_error *err)
{
	const struct torus_routes *r = f->routes_waiting;
	u32 others = 0;

	if (at < f->clock)
		return torus_fail(err, EINVAL, "at %llu: the clock is at tick %llu", at, f->clock);
	if (at == f->clock || at == TORUS_ROUTES_NOW)
		return 0;
	for (; r && r->at != at; r = r->next)
		others++;
	if (others == ROUTES_WAITING_MAX)
		return torus_fail(err, ENOSPC, "tables wait for %u ticks already", others);
	return 0;
}

/* Tables wait behind those of earlier ticks, in place of those of the same. */
static int routes_wait(struct torus_fabric *f, u64 at, void *made, const void *image, size_t bytes,
		       struct torus_error *err)
{
	u32 crc = torus_crc32_value(torus_crc32c_update(TORUS_CRC32_INIT, image, bytes));
	struct torus_routes **place = &f->routes_waiting, *r;

	while (*place && (*place)->at < at)
		place = &(*place)->next;
	if (*place && (*place)->at == at) {
		f->arch->routes_free((*place)->made);
		(*place)->made = made;
		(*place)->bytes = bytes;
		(*place)->crc = crc;
		return 0;
	}
	r = torus_alloc(sizeof(*r));
	if (!r)
		return torus_fail(err, ENOMEM, "no memory for tables at %llu", at);
	*r = (struct torus_routes){
		.next = *place, .at = at, .bytes = bytes, .crc = crc, .made = made,
	};
	*place = r;
	return 0;
}

int torus_fabric_routes_load(struct torus_fabric *f, const void *image, size_t bytes, u64 at,
			     struct torus_error *err)
{
	void *made;
	int ret;

	if (!f->arch->routes_make)
		return torus_fail(err, EOPNOTSUPP, "%s has no routing tables", f->arch->name);
	ret = torus_fabric_routes_at(f, at, err);
	if (ret)
		return ret;
	ret = f->arch->routes_make(f, image, bytes, &made, err);
	if (ret)
		return ret;
	if (at != TORUS_ROUTES_NOW && at > f->clock) {
		ret = routes_wait(f, at, made, image, bytes, err);
		if (ret)
			f->arch->routes_free(made);
		return ret;
	}
	if (at == TORUS_ROUTES_NOW)
		torus_routes_forget(f);
	f->arch->routes_use(f, made);
	return 0;
}

const void *torus_fabric_routes(const struct torus_fabric *f, size_t *bytes)
{
	*bytes = 0;
	return f->arch->routes_image ? f->arch->routes_image(f, bytes) : NULL;
}

/**
 * torus_routes_copy() - the tables of another fabric, those that wait too
 * @to: a fabric at rest, at its first tick, that has none
 * @from: one of the same configuration, held, at its first tick
 * @err: why not
 *
 * Return: 0 or -ENOMEM.
 */
int torus_routes_copy(struct torus_fabric *to, const struct torus_fabric *from,
		      struct torus_error *err)
{
	const struct torus_routes *r;
	const void *image;
	size_t bytes;
	int ret;

	image = torus_fabric_routes(from, &bytes);
	ret = image ? torus_fabric_routes_load(to, image, bytes, TORUS_ROUTES_NOW, err) : 0;
	for (r = from->routes_waiting; r && !ret; r = r->next) {
		image = from->arch->routes_read(r->made, &bytes);
		ret = torus_fabric_routes_load(to, image, bytes, r->at, err);
	}
	return ret;
}

u64 torus_fabric_routes_bytes(const struct torus_fabric *f)
{
	const struct torus_routes *r;
	size_t bytes;
	u64 sum;

	torus_fabric_routes(f, &bytes);
	for (sum = bytes, r = f->routes_waiting; r; r = r->next)
		sum += r->bytes;
	return sum;
}

u32 torus_fabric_routes_waiting(const struct torus_fabric *f, u64 *first)
{
	const struct torus_routes *r;
	u32 count = 0;

	*first = torus_routes_next(f);
	for (r = f->routes_waiting; r; r = r->next)
		count++;
	return count;
}

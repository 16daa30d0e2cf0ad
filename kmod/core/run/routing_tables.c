// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables of a fabric. An image is loaded completely or not at all, and can be read back
 * unchanged.
 *
 * Tables may be staged for a tick. A run stops at that tick, when all domains have handled the
 * earlier events and no event of the tick. Therefore all routers switch at once, and the result
 * does not depend on the division into domains.
 */
#include "core/base/crc.h"
#include "core/run/fabric.h"
#include "core/run/routing_tables.h"

#define ROUTES_WAITING_MAX	64

/**
 * struct torus_routes - tables staged for a tick
 * @next: tables of a later tick
 * @at: the tick
 * @bytes: length of the image
 * @crc: CRC-32C of the image
 * @made: tables in the machine's form, made from the image
 */
struct torus_routes {
	struct torus_routes *next;
	u64 at;
	size_t bytes;
	u32 crc;
	void *made;
};

/**
 * torus_routes_forget() - discard all staged tables
 * @f: the fabric; no run may be in progress
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
 * torus_routes_next() - return the tick at which a run must stop to switch tables
 * @f: the fabric; no run may be in progress
 *
 * Return: the first tick with staged tables, ~0 if there is none.
 */
u64 torus_routes_next(const struct torus_fabric *f)
{
	return f->routes_waiting ? f->routes_waiting->at : ~0ull;
}

/**
 * torus_routes_fingerprint() - return a hash that identifies the staged tables
 * @f: the fabric; no run may be in progress
 *
 * Return: hash of the images and their ticks.
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
 * torus_routes_turn() - switch the routers to staged tables whose tick has arrived
 * @f: the fabric, between two runs
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
		return torus_fail(err, EINVAL, "at %llu: must not be less than the clock, %llu",
				  at, f->clock);
	if (at == f->clock || at == TORUS_ROUTES_NOW)
		return 0;
	for (; r && r->at != at; r = r->next)
		others++;
	if (others == ROUTES_WAITING_MAX)
		return torus_fail(err, ENOSPC,
				  "tables are already waiting for %u ticks, which is the maximum",
				  others);
	return 0;
}

/*
 * Insert tables into the list of staged tables, which is sorted by tick. Replace tables for the
 * same tick.
 */
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
		return torus_fail(err, ENOMEM, "no memory for the tables of tick %llu", at);
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
 * torus_routes_copy() - copy another fabric's tables, including the staged ones
 * @to: a fabric without packets and tables, at its first tick
 * @from: a fabric with the same configuration, at its first tick, no run in progress
 * @err: [out] error message
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

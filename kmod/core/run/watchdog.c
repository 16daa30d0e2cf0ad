// SPDX-License-Identifier: GPL-2.0
/* Who waits for whom, and whether any of them can ever move. */
#include "core/run/watchdog.h"
#include "core/state/domain.h"

/* State of a VC buffer in the analysis. */
enum { MOVES, STUCK };

/* The buffer that alternative @bit of (node) leads into: index node' * slots + bit. */
static size_t watchdog_target(const struct torus_fabric *f, u32 node, u32 bit)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, bit / f->vcs);

	return (size_t)peer * f->dirs * f->vcs + bit;
}

/* One round: free every buffer that has an alternative into one that moves. */
static bool watchdog_relax(struct torus_fabric *f, u8 *state, u64 *stuck)
{
	u32 slots = f->dirs * f->vcs, node, slot;
	bool changed = false;

	*stuck = 0;
	for (node = 0; node < f->nodes; node++)
		for (slot = 0; slot < slots; slot++) {
			u8 *s = &state[(size_t)node * slots + slot];
			u64 waits;
			bool blocked;

			if (*s == MOVES)
				continue;
			f->router->head(f, node, slot, &waits, &blocked);
			for (; waits; waits &= waits - 1)
				if (state[watchdog_target(f, node, torus_ctz(waits))] == MOVES)
					break;
			if (waits) {
				*s = MOVES;
				changed = true;
			} else {
				++*stuck;
			}
		}
	return changed;
}

static void watchdog_name_cycle(struct torus_fabric *f, const u8 *state, struct torus_cycle *cycle)
{
	u32 slots = f->dirs * f->vcs, vcs = f->vcs, i;
	size_t at = 0, start, len = 0;
	char coords[64], dir[16];
	u64 waits;
	bool blocked;

	while (state[at] != STUCK)
		at++;
	/* after as many steps as there are stuck buffers it is on the cycle */
	for (i = 0; i < cycle->stuck; i++) {
		f->router->head(f, (u32)(at / slots), (u32)(at % slots), &waits, &blocked);
		at = watchdog_target(f, (u32)(at / slots), torus_ctz(waits));
	}
	start = at;
	do {
		u32 node = (u32)(at / slots), slot = (u32)(at % slots);

		cycle->length++;
		torus_geometry_text(&f->cfg.geo, node, coords, sizeof(coords));
		len += (size_t)scnprintf(cycle->text + len, sizeof(cycle->text) - len, "%s%s %s %s",
					 len ? " > " : "", coords,
					 torus_direction_name(slot / vcs, dir, sizeof(dir)),
					 f->router->vc_names[slot % vcs]);
		f->router->head(f, node, slot, &waits, &blocked);
		at = watchdog_target(f, node, torus_ctz(waits));
	} while (at != start);
}

int torus_watchdog_check(struct torus_fabric *f, struct torus_cycle *cycle)
{
	u32 slots = f->dirs * f->vcs, node, slot;
	size_t n = (size_t)f->nodes * slots;
	int verdict = TORUS_VERDICT_ALIVE;
	u64 stuck = 0, waits;
	bool blocked, pending = torus_fabric_pending(f);
	u8 *state;

	if (cycle)
		memset(cycle, 0, sizeof(*cycle));
	if (!f->router->head)
		return TORUS_VERDICT_ALIVE;
	state = torus_alloc(n);
	if (!state)
		return -ENOMEM;
	for (node = 0; node < f->nodes; node++)
		for (slot = 0; slot < slots; slot++) {
			f->router->head(f, node, slot, &waits, &blocked);
			state[(size_t)node * slots + slot] = blocked ? STUCK : MOVES;
		}
	while (watchdog_relax(f, state, &stuck))
		torus_yield();
	if (stuck) {
		verdict = TORUS_VERDICT_DEADLOCK;
		if (cycle) {
			cycle->stuck = stuck > 0xffffffffu ? 0xffffffffu : (u32)stuck;
			watchdog_name_cycle(f, state, cycle);
		}
	} else if (!pending && torus_fabric_in_flight(f)) {
		verdict = TORUS_VERDICT_WAITING;
	}
	torus_free(state, n);
	return verdict;
}

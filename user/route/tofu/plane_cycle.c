// SPDX-License-Identifier: GPL-2.0
/*
 * Find a ring through all usable places of a plane.
 *
 * The plane is processed group by group. Between two neighbouring groups, a ring either crosses
 * twice or does not cross. So the state between two groups is the pair of places at which the ring
 * crosses. First compute, from the last group backwards, from which states the remaining groups can
 * complete the ring. Then construct the ring from the first group on.
 */
#include <errno.h>
#include <stdlib.h>

#include "plane_cycle.h"

#define PLACES	TOFU_B_LENGTH

/*
 * States between two groups: the ring crosses at two places, has not started (FRESH) or is closed
 * (DONE). crossing[] has a mask of the places for each state.
 */
enum { FRESH, PAIR_02, PAIR_12, PAIR_01, DONE, STATES };

static const u8 crossing[STATES] = { [PAIR_02] = 5, [PAIR_12] = 6, [PAIR_01] = 3 };

/* Mask of the two places that each link within a group joins: 0-1, 1-2, 2-0. */
static const u8 ends[PLACES] = { 3, 6, 5 };

/* Links of the ring within a group, as a mask, and the state of the ring after the group. */
struct lay {
	u8 links;
	u8 next;
};

static u32 live_places(const struct tofu_plane *plane, u32 at)
{
	u32 all = (1u << plane->width) - 1;

	return plane->out ? all & ~plane->out[at] : all;
}

static u32 degree(u32 place, u32 links, u32 before, u32 behind)
{
	u32 sum = (before >> place & 1) + (behind >> place & 1), i;

	for (i = 0; i < PLACES; i++)
		sum += (links >> i & 1) && (ends[i] >> place & 1);
	return sum;
}

/*
 * Check that the ring has two links at each live place of a group, and none at other places. This
 * also excludes a separate closed ring within the group: a group has only three places, too few for
 * a closed ring next to the ring that continues.
 */
static bool may_lay(u32 live, u32 links, u32 before, u32 behind)
{
	u32 place;

	for (place = 0; place < PLACES; place++)
		if (degree(place, links, before, behind) != 2 * (live >> place & 1))
			return false;
	return true;
}

/*
 * Find the links within a group with which the ring changes from state @from before the group to
 * state @to after it. @links: [out] mask of the links. Return: false if no such links exist.
 */
static bool step(u32 live, u32 width, u32 from, u32 to, u32 *links)
{
	bool idle = from == to && (from == FRESH || from == DONE);
	u32 most = width == PLACES ? 1u << PLACES : 2;	/* with two places the only link is 0-1 */

	*links = 0;
	if (idle)
		return !live;
	if (to == FRESH || from == DONE)
		return false;
	for (*links = 0; *links < most; ++*links)
		if (live && may_lay(live, *links, crossing[from], crossing[to]))
			return true;
	return false;
}

/*
 * Compute by group and state the links with which the remaining groups can complete the ring. If
 * they cannot, @next is STATES.
 */
static void plan(const struct tofu_plane *plane, struct lay (*lays)[STATES])
{
	u32 at, from, to, links;

	for (at = plane->length; at--;)
		for (from = 0; from < STATES; from++) {
			lays[at][from].next = STATES;
			for (to = 0; to < STATES && lays[at][from].next == STATES; to++) {
				bool ends_well = at + 1 == plane->length ? to == DONE :
						 lays[at + 1][to].next != STATES;

				if (ends_well && step(live_places(plane, at), plane->width,
						      from, to, &links))
					lays[at][from] = (struct lay){ (u8)links, (u8)to };
			}
		}
}

/* List the two neighbours of a place on the ring. Neighbours in the same group come first. */
static u32 neighbours(const struct lay *lay, const u8 *before, struct tofu_cycle_place here,
		      struct tofu_cycle_place *found)
{
	const struct lay *mine = &lay[here.along];
	u32 n = 0, i, place;

	for (place = 0; place < PLACES; place++)
		for (i = 0; i < PLACES; i++)
			if (place != here.inside && (mine->links >> i & 1) &&
			    ends[i] == (1u << place | 1u << here.inside))
				found[n++] = (struct tofu_cycle_place){ here.along, (u16)place };
	if (crossing[mine->next] >> here.inside & 1)
		found[n++] = (struct tofu_cycle_place){ (u16)(here.along + 1), here.inside };
	if (before[here.along] >> here.inside & 1)
		found[n++] = (struct tofu_cycle_place){ (u16)(here.along - 1), here.inside };
	return n;
}

static bool same(struct tofu_cycle_place a, struct tofu_cycle_place b)
{
	return a.along == b.along && a.inside == b.inside;
}

/*
 * Follow the ring from its first place, and store its places in order. The second place is in the
 * first place's group if possible.
 */
static u32 cycle_follow(const struct lay *lay, const u8 *before, struct tofu_cycle_place first,
			struct tofu_cycle_place *ring)
{
	struct tofu_cycle_place found[4], last = first, here = first;
	u32 n = 0;

	do {
		u32 degree_here = neighbours(lay, before, here, found);
		struct tofu_cycle_place next = found[0];

		if (n && degree_here > 1 && same(next, last))
			next = found[1];
		ring[n++] = here;
		last = here;
		here = next;
	} while (!same(here, first));
	return n;
}

static u32 count_live(const struct tofu_plane *plane, struct tofu_cycle_place *two)
{
	u32 at, place, n = 0;

	for (at = 0; at < plane->length; at++)
		for (place = 0; place < plane->width; place++)
			if (live_places(plane, at) >> place & 1) {
				if (n < 2)
					two[n] = (struct tofu_cycle_place){ (u16)at, (u16)place };
				n++;
			}
	return n;
}

/*
 * Check whether two places are neighbours. Two neighbours form a ring of two places, forth and back
 * over one link.
 */
static bool two_linked(const struct tofu_cycle_place *two)
{
	u32 along = two[1].along - two[0].along;

	return along ? along == 1 && two[0].inside == two[1].inside : true;
}

/**
 * tofu_ring_find() - find a ring through all usable places of a plane
 * @plane: the plane, with at most TOFU_RING_LENGTH_MAX groups
 * @ring: [out] places in the order of the ring, freed by the caller. Consecutive places are
 *    neighbours, also the last and the first. The first entry is the lowest usable place
 * @count: [out] number of places in the ring, which are all usable places
 *
 * Return: 0, -ENOENT (there is no such ring), -ENOMEM.
 */
int tofu_ring_find(const struct tofu_plane *plane, struct tofu_cycle_place **ring, u32 *count)
{
	struct lay (*lays)[STATES] = calloc(plane->length, sizeof(*lays));
	struct lay *lay = malloc(plane->length * sizeof(*lay));
	u8 *before = calloc(plane->length + 1, 1);
	struct tofu_cycle_place two[2];
	u32 at, state = FRESH;
	int error = 0;

	*count = count_live(plane, two);
	*ring = malloc((*count + 1) * sizeof(**ring));
	if (!lays || !lay || !before || !*ring) {
		error = -ENOMEM;
	} else if (*count == 2 && two_linked(two)) {
		memcpy(*ring, two, sizeof(two));
	} else {
		plan(plane, lays);
		if (*count < 3 || lays[0][FRESH].next == STATES)
			error = -ENOENT;
		for (at = 0; !error && at < plane->length; at++) {
			lay[at] = lays[at][state];
			state = lay[at].next;
			before[at + 1] = crossing[state];
		}
		if (!error)
			cycle_follow(lay, before, two[0], *ring);
	}
	if (error) {
		free(*ring);
		*ring = NULL;
	}
	free(lays);
	free(lay);
	free(before);
	return error;
}

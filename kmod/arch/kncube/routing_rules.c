// SPDX-License-Identifier: GPL-2.0
/* Shortest paths, and the division of VCs among their uses. */
#include "arch/kncube/routing_rules.h"

const char *const kncube_routing_names[] = { "dor", "adaptive", "valiant", NULL };
const char *const kncube_escape_names[] = { "bubble", "dateline", NULL };

/**
 * kncube_directions() - return the directions of a shortest path
 * @g: the shape
 * @from: index of the first node
 * @to: index of the last node
 *
 * If both ways around a ring are equally long, the parity of the first node's coordinate selects
 * one, so that both have the same load.
 *
 * Return: mask of directions, one for each dimension in which the nodes differ.
 */
u32 kncube_directions(const struct torus_geometry *g, u32 from, u32 to)
{
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, ways = 0;

	torus_geometry_coords(g, from, a);
	torus_geometry_coords(g, to, b);
	for (dim = 0; dim < g->ndims; dim++)
		if (a[dim] != b[dim])
			ways |= 1u << (2 * dim + (torus_geometry_steps(g, dim, a[dim],
								       b[dim]) < 0));
	return ways;
}

/**
 * kncube_vcs_least() - return the minimum number of VCs of a routing
 * @routing: enum kncube_routing
 * @escape: enum kncube_escape
 *
 * Return: number of VCs.
 */
u32 kncube_vcs_least(enum kncube_routing routing, enum kncube_escape escape)
{
	u32 kinds = escape == KNCUBE_DATELINE ? 2 : 1;

	if (routing == KNCUBE_ADAPTIVE)
		return kinds + 1;
	return routing == KNCUBE_VALIANT ? 2 * kinds : kinds;
}

/* Assign @n VCs from @first to a phase. */
static void vcs_phase(struct kncube_vcs *v, enum kncube_phase phase, enum kncube_escape escape,
		      u32 first, u32 n)
{
	u32 all = ((1u << n) - 1) << first, half = ((1u << n / 2) - 1) << first;

	v->ahead[phase] = (u8)(escape == KNCUBE_DATELINE ? half : all);
	v->behind[phase] = (u8)(escape == KNCUBE_DATELINE ? all & ~half : all);
	v->bubble |= (u8)(escape == KNCUBE_BUBBLE ? all : 0);
}

/**
 * kncube_vcs_init() - divide the VCs of a link among their uses
 * @v: [out] use of each VC
 * @routing: enum kncube_routing
 * @escape: enum kncube_escape
 * @vcs: number of VCs, at least kncube_vcs_least(), at most KNCUBE_VCS_MAX
 *
 * With adaptive routing, all VCs except the escape VCs are free VCs. Each of Valiant's two phases
 * has half of the VCs; of an odd number, the second phase has one more.
 */
void kncube_vcs_init(struct kncube_vcs *v, enum kncube_routing routing, enum kncube_escape escape,
		     u32 vcs)
{
	u32 first = 0;

	*v = (struct kncube_vcs){ 0 };
	if (routing == KNCUBE_ADAPTIVE) {
		first = vcs - kncube_vcs_least(KNCUBE_DOR, escape);
		v->free = (u8)((1u << first) - 1);
	}
	if (routing == KNCUBE_VALIANT) {
		first = vcs / 2;
		vcs_phase(v, KNCUBE_TO_RELAY, escape, 0, first);
	}
	vcs_phase(v, KNCUBE_TO_END, escape, first, vcs - first);
}

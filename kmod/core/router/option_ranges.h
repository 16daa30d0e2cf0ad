/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RANGES: each alternative's token count as one of four ranges, for join-the-shortest-queue on
 * masks. @range_hi, @range_lo: high and low bit of the range. Costs eight bytes of a node with 32
 * alternatives, and four instructions per token event or grant.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_RANGES
#define ROUTER_RANGES_MEMBERS	router_mask_t range_hi, range_lo;
#else
#define ROUTER_RANGES_MEMBERS
#endif

#else

torus_inline void router_ranges_set(struct router_node *n, u32 i, router_mask_t room)
{
#if ROUTER_RANGES
	router_mask_t bit = (router_mask_t)1 << i;

	n->range_lo = (n->range_lo & ~bit) | (room >> 2 << i & bit);
	n->range_hi = (n->range_hi & ~bit) | (room >> 3 << i & bit);
#endif
}

#endif

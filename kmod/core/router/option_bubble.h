/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BUBBLE: a packet that enters a VC needs more free space there than a packet that continues in its
 * ring. A node therefore has two masks of alternatives with space: @room [0] for packets that
 * continue, @room [1] for packets that enter. @cont: slots whose head continues.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_BUBBLE
#define ROUTER_BUBBLE_MEMBERS	router_slots_t cont;
#else
#define ROUTER_BUBBLE_MEMBERS
#endif

#else

/* Record whether the new head of a slot continues in its ring. */
torus_inline void router_enter_set(struct router_node *n, u32 slot, bool on)
{
#if ROUTER_BUBBLE
	n->cont = (n->cont & ~ROUTER_BIT(slot)) | (router_slots_t)on << slot;
#endif
}

torus_inline void router_enter_forget(struct router_node *n, router_slots_t slots)
{
#if ROUTER_BUBBLE
	n->cont &= ~slots;
#endif
}

/* Index in @room of the mask that applies to a slot's head: 0 if it continues, 1 if it enters. */
torus_inline u32 router_enters(const struct router_node *n, u32 slot)
{
#if ROUTER_BUBBLE
	return !(n->cont >> slot & 1);
#else
	return 0;
#endif
}

/* Alternatives that have space, by the bubble rule, for a slot's head packet. */
torus_inline router_mask_t router_room(const struct router_node *n, u32 slot)
{
	return n->room[router_enters(n, slot)];
}

/* Alternatives of @mask with space for a packet that continues, but not for one that enters. */
torus_inline router_mask_t router_enter_only(const struct router_node *n, router_mask_t mask)
{
#if ROUTER_BUBBLE
	return mask & n->room[0] & ~n->room[1];
#else
	return 0;
#endif
}

/*
 * After a change of the tokens of alternative @i, update the masks in @room that arbitration reads.
 */
torus_inline void router_tokens_changed(const machine_params_t *m, struct router_node *n, u32 i,
					u32 vc)
{
	router_mask_t bit = (router_mask_t)1 << i;
	router_mask_t room = machine_room(m, vc, n->tokens[i]);

	/*
	 * shift a whole word: for a single bit gcc would store a byte, and stall when it reads the
	 * byte again
	 */
	n->room[0] = (n->room[0] & ~bit) | (room << i & bit);
#if ROUTER_BUBBLE
	n->room[1] = (n->room[1] & ~bit) | (room >> 1 << i & bit);
#endif
	router_ranges_set(n, i, room);
}

#endif

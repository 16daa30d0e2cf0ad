/* SPDX-License-Identifier: GPL-2.0 */
/*
 * BUBBLE: a packet that enters a VC needs more free space there than a packet that continues in its
 * ring.  The second of a node's two masks of free space is for packets that enter; @cont has the
 * slots of packets that continue.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_BUBBLE
#define ROUTER_BUBBLE_MEMBERS	router_slots_t cont;
#else
#define ROUTER_BUBBLE_MEMBERS
#endif

#else

/* A slot has a new head. */
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

/* Which of the two masks of room counts for a slot's head. */
torus_inline u32 router_enters(const struct router_node *n, u32 slot)
{
#if ROUTER_BUBBLE
	return !(n->cont >> slot & 1);
#else
	return 0;
#endif
}

/* The alternatives that have room for a slot's head. */
torus_inline router_mask_t router_room(const struct router_node *n, u32 slot)
{
	return n->room[router_enters(n, slot)];
}

/* Of @mask, those with room for a packet that goes on, none for one that enters. */
torus_inline router_mask_t router_enter_only(const struct router_node *n, router_mask_t mask)
{
#if ROUTER_BUBBLE
	return mask & n->room[0] & ~n->room[1];
#else
	return 0;
#endif
}

/* Tokens of alternative @i have changed: say so in the masks that arbitration reads. */
torus_inline void router_tokens_changed(const machine_params_t *m, struct router_node *n, u32 i,
					u32 vc)
{
	router_mask_t bit = (router_mask_t)1 << i;
	router_mask_t room = machine_room(m, vc, n->tokens[i]);

	/* shifted whole: of a single bit gcc makes a byte, in memory, that it then waits for */
	n->room[0] = (n->room[0] & ~bit) | (room << i & bit);
#if ROUTER_BUBBLE
	n->room[1] = (n->room[1] & ~bit) | (room >> 1 << i & bit);
#endif
	router_ranges_set(n, i, room);
}

#endif

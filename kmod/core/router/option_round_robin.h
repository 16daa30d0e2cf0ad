/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ROUND_ROBIN: remember the last grant of each arbiter, for keys that go round robin.
 * @last_input: the slot that each receiver, then each injection slot, presented and that won;
 * @last_output: the slot, or the queue of its bank, that each output served; 255 before the first.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_ROUND_ROBIN
#define ROUTER_ROUND_ROBIN_MEMBERS	u8 last_input[ROUTER_DIRS + ROUTER_INJECT]; \
				u8 last_output[ROUTER_DIRS + ROUTER_STAGES - 1];
#else
#define ROUTER_ROUND_ROBIN_MEMBERS
#endif

#else

#if ROUTER_ROUND_ROBIN
/*
 * How soon @place of a circle of @places comes behind the one that won last, or behind the
 * start where none has (255): the next one is the greatest.
 */
torus_inline u32 router_turn(u32 place, u32 last, u32 places)
{
	if (last == 255)
		return places - place;
	return place > last ? places + last + 1 - place : last + 1 - place;
}
#endif

torus_inline void router_winner_input(struct router_node *n, u32 slot)
{
#if ROUTER_ROUND_ROBIN
	n->last_input[router_input_of(slot)] = (u8)slot;
#endif
}

torus_inline void router_winner_output(struct router_node *n, u32 output, u32 queue)
{
#if ROUTER_ROUND_ROBIN
	n->last_output[output] = (u8)queue;
#endif
}

torus_inline void router_winners_init(struct router_node *n)
{
#if ROUTER_ROUND_ROBIN
	memset(n->last_input, 255, sizeof(n->last_input));
	memset(n->last_output, 255, sizeof(n->last_output));
#endif
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ROUND_ROBIN: store the last winner of each arbiter, for round-robin keys.
 *
 * @last_input: by input (receivers, then injection slots): the slot that won last.
 *
 * @last_output: by output: the slot that won last; with STAGES 2, the queue of the bank. In both
 * arrays, 255: no winner yet.
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
 * Round-robin key of @place among @places, where @last won last: the place after @last has the
 * greatest key. If @last is 255, place 0 has it.
 */
torus_inline u32 router_turn(u32 place, u32 last, u32 places)
{
	/* without a branch: which place is next is hard to predict */
	last = last == 255 ? places - 1 : last;
	return last + 1 - place + (places & -(u32)(place > last));
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

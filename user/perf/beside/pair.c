// SPDX-License-Identifier: GPL-2.0
/* Who plays with whom. */
#include "beside.h"
#include "pair.h"

/**
 * pair_steps - in how many steps a measurement goes
 * @call: what was typed
 *
 * Return: steps; in each a rank has one partner, or none.
 */
unsigned int pair_steps(const struct call *call)
{
	return call->between == BETWEEN_ALL ? (call->ranks + 1) / 2 * 2 - 1 : 1;
}

/**
 * pair_partner - a rank's partner; the lower of the two sends
 * @call: what was typed
 * @step: of the measurement
 * @rank: the rank
 *
 * All pairs as in a tournament: the last rank stands still, the others go round.
 *
 * Return: the partner, ANYBODY without one.
 */
unsigned int pair_partner(const struct call *call, unsigned int step, unsigned int rank)
{
	unsigned int even = (call->ranks + 1) / 2 * 2, round = even - 1, partner;

	if (call->between == BETWEEN_NEIGHBORS) {
		partner = rank ^ 1;
	} else if (rank == even - 1) {
		/* of the two that would play against themselves this one is twice the step */
		partner = step * (even / 2) % round;
	} else {
		partner = (step + round - rank) % round;
		if (partner == rank)
			partner = even - 1;
	}
	return partner < call->ranks ? partner : ANYBODY;
}

/**
 * pair_ever - do two ranks meet?
 * @call: what was typed
 * @a: one
 * @b: the other, greater
 *
 * Return: true if so.
 */
bool pair_ever(const struct call *call, unsigned int a, unsigned int b)
{
	switch (call->between) {
	case BETWEEN_NEIGHBORS:
		return b == (a ^ 1);
	case BETWEEN_ONE:
		return !a;
	default:
		return true;
	}
}

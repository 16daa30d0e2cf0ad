// SPDX-License-Identifier: GPL-2.0
/* Select the pairs of ranks that exchange messages. */
#include "perf.h"
#include "partner.h"

/**
 * partner_steps - compute the number of steps of a measurement
 * @call: the command line, not with BETWEEN_ONE
 *
 * Return: the number of steps. In each step a rank has at most one partner.
 */
unsigned int partner_steps(const struct call *call)
{
	return call->between == BETWEEN_ALL ? (call->ranks + 1) / 2 * 2 - 1 : 1;
}

/**
 * partner_of - select a rank's partner; the lower rank of a pair sends
 * @call: the command line, not with BETWEEN_ONE
 * @step: step of the measurement
 * @rank: the rank
 *
 * With BETWEEN_ALL, all pairs of ranks meet once, as in a round-robin tournament: the last rank
 * stays in place, and the other ranks rotate. If the number of ranks is odd, one more rank, which
 * does not exist, stays in place.
 *
 * Return: the partner, or ANYBODY if the rank has no partner in this step.
 */
unsigned int partner_of(const struct call *call, unsigned int step, unsigned int rank)
{
	unsigned int even = (call->ranks + 1) / 2 * 2, round = even - 1, partner;

	if (call->between == BETWEEN_NEIGHBORS) {
		partner = rank ^ 1;
	} else if (rank == even - 1) {
		/*
		 * the rotation pairs one rank with itself: that rank is the partner of the last
		 * rank
		 */
		partner = step * (even / 2) % round;
	} else {
		partner = (step + round - rank) % round;
		if (partner == rank)
			partner = even - 1;
	}
	return partner < call->ranks ? partner : ANYBODY;
}

/**
 * partner_ever - check whether two ranks exchange messages
 * @call: the command line
 * @a: lower rank
 * @b: higher rank
 *
 * Return: true if the ranks are partners in any step.
 */
bool partner_ever(const struct call *call, unsigned int a, unsigned int b)
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

// SPDX-License-Identifier: GPL-2.0
/* Plan corner turns: see broadcast_plan.h. */
#include <string.h>
#include "broadcast_plan.h"

/**
 * struct colour - the stages of a colour
 * @order: dimensions in the order of the stages; the first one leads
 * @count: number of stages
 * @minus: the packets of this colour travel in the minus direction of each torus dimension
 * @wraps: the leading dimension is a torus
 */
struct colour {
	unsigned int order[BROADCAST_DIMS];
	unsigned int count;
	bool minus;
	bool wraps;
};

/* Dimensions along which the broadcast spreads over more than one node. */
static uint32_t box_active(const struct broadcast_box *box)
{
	uint32_t dims = 0;
	unsigned int dim;

	for (dim = 0; dim < BROADCAST_DIMS; dim++)
		if (box->along >> dim & 1 && box->dims[dim] > 1)
			dims |= 1u << dim;
	return dims;
}

static struct colour colour_of(const struct broadcast_box *box, unsigned int number)
{
	uint32_t dims = box_active(box), lead = dims & ~box->mesh;
	struct colour colour = { .minus = number & 1, .wraps = lead };
	unsigned int dim, i;

	if (!lead)
		lead = dims;
	for (i = number / 2; i; i--)
		lead &= lead - 1;
	dim = __builtin_ctz(lead);
	for (i = 0; i < BROADCAST_DIMS; i++) {
		if (dims >> dim & 1)
			colour.order[colour.count++] = dim;
		dim = dim + 1 < BROADCAST_DIMS ? dim + 1 : 0;
	}
	return colour;
}

/**
 * torus_broadcast_colours() - get the number of colours among which the packets are divided
 * @box: the broadcast
 *
 * Return: 1 to BROADCAST_COLOURS_MAX, or 0 when the root is alone.
 */
unsigned int torus_broadcast_colours(const struct broadcast_box *box)
{
	uint32_t dims = box_active(box), lead = dims & ~box->mesh;

	return lead ? 2 * __builtin_popcount(lead) : dims ? 1 : 0;
}

/**
 * torus_broadcast_inside() - check whether a node takes part in a broadcast
 * @box: the broadcast
 * @at: coordinates of the node
 *
 * Return: true if all coordinates but those of the broadcast's dimensions are the root's.
 */
bool torus_broadcast_inside(const struct broadcast_box *box, const uint32_t *at)
{
	unsigned int dim;

	for (dim = 0; dim < BROADCAST_DIMS; dim++)
		if (!(box->along >> dim & 1) && at[dim] != box->root[dim])
			return false;
	return true;
}

/* Count the hops from the root along a dimension in one direction. */
static uint32_t box_distance(const struct broadcast_box *box, const uint32_t *at, unsigned int dim,
			     bool minus)
{
	uint32_t n = box->dims[dim], ahead = (at[dim] + n - box->root[dim]) % n;

	return minus && ahead ? n - ahead : ahead;
}

static unsigned int turns_add(struct broadcast_turn *turns, unsigned int count, unsigned int dim,
			      bool minus, uint32_t hops)
{
	if (!hops)
		return count;
	turns[count].dir = 2 * dim + minus;
	turns[count].hops = hops;
	return count + 1;
}

/* Add the deposits that fill a line of dimension @dim, starting at the root's coordinate. */
static unsigned int turns_add_line(const struct broadcast_box *box, const struct colour *colour,
				   unsigned int dim, struct broadcast_turn *turns,
				   unsigned int count)
{
	uint32_t n = box->dims[dim], root = box->root[dim];

	if (!(box->mesh >> dim & 1))
		return turns_add(turns, count, dim, colour->minus, n - 1);
	count = turns_add(turns, count, dim, false, n - 1 - root);
	return turns_add(turns, count, dim, true, root);
}

/**
 * torus_broadcast_turns() - compute the deposits that a node injects for a packet
 * @box: the broadcast
 * @number: colour of the packet, less than torus_broadcast_colours()
 * @at: coordinates of a node that takes part; for the root, the first deposits are returned
 * @turns: [out] the deposits, at most BROADCAST_TURNS_MAX
 *
 * Return: number of deposits.
 */
unsigned int torus_broadcast_turns(const struct broadcast_box *box, unsigned int number,
				   const uint32_t *at, struct broadcast_turn *turns)
{
	struct colour colour = colour_of(box, number);
	unsigned int lead = colour.order[0], stage = 0, count = 0, i;
	uint32_t ahead = box_distance(box, at, lead, colour.minus);

	/*
	 * The packet arrived in the last stage in whose dimension this node's coordinate differs
	 * from the root's.
	 */
	for (i = 0; i < colour.count; i++)
		if (at[colour.order[i]] != box->root[colour.order[i]])
			stage = i + 1;
	if (colour.wraps && !ahead) {
		/* this node is the root, or received the packet over a wrap-around link */
		return stage ? 0 : turns_add_line(box, &colour, lead, turns, 0);
	}
	for (i = stage; i < colour.count; i++)
		count = turns_add_line(box, &colour, colour.order[i], turns, count);
	if (colour.wraps && ahead == box->dims[lead] - 1 && stage > 1)
		count = turns_add(turns, count, lead, colour.minus, 1);
	return count;
}

/**
 * torus_broadcast_way() - list the nodes that inject a packet on its path to a node
 * @box: the broadcast
 * @number: colour of the packet, less than torus_broadcast_colours()
 * @at: coordinates of a node that takes part
 * @way: [out] coordinates of these nodes, the root last, at most BROADCAST_WAY_MAX
 *
 * Return: number of nodes, 0 at the root.
 */
unsigned int torus_broadcast_way(const struct broadcast_box *box, unsigned int number,
				 const uint32_t *at, uint32_t way[][BROADCAST_DIMS])
{
	struct colour colour = colour_of(box, number);
	unsigned int lead = colour.order[0], count = 0, i = colour.count;
	uint32_t n = box->dims[lead], here[BROADCAST_DIMS];

	if (!memcmp(at, box->root, sizeof(here)))
		return 0;
	memcpy(here, at, sizeof(here));
	if (colour.wraps && here[lead] == box->root[lead]) {
		here[lead] = (here[lead] + (colour.minus ? 1 : n - 1)) % n;
		memcpy(way[count++], here, sizeof(here));
	}
	while (i--) {
		unsigned int dim = colour.order[i];

		if (here[dim] == box->root[dim])
			continue;
		here[dim] = box->root[dim];
		memcpy(way[count++], here, sizeof(here));
	}
	return count;
}

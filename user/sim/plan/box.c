// SPDX-License-Identifier: GPL-2.0
/*
 * The blocks of a fabric that there is not: how many nodes each part has, and how many links
 * lead from one to another.  A fabric is cut by the core's own arithmetic (core/run/divide.c).
 */
#include <string.h>

#include "box.h"

/* Blocks, and whose they are. */
struct blocks {
	const struct torus_config *config;
	struct torus_box box[TORUS_DOMAINS_MAX];
	u32 part[TORUS_DOMAINS_MAX];
	u32 rank[TORUS_DOMAINS_MAX];
	u32 count;
	u64 most;
	u32 *largest;
};

static void blocks_enter(void *to, const struct torus_box *box)
{
	struct blocks *b = to;
	const struct torus_config *config = b->config;
	u32 ranks = config->ranks ? config->ranks->count : 1;

	b->box[b->count] = *box;
	b->part[b->count] = torus_divide_domain(config, box->first);
	b->rank[b->count] = b->part[b->count] / (torus_config_parts(config) / ranks);
	b->count++;
	if (box->nodes <= b->most)
		return;
	b->most = box->nodes;
	memcpy(b->largest, box->dims, sizeof(box->dims));
}

/* Coordinates that two ranges have in common. */
static u64 shared(u32 a, u32 a_length, u32 b, u32 b_length)
{
	u32 first = a > b ? a : b;
	u32 end = a + a_length < b + b_length ? a + a_length : b + b_length;

	return end > first ? end - first : 0;
}

/* Links from coordinate @at in plus direction into the range from @first on. */
static bool leads(const struct torus_geometry *geo, u32 dim, u32 at, u32 first, u32 length)
{
	u32 next = at + 1;

	if (geo->dims[dim] == 1 || (next == geo->dims[dim] && geo->mesh >> dim & 1))
		return false;
	next %= geo->dims[dim];
	return next >= first && next < first + length;
}

/**
 * plan_boxes_between - links that lead from one box in plus direction into another one
 * @geo: the shape
 * @from: the box that they leave
 * @to: the one that they lead to
 *
 * Return: how many.
 */
u64 plan_boxes_between(const struct torus_geometry *geo, const struct torus_box *from,
		       const struct torus_box *to)
{
	u64 sum = 0;
	u32 dim, other, at;

	for (dim = 0; dim < geo->ndims; dim++) {
		u64 across = 0, area = 1;

		for (at = 0; at < from->dims[dim]; at++)
			across += leads(geo, dim, from->at[dim] + at, to->at[dim], to->dims[dim]);
		for (other = 0; other < geo->ndims; other++)
			if (other != dim)
				area *= shared(from->at[other], from->dims[other],
					       to->at[other], to->dims[other]);
		sum += across * area;
	}
	return sum;
}

/* What leads from each block to others, by rank. */
static void boxes_links(struct plan_boxes *boxes, const struct blocks *b)
{
	u64 ways[TORUS_DOMAINS_MAX][TORUS_DOMAINS_MAX] = { { 0 } };
	u32 i, j;

	for (i = 0; i < b->count; i++)
		for (j = 0; j < b->count; j++) {
			u64 n = plan_boxes_between(&b->config->geo, &b->box[i], &b->box[j]);

			boxes->links += n;
			boxes->part_links += b->part[i] != b->part[j] ? n : 0;
			ways[b->rank[i]][b->rank[j]] += n;
		}
	for (i = 0; i < TORUS_DOMAINS_MAX; i++) {
		u64 own = 0;
		u32 neighbors = 0;

		for (j = 0; j < TORUS_DOMAINS_MAX; j++) {
			u64 pair = i == j ? 0 : ways[i][j] + ways[j][i];

			own += pair;
			neighbors += pair != 0;
			boxes->pair_links = pair > boxes->pair_links ? pair : boxes->pair_links;
		}
		boxes->rank_links += own;
		boxes->own_links = own > boxes->own_links ? own : boxes->own_links;
		boxes->neighbors = neighbors > boxes->neighbors ? neighbors : boxes->neighbors;
	}
	/* each of them has been seen from both ends */
	boxes->rank_links /= 2;
}

/**
 * plan_boxes_cut - cut a fabric that there is not
 * @boxes: gets how
 * @config: what it would be made from; of its ranks only their number matters
 */
void plan_boxes_cut(struct plan_boxes *boxes, const struct torus_config *config)
{
	struct blocks blocks = { .config = config, .largest = boxes->block };
	u64 part[TORUS_DOMAINS_MAX] = { 0 }, rank[TORUS_DOMAINS_MAX] = { 0 };
	u32 i;

	*boxes = (struct plan_boxes){ .links = 0 };
	torus_divide_boxes(config, blocks_enter, &blocks);
	for (i = 0; i < blocks.count; i++) {
		part[blocks.part[i]] += blocks.box[i].nodes;
		rank[blocks.rank[i]] += blocks.box[i].nodes;
	}
	for (i = 0; i < TORUS_DOMAINS_MAX; i++) {
		boxes->part_nodes = part[i] > boxes->part_nodes ? part[i] : boxes->part_nodes;
		boxes->rank_nodes = rank[i] > boxes->rank_nodes ? rank[i] : boxes->rank_nodes;
	}
	boxes_links(boxes, &blocks);
}

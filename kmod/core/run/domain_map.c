// SPDX-License-Identifier: GPL-2.0
/*
 * Assign nodes to domains: blocks of the torus, as equal and as compact as the shape
 * allows, because packets that leave a domain are mailed.  64 slabs of 32x32x32 mail 35 % of
 * the hops, 64 blocks of 8x8x8 12.5 %.
 *
 * A box is cut in two, each half again, until every piece is one domain's.  The cut
 * that leaves the domains most equal is taken; of those the one through the fewest
 * links; of those the one nearest the middle, for halves can be cut well again; of
 * those the one across the last dimension, so that a block's rows of consecutive nodes
 * stay long.
 *
 * Where there are more blocks than threads, they are dealt out in turns, and a thread's
 * are one domain (state/config.h).  Other processes' domains get no nodes (state/procs.h).
 */
#include "core/run/domain_map.h"

_Static_assert(TORUS_DOMAINS_MAX <= 64, "a domain's senders are a mask of 64 bits");

/* Pieces that wait at once: see torus_domain_map_boxes(). */
#define STACK	8
_Static_assert(TORUS_DOMAINS_MAX <= 1 << (STACK - 2), "the stack of pieces is too small");

/* Across dimension @dim, @length nodes and @domains domains on the lower side. */
struct cut {
	u32 dim;
	u32 length;
	u32 domains;
	u64 most;	/* nodes a domain of the fuller side, units of 2^-16 */
	u32 links;
	u32 larger;	/* nodes of the larger side */
};

static u32 map_least(u32 a, u32 b)
{
	return a < b ? a : b;
}

/* The lower side's domains: a share by nodes, so that neither side has more than nodes. */
static u32 map_share(const struct torus_box *box, u32 lower)
{
	u64 half = ((u64)box->domains * lower * 2 + box->nodes) / ((u64)box->nodes * 2);
	u32 upper = box->nodes - lower, share = (u32)half;
	u32 least = box->domains > upper ? box->domains - upper : 1;
	u32 most = map_least(lower, box->domains - 1);

	if (share < least)
		share = least;
	return share > most ? most : share;
}

static struct cut map_cut(const struct torus_box *box, u32 dim, u32 length)
{
	u32 area = box->nodes / box->dims[dim], lower = area * length;
	struct cut cut = { .dim = dim, .length = length, .links = area };
	u64 low, high;

	cut.domains = map_share(box, lower);
	low = ((u64)lower << 16) / cut.domains;
	high = ((u64)(box->nodes - lower) << 16) / (box->domains - cut.domains);
	cut.most = low > high ? low : high;
	cut.larger = lower > box->nodes - lower ? lower : box->nodes - lower;
	return cut;
}

static bool map_better(const struct cut *a, const struct cut *b)
{
	if (a->most != b->most)
		return a->most < b->most;
	if (a->links != b->links)
		return a->links < b->links;
	if (a->larger != b->larger)
		return a->larger < b->larger;
	return a->dim > b->dim;
}

/* A cut in the last dimension between two processes may cross this many times the links. */
#define APART	4

static struct cut map_best(const struct torus_config *cfg, const struct torus_box *box)
{
	const struct torus_geometry *g = &cfg->geo;
	struct cut best = { .most = ~0ull }, cut;
	u32 dim, length, last = g->ndims - 1;
	bool procs = cfg->procs && (box->domains - 1) * cfg->procs->count >= cfg->domains;

	while (last && box->dims[last] == 1)
		last--;
	for (dim = 0; dim < g->ndims; dim++)
		for (length = 1; length < box->dims[dim]; length++) {
			cut = map_cut(box, dim, length);
			/* a process's nodes are contiguous: it touches no pages of others */
			if (procs && dim == last)
				cut.links = (cut.links + APART - 1) / APART;
			if (map_better(&cut, &best))
				best = cut;
		}
	return best;
}

/**
 * torus_domain_map_block() - the domain of a block
 * @cfg: what the fabric is made from
 * @block: the block
 *
 * Blocks are dealt to the threads in turns; with several processes, each has as many that
 * follow on each other, and deals those to its own.
 *
 * Return: its number.
 */
u32 torus_domain_map_block(const struct torus_config *cfg, u32 block)
{
	u32 blocks = cfg->domains, procs = cfg->procs ? cfg->procs->count : 1;
	u32 threads = torus_config_parts(cfg) / procs;
	/* the last process whose first block is not after this one */
	u32 proc = ((block + 1) * procs - 1) / blocks;

	return proc * threads + (block - proc * blocks / procs) % threads;
}

/* Enter a block. */
static void map_enter(void *to, const struct torus_box *box)
{
	struct torus_fabric *f = to;
	const struct torus_geometry *g = &f->cfg.geo;
	u32 i, dim, rest, node;
	u8 domain = (u8)torus_domain_map_block(&f->cfg, box->first);

	for (i = 0; i < box->nodes; i++) {
		node = 0;
		rest = i;
		for (dim = 0; dim < g->ndims; dim++) {
			node += (box->at[dim] + rest % box->dims[dim]) * g->stride[dim];
			rest /= box->dims[dim];
		}
		f->where[node] = domain;
	}
}

/**
 * torus_domain_map_boxes() - the blocks of a fabric, without it
 * @cfg: what it is made from
 * @enter: called with each block
 * @to: for @enter
 *
 * Boxes are cut until each is one domain's; the pieces that wait are on a stack.  The one
 * with fewer domains is next: it has half of them at most, and so has each piece of it
 * of the rest, so that no more wait than the logarithm of the number of domains.
 */
void torus_domain_map_boxes(const struct torus_config *cfg,
			    void (*enter)(void *to, const struct torus_box *block), void *to)
{
	const struct torus_geometry *g = &cfg->geo;
	struct torus_box stack[STACK];
	u32 n = 0, dim;

	stack[0] = (struct torus_box){ .nodes = g->nodes, .domains = cfg->domains };
	for (dim = 0; dim < g->ndims; dim++)
		stack[0].dims[dim] = g->dims[dim];
	for (n = 1; n;) {
		struct torus_box lower = stack[--n], upper;
		struct cut cut;

		if (lower.domains == 1) {
			enter(to, &lower);
			continue;
		}
		cut = map_best(cfg, &lower);
		upper = lower;
		lower.dims[cut.dim] = cut.length;
		upper.dims[cut.dim] -= cut.length;
		upper.at[cut.dim] += cut.length;
		lower.nodes = lower.nodes / (cut.length + upper.dims[cut.dim]) * cut.length;
		upper.nodes -= lower.nodes;
		lower.domains = cut.domains;
		upper.domains -= cut.domains;
		upper.first += cut.domains;
		stack[n++] = upper.domains > lower.domains ? upper : lower;
		stack[n++] = upper.domains > lower.domains ? lower : upper;
	}
}

/* Links between domains: who may have mail for whom. */
static void map_senders(struct torus_fabric *f)
{
	u32 node, dir, peer;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
			if (peer == TORUS_NONE || f->where[peer] == f->where[node])
				continue;
			/* packets one way, tokens and acknowledgements the other */
			f->domain[f->where[peer]].senders |= 1ull << f->where[node];
			f->domain[f->where[node]].senders |= 1ull << f->where[peer];
		}
}

/**
 * torus_domain_map() - give every node to a domain
 * @f: the fabric, with its domains allocated
 *
 * Return: 0 or -ENOMEM.
 */
int torus_domain_map(struct torus_fabric *f)
{
	u32 node, i;

	if (f->ndomains == 1) {
		f->domain[0].count = f->nodes;
		return 0;
	}
	f->where = torus_alloc(f->nodes);
	f->local = torus_alloc((size_t)f->nodes * sizeof(*f->local));
	if (!f->where || !f->local)
		return -ENOMEM;
	torus_domain_map_boxes(&f->cfg, map_enter, f);
	for (node = 0; node < f->nodes; node++)
		if (torus_node_here(f, node))
			f->local[node] = f->domain[f->where[node]].count++;
	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		d->where = f->where;
		d->list = torus_alloc((size_t)d->count * sizeof(*d->list));
		if (!d->list)
			return -ENOMEM;
	}
	for (node = 0; node < f->nodes; node++)
		if (torus_node_here(f, node))
			f->domain[f->where[node]].list[f->local[node]] = node;
	map_senders(f);
	return 0;
}

/**
 * torus_domain_map_free() - give back what torus_domain_map() allocated
 * @f: the fabric
 */
void torus_domain_map_free(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++)
		torus_free(f->domain[i].list, (size_t)f->domain[i].count * sizeof(u32));
	torus_free(f->where, f->nodes);
	torus_free(f->local, (size_t)f->nodes * sizeof(*f->local));
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Assign nodes to domains. Domains are blocks of the torus, as equal and as compact as the shape
 * allows, because each packet that leaves its domain costs a mail. Example: a torus of 32x32x32,
 * cut into 64 slabs, mails 35 % of the hops; cut into 64 blocks of 8x8x8, it mails 12.5 %.
 *
 * A box is cut in two, and each part again, until each piece is one domain. Cuts are compared by
 * these criteria, in this order:
 * - the sizes of the domains are most equal;
 * - the cut crosses the fewest links;
 * - the cut is nearest the middle, because equal halves can be cut well again;
 * - the cut is across the last dimension, which keeps rows of consecutive nodes long.
 *
 * If there are more blocks than threads, blocks are assigned to threads in turn. All blocks of a
 * thread form one domain (state/config.h). Domains of other processes get no nodes
 * (state/procs.h).
 */
#include "core/run/domain_map.h"

_Static_assert(TORUS_DOMAINS_MAX <= 64, "a domain's senders are a mask of 64 bits");

/* Capacity of the stack of boxes that are still to be cut; see torus_domain_map_boxes(). */
#define STACK	8
_Static_assert(TORUS_DOMAINS_MAX <= 1 << (STACK - 2), "the stack of pieces is too small");

/*
 * A cut of a box across dimension @dim. The lower side has @length coordinates and @domains
 * domains.
 */
struct cut {
	u32 dim;
	u32 length;
	u32 domains;
	u64 most;	/* nodes per domain, of the side with more, in units of 2^-16 */
	u32 links;
	u32 larger;	/* nodes of the larger side */
};

static u32 map_least(u32 a, u32 b)
{
	return a < b ? a : b;
}

/*
 * Return the number of domains on the lower side of a cut, in proportion to its nodes. The number
 * is limited so that each domain on either side has at least one node.
 */
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

/*
 * A cut between processes across the last dimension may cross this many times the links of another
 * cut; see map_best().
 */
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
			/*
			 * Prefer contiguous nodes for a process, so that the process touches no
			 * memory pages of other processes' nodes.
			 */
			if (procs && dim == last)
				cut.links = (cut.links + APART - 1) / APART;
			if (map_better(&cut, &best))
				best = cut;
		}
	return best;
}

/**
 * torus_domain_map_block() - return the domain that simulates a block
 * @cfg: configuration of the fabric
 * @block: number of the block
 *
 * Blocks are assigned to threads in turn. With several processes, each process first gets a range
 * of consecutive blocks and assigns these to its own threads.
 *
 * Return: the number of the domain.
 */
u32 torus_domain_map_block(const struct torus_config *cfg, u32 block)
{
	u32 blocks = cfg->domains, procs = cfg->procs ? cfg->procs->count : 1;
	u32 threads = torus_config_parts(cfg) / procs;
	/* the process whose range of blocks contains @block */
	u32 proc = ((block + 1) * procs - 1) / blocks;

	return proc * threads + (block - proc * blocks / procs) % threads;
}

/* Record the domain of each node of the block @box. */
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
 * torus_domain_map_boxes() - cut a shape into blocks, without creating a fabric
 * @cfg: configuration of the fabric
 * @enter: called with each block
 * @to: argument of @enter
 *
 * The stack holds the boxes that are still to be cut. The part with fewer domains is cut first: it
 * has at most half of the domains. The stack therefore holds at most about log2(domains) boxes.
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

/*
 * Set @senders of each domain: the mask of the domains that may send mail to it, because a link
 * connects them.
 */
static void map_senders(struct torus_fabric *f)
{
	u32 node, dir, peer;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
			if (peer == TORUS_NONE || f->where[peer] == f->where[node])
				continue;
			/* packets go one way, tokens and acknowledgements the other */
			f->domain[f->where[peer]].senders |= 1ull << f->where[node];
			f->domain[f->where[node]].senders |= 1ull << f->where[peer];
		}
}

/**
 * torus_domain_map() - assign each node to a domain
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
 * torus_domain_map_free() - free the arrays of torus_domain_map()
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

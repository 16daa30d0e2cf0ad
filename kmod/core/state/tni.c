// SPDX-License-Identifier: GPL-2.0
/* Counters of the nodes' TNIs. */
#include "core/state/tni.h"

size_t torus_tnis_node_bytes(const struct torus_router_ops *router)
{
	return router->ports * sizeof(struct torus_tni_counters);
}

static size_t tnis_bytes(const struct torus_fabric *f)
{
	return f->nodes * torus_tnis_node_bytes(f->router);
}

/**
 * torus_tnis_init() - allocate the counters, if the router has TNIs
 * @f: the fabric, with its domains
 *
 * Return: 0 or -ENOMEM.
 */
int torus_tnis_init(struct torus_fabric *f)
{
	u32 i;

	if (!f->router->ports)
		return 0;
	f->tnis = torus_alloc(tnis_bytes(f));
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].tnis = f->tnis;
	return f->tnis ? 0 : -ENOMEM;
}

/* Clear all counters (fabric locked). */
void torus_tnis_clear(struct torus_fabric *f)
{
	if (f->tnis)
		memset(f->tnis, 0, tnis_bytes(f));
}

/* Free the counters of a fabric. */
void torus_tnis_free(struct torus_fabric *f)
{
	torus_free(f->tnis, tnis_bytes(f));
	f->tnis = NULL;
}

/**
 * torus_tni_counters() - get the counters of a TNI
 * @f: the fabric, locked
 * @node: index of the node; TORUS_NONE: sum over all nodes
 * @tni: index of the TNI, below @f->router->ports
 * @out: [out] the counters
 */
void torus_tni_counters(struct torus_fabric *f, u32 node, u32 tni,
			struct torus_tni_counters *out)
{
	u32 first = node == TORUS_NONE ? 0 : node, end = node == TORUS_NONE ? f->nodes : node + 1;

	memset(out, 0, sizeof(*out));
	for (; first < end; first++) {
		const struct torus_tni_counters *c = torus_tni(f->domain, first, tni);

		out->packets_sent += c->packets_sent;
		out->bytes_sent += c->bytes_sent;
		out->packets_received += c->packets_received;
		out->bytes_received += c->bytes_received;
		out->commands += c->commands;
		out->notices += c->notices;
		out->waits += c->waits;
		out->errors += c->errors;
		out->refused += c->refused;
	}
	if (node == TORUS_NONE)
		torus_procs_sum(f, (u64 *)out, sizeof(*out) / sizeof(u64));
}

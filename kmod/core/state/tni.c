// SPDX-License-Identifier: GPL-2.0
/* Counters of the nodes' network interfaces. */
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
 * torus_tnis_init() - give the nodes counters, if their router has TNIs
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

/* All counters to zero (held). */
void torus_tnis_clear(struct torus_fabric *f)
{
	if (f->tnis)
		memset(f->tnis, 0, tnis_bytes(f));
}

/* Give the counters of a fabric back. */
void torus_tnis_free(struct torus_fabric *f)
{
	torus_free(f->tnis, tnis_bytes(f));
	f->tnis = NULL;
}

/**
 * torus_tni_counters() - what a TNI has counted
 * @f: the fabric, held
 * @node: the node; TORUS_NONE: the sum over all nodes
 * @tni: the TNI, below @f->router->ports
 * @out: where to put it
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

/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks that the machine of stages_options.c needs in addition to those of plain.c. */
#include "stages_hooks.h"
static router_mask_t machine_ways(const machine_params_t *m, const struct router_node *n, u8 way)
{ return way; }
torus_inline void machine_prefetch_route(const machine_params_t *m, const struct router_node *n,
	const struct torus_packet *p) { torus_prefetch(m); }
static bool machine_admit(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 *drop)
{ return true; }
static void machine_take(struct torus_domain *d, u32 node, u32 pkt) { torus_packet_free(d, pkt); }
static void machine_refill(struct torus_domain *d, u32 node) { d->touched[0] = node; }

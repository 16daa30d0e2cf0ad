// SPDX-License-Identifier: GPL-2.0
/*
 * The smallest machine that fulfils the contract of a router file. scripts/contract.py removes one
 * constant or hook at a time, and expects the compiler to report an error.
 */
#define ROUTER_DIRS	2
#define ROUTER_VCS	1
#define ROUTER_INJECT	1
#define ROUTER_CHUNKS	32
#define machine_params_t struct plain_params
#define machine_node_t	u8
#define machine_pass_t	struct plain_pass
#define machine_run	plain_run
#include "params.h"
#include "core/router/machine.h"
static struct router_way machine_route(struct torus_domain *d, const struct router_node *n,
	u32 node, u32 slot, struct torus_packet *p)
{ return p->dst == node ? ROUTER_HERE : ROUTER_WAY(n->exists & 1, false); }
static u32 machine_choose(const machine_params_t *m, const struct router_node *n,
	router_mask_t mask, u32 random) { return torus_ctz(mask); }
static struct plain_pass machine_pass(const machine_params_t *m, struct router_node *n)
{ return (struct plain_pass){ router_random(n) }; }
static u32 machine_key_input(struct torus_domain *d, const struct plain_pass *pass,
	const struct router_node *n, u32 slot, u32 choice, u32 random) { return random; }
#if ROUTER_STAGES == 1
static u32 machine_key_output(struct torus_domain *d, const struct plain_pass *pass,
	const struct router_node *n, u32 slot, u32 dir, u32 key) { return key; }
#endif
static void machine_depart(struct torus_domain *d, const struct router_node *n,
	struct torus_packet *p, u32 dir) { }
static u32 machine_tokens(const machine_params_t *m, const struct torus_packet *p, u32 vc)
{ return p->chunks; }
static u32 machine_room(const machine_params_t *m, u32 vc, u32 tokens) { return tokens >= 8; }
static u32 machine_capacity(const machine_params_t *m, u32 vc) { return 32; }
static u32 machine_far(const machine_params_t *m, const struct router_node *n, u32 dir)
{ return 0; }
static u32 machine_wire_ticks(const machine_params_t *m, const struct torus_packet *p)
{ return 32 * p->chunks; }
static u32 machine_receive_ticks(const machine_params_t *m, const struct torus_packet *p)
{ return 32 * p->chunks; }
static u32 machine_payload(const machine_params_t *m, const struct torus_packet *p) { return 0; }
static u32 machine_deliver(const struct torus_packet *p, u32 slot) { return 0; }
static u32 machine_inject_slot(u32 queue) { return 0; }
torus_inline void machine_prefetch(const machine_params_t *m, u32 node) { }
#ifdef CONTRACT_HOOKS
#include CONTRACT_HOOKS
#endif
#include "core/router/loop.h"
#include "core/router/ops.h"
void plain_node_init(struct torus_fabric *f, u32 node)
{ router_init(torus_domain_of(f, node), node, f->cfg.seed); }
static const char *const plain_vcs[] = { "V0" };
const struct torus_router_ops plain_ops = ROUTER_OPS(plain_vcs);

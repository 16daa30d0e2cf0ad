/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks that the machine of options.c needs in addition to those of plain.c. */
static router_mask_t machine_ways(const machine_params_t *m, const struct router_node *n, u8 way)
{ return way; }
static u32 machine_buses(const machine_params_t *m) { return 1; }
static router_slots_t machine_priority_slots(void) { return 2; }
static bool machine_priority(const struct torus_packet *p) { return p->group; }
static bool machine_deposit(const struct torus_packet *p) { return p->group; }
static bool machine_bypass_open(const machine_params_t *m, const struct router_node *n,
	u32 node, u32 slot, u32 held) { return true; }
static u32 machine_buffer_ticks(const machine_params_t *m) { return 8; }
static bool machine_gap(const machine_params_t *m) { return true; }
static u32 machine_control_ticks(const machine_params_t *m) { return 8; }
static bool machine_unblocking(const machine_params_t *m) { return true; }
static void *machine_cold(const machine_params_t *m) { return m->cold; }
torus_inline void machine_prefetch_route(const machine_params_t *m, const struct router_node *n,
	const struct torus_packet *p) { torus_prefetch(m); }
static bool machine_strict_injection(const machine_params_t *m) { return true; }
static bool machine_admit(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 *drop)
{ return true; }
static void machine_take(struct torus_domain *d, u32 node, u32 pkt) { torus_packet_free(d, pkt); }
static void machine_refill(struct torus_domain *d, u32 node) { d->touched[0] = node; }

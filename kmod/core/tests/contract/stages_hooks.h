/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks that the machine of stages.c needs in addition to those of plain.c. */
static u32 machine_stage_queue(u32 output, u32 input, u32 vc) { return input; }
static u32 machine_stage_vc(u32 output, u32 queue) { return 0; }
static u32 machine_stage_capacity(const machine_params_t *m, u32 output, u32 queue) { return 16; }
static u32 machine_stage_ticks(const machine_params_t *m, const struct torus_packet *p)
{ return 16 * p->chunks; }
static u32 machine_stage_latency(const machine_params_t *m) { return 4; }
static u32 machine_key_stage(struct torus_domain *d, const struct plain_pass *pass,
	const struct router_node *n, u32 output, u32 queue, const struct torus_packet *p)
{ return (u32)d->now - (u32)p->born; }

// SPDX-License-Identifier: GPL-2.0
/* Handle members that leave a chain of barrier gates: see left.h. */
#include "arch/tofu/barrier.h"
#include "arch/tofu/channel.h"
#include "arch/tofu/left.h"
#include "arch/tofu/tofu.h"
#include "core/state/fabric.h"

/**
 * struct left - a member that has left, and a work list of gates
 *
 * @f: the fabric, locked
 * @node: index of the member's node
 * @most: number of operations that still end normally
 * @when: moment when the member left
 * @head: VBG ID of the first gate whose destinations must be visited, linked by struct
 *     tofu_gate.link
 */
struct left {
	struct torus_fabric *f;
	u32 node;
	u64 most;
	u64 when;
	u64 head;
};

static u32 node_of(const struct torus_fabric *f, u64 vbg)
{
	u32 at[TORUS_DIMS_MAX] = { 0 };

	return tofu_vbg_coords(vbg, at) ? torus_geometry_node(&f->cfg.geo, at) : TORUS_NONE;
}

/*
 * Return the gate with ID @vbg; NULL if the gate is not allocated. @gates: [out] the gates of its
 * TNI.
 */
static struct tofu_gate *gate_at(const struct torus_fabric *f, u64 vbg, struct tofu_gates **gates)
{
	u32 node = node_of(f, vbg), number = tofu_vbg_gate(vbg);

	*gates = node == TORUS_NONE ? NULL : tofu_barrier_find(f, node, tofu_vbg_tni(vbg));
	if (!*gates || number >= TOFU_GATES || !((*gates)->used >> number & 1))
		return NULL;
	return &(*gates)->gate[number];
}

static bool gate_waits_for(const struct tofu_gate *gate, u32 side, u64 source)
{
	return gate->awaited >> side & 1 && gate->source[side] == source;
}

static void left_reach(struct left *left, struct tofu_gates *gates, u64 vbg)
{
	struct tofu_gate *gate = &gates->gate[tofu_vbg_gate(vbg)];

	if (!tofu_gates_leave(gates, tofu_vbg_gate(vbg), left->node, left->most,
			      left->when))
		return;
	gate->link = left->head;
	left->head = vbg;
}

/* Record the member's departure at gate @dest, if that gate names gate @source as its source. */
static void left_follow(struct left *left, u64 source, u64 dest, u32 side)
{
	struct tofu_gates *gates;
	struct tofu_gate *gate = gate_at(left->f, dest, &gates);

	if (gate && gate_waits_for(gate, side, source))
		left_reach(left, gates, dest);
}

/* Record at a gate, and at all gates that depend on it, that a member left. */
static void left_spread(struct left *left, u64 vbg)
{
	struct tofu_gates *gates;
	struct tofu_gate *gate;

	gate_at(left->f, vbg, &gates);
	left->head = TOFU_VBG_NULL;
	left_reach(left, gates, vbg);
	while (left->head != TOFU_VBG_NULL) {
		vbg = left->head;
		gate = gate_at(left->f, vbg, &gates);
		left->head = gate->link;
		left_follow(left, vbg, gate->dest[TOFU_LOCAL], TOFU_LOCAL);
		left_follow(left, vbg, gate->dest[TOFU_REMOTE], TOFU_REMOTE);
	}
}

/*
 * Record the member's departure at each gate of a TNI that waits for @source. This search is for a
 * gate that was never set, and therefore has no destinations to follow.
 */
static void left_notify_waiting(struct left *left, struct tofu_gates *gates, u64 source)
{
	u32 i;

	for (i = 0; i < TOFU_GATES; i++) {
		if (gate_waits_for(&gates->gate[i], TOFU_REMOTE, source))
			left_spread(left, gates->self | i);
	}
}

/*
 * Report to a chain that one of its gates is about to be freed.
 *
 * @f: the fabric, locked, with barrier channels
 * @vbg: VBG ID of an allocated gate
 */
void tofu_left_give(struct torus_fabric *f, u64 vbg)
{
	const struct tofu_machine *m = f->machine;
	struct left left = { .f = f, .node = node_of(f, vbg) };
	struct tofu_gates *gates;
	struct tofu_gate *gate = gate_at(f, vbg, &gates);
	u32 node, tni;

	if (!gate)
		return;
	left.when = tofu_barrier_moment(f);
	left.most = gate->over;
	if (gate->awaited) {
		left_spread(&left, vbg);
		return;
	}
	for (node = 0; node < f->nodes; node++) {
		for (tni = 0; tni < m->tnis; tni++) {
			gates = tofu_barrier_find(f, node, tni);
			if (gates)
				left_notify_waiting(&left, gates, vbg);
		}
	}
}

/*
 * Check the remote source of a gate. Record a departure at the gate if the source is not allocated,
 * sends to another gate, or has recorded a departure.
 */
static void left_check_source(struct torus_fabric *f, u64 vbg, const struct tofu_gate *gate)
{
	u64 from = gate->source[TOFU_REMOTE];
	struct left left = { .f = f, .node = node_of(f, from) };
	const struct tofu_gate *source;
	struct tofu_gates *gates;

	if (!(gate->awaited >> TOFU_REMOTE & 1))
		return;
	source = gate_at(f, from, &gates);
	/* a source that is allocated but not set has not left: its member still exists */
	if (!source || (source->awaited && source->dest[TOFU_REMOTE] != vbg)) {
		left.most = gate->over;
		left.when = tofu_barrier_moment(f);
	} else if (source->left) {
		left.node = source->left - 1;
		left.most = source->most;
		left.when = source->when;
	} else {
		return;
	}
	left_spread(&left, vbg);
}

/*
 * Find members that left before the gates were set. Called before an operation starts.
 *
 * @f: the fabric, locked, with barrier channels
 * @vbg: VBG ID of the gate that starts the chain
 *
 * It checks the sources of the member's own gates. All members have set their gates by now. A
 * source that is not allocated, or that sends to another gate, has therefore left this chain.
 */
void tofu_left_check(struct torus_fabric *f, u64 vbg)
{
	struct tofu_gates *gates;
	struct tofu_gate *gate = gate_at(f, vbg, &gates);
	u64 at = vbg;
	u32 i;

	for (i = 0; gate && i < TOFU_GATES; i++) {
		left_check_source(f, at, gate);
		at = gate->dest[TOFU_LOCAL];
		if (!gate->awaited || at == vbg)
			return;
		gate = gate_at(f, at, &gates);
	}
}

// SPDX-License-Identifier: GPL-2.0
/* Tofu's implementation of struct torus_gate_ops (core/nic/gate.h): barrier gates for programs. */
#include "arch/tofu/barrier.h"
#include "arch/tofu/channel.h"
#include "arch/tofu/left.h"
#include "arch/tofu/gate_ops.h"
#include "arch/tofu/tofu.h"
#include "core/base/node_number.h"

#define SAME(own, abi)	_Static_assert((own) == (u64)(abi), #own)

SAME(TOFU_GATES, TORUS_GATES);
SAME(TOFU_ENDS, TORUS_GATE_ENDS);
SAME(TOFU_WORDS_MAX, TORUS_GATE_WORDS);
SAME(TOFU_VBG_NULL, TORUS_GATE_NONE);
SAME(TOFU_GATE_PATH_DEFAULT, TORUS_GATE_PATH_DEFAULT);
SAME(TOFU_GATE_QUEUED, TORUS_GATE_QUEUED);
SAME(TOFU_GATE_BUSY, TORUS_GATE_BUSY);
SAME(TOFU_GATE_BAD_ID, TORUS_GATE_BAD_ID);
SAME(TOFU_GATE_BAD_COUNT, TORUS_GATE_BAD_COUNT);
SAME(TOFU_GATE_UNSET, TORUS_GATE_UNSET);
SAME(TOFU_GATE_LEFT, TORUS_GATE_LEFT);
SAME(TOFU_OP_BARRIER, TORUS_GATE_BARRIER);
SAME(TOFU_OP_BFPSUM, TORUS_GATE_BFPSUM);

static u32 gate_ops_engines(const struct torus_fabric *f)
{
	return ((const struct tofu_machine *)f->machine)->tnis;
}

static void gate_ops_place(const struct torus_fabric *f, u64 id, struct torus_gate_place *place)
{
	u32 at[TORUS_DIMS_MAX] = { 0 };

	place->node = TORUS_NONE;
	place->engine = tofu_vbg_tni(id);
	place->gate = tofu_vbg_gate(id);
	if (tofu_vbg_coords(id, at) && place->engine < gate_ops_engines(f) &&
	    place->gate < TOFU_GATES)
		place->node = torus_geometry_node(&f->cfg.geo, at);
}

static u64 gate_ops_id(const struct torus_fabric *f, u32 node, u32 engine, u32 gate)
{
	u32 at[TORUS_DIMS_MAX];

	torus_geometry_coords(&f->cfg.geo, node, at);
	return tofu_vbg(at, engine, gate);
}

/* Return the gates of the engine of gate @id. At least one gate of the engine must be allocated. */
static struct tofu_gates *gates_of(struct torus_fabric *f, u64 id)
{
	struct torus_gate_place place;
	struct torus_error err;

	gate_ops_place(f, id, &place);
	return tofu_barrier_gates(f, place.node, place.engine, &err);
}

static void gate_ops_free(struct torus_fabric *f, u64 id)
{
	struct torus_gate_place place;

	gate_ops_place(f, id, &place);
	tofu_left_give(f, id);
	tofu_barrier_give(f, place.node, id);
}

static void *gate_ops_end(const struct torus_fabric *f, u64 id)
{
	struct torus_gate_place place;

	gate_ops_place(f, id, &place);
	return tofu_barrier_end(f, place.node, id);
}

static bool gate_known(const struct torus_fabric *f, u64 id)
{
	struct torus_gate_place place;

	gate_ops_place(f, id, &place);
	return id == TOFU_VBG_NULL || place.node != TORUS_NONE;
}

static struct tofu_gate_setting setting_of(const struct torus_gate_setting *setting)
{
	return (struct tofu_gate_setting) {
		.gate = setting->gate,
		.local_source = setting->local_source,
		.remote_source = setting->remote_source,
		.local_dest = setting->local_dest,
		.remote_dest = setting->remote_dest,
		.path = (u8)setting->path,
	};
}

static u32 gate_ops_judge(struct torus_fabric *f, const struct torus_gate_setting *setting)
{
	struct tofu_gate_setting own = setting_of(setting);

	if (!gate_known(f, setting->remote_source) || !gate_known(f, setting->remote_dest))
		return TOFU_GATE_BAD_ID;
	if (setting->path != own.path)
		return TOFU_GATE_BAD_PATH;
	return tofu_gates_judge(gates_of(f, setting->gate), &own);
}

static u32 gate_ops_set(struct torus_fabric *f, const struct torus_gate_setting *setting)
{
	struct tofu_gate_setting own = setting_of(setting);

	return tofu_gates_set(gates_of(f, setting->gate), &own);
}

static u32 gate_ops_start(struct torus_fabric *f, const struct torus_ioc_gate *what)
{
	tofu_left_check(f, what->gate);
	return tofu_gates_start(gates_of(f, what->gate), what->gate, what->op, what->value,
				what->count);
}

static u32 gate_ops_poll(struct torus_fabric *f, struct torus_ioc_gate *what)
{
	struct tofu_gates *gates = gates_of(f, what->gate);
	struct tofu_reduction result;
	u32 answer = tofu_gates_poll(gates, what->gate, &result);

	if (answer == TOFU_GATE_LEFT)
		what->node = torus_node_number(&f->cfg.geo, tofu_gates_left(gates, what->gate));
	if (answer)
		return answer;
	what->op = result.op;
	what->count = result.count;
	tofu_reduce_values(&result, what->value);
	return TOFU_GATE_FINE;
}

const struct torus_gate_ops tofu_program_gate_ops = {
	.engines = gate_ops_engines,
	.open = tofu_barrier_open,
	.engine_bytes = tofu_barrier_engine_bytes,
	.alloc = tofu_barrier_alloc,
	.free = gate_ops_free,
	.end = gate_ops_end,
	.trim = tofu_barrier_trim,
	.place = gate_ops_place,
	.id = gate_ops_id,
	.judge = gate_ops_judge,
	.set = gate_ops_set,
	.start = gate_ops_start,
	.poll = gate_ops_poll,
};

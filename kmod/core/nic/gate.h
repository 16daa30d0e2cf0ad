/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Operations on the barrier gates of a machine's engines, for callers that lock the fabric: the
 * contexts of /dev/torus. Results are enum torus_gate_answer of <linux/torus.h>.
 */
#ifndef TORUS_CORE_GATE_H
#define TORUS_CORE_GATE_H

#include "core/platform.h"
#include "core/error.h"

struct torus_fabric;

#define TORUS_ENGINES_MAX	8u	/* per node */

/**
 * struct torus_gate_place - position of a gate
 * @node: index of its node; TORUS_NONE: the gate does not exist
 * @engine: index of its engine
 * @gate: index of the gate in its engine
 */
struct torus_gate_place {
	u32 node;
	u32 engine;
	u32 gate;
};

/**
 * struct torus_gate_memory - memory that a program supplies for gates
 * @memory: zeroed memory of @engine_bytes from torus_alloc(); set to NULL if the gates use it
 * @end: pointer that torus_gate_ops.end returns for the first of the gates
 */
struct torus_gate_memory {
	void *memory;
	void *end;
};

/**
 * Callback of the machine: the gate at the end of a chain has a result.
 * @owner: argument of @open
 * @node: index of the node
 * @id: id of the chain's end gate
 *
 * Called in the thread of the node's domain, or by a task that has locked the fabric; must not call
 * gate operations.
 */
typedef void torus_gate_done(void *owner, u32 node, u64 id);

/**
 * struct torus_gate_ops - operations of a machine with barrier gates; the fabric is locked
 * @engines: get the number of engines per node, at most TORUS_ENGINES_MAX
 * @open: prepare the gates for use; later results are reported to @done. Return: 0, -EBUSY if they
 *   were prepared before, -ENOMEM
 * @engine_bytes: get the memory for an engine's gates and for their waiting packets
 * @alloc: allocate @count gates of an engine, as TORUS_IOC_GATES_ALLOC specifies, in memory of the
 *   caller. Return: enum torus_gate_answer
 * @free: free a gate, and notify the other members of its chain that this member has left
 * @end: get the pointer that was supplied with an end gate
 * @trim: free the memory of engines without gates. Return: number of engines without gates that
 *   keep their memory because packets of their gates wait to be sent
 * @place: find the position of the gate with an id
 * @id: get the id of a gate
 * @judge: validate a setting as @set does, without changing the gate
 * @set: configure one gate, as TORUS_IOC_GATES_SET specifies
 * @start: start a chain, as TORUS_IOC_GATE_START specifies
 * @poll: poll a result, as TORUS_IOC_GATE_POLL specifies; set @what->node for TORUS_GATE_LEFT
 *
 * Nodes and engines are in range. Except for @alloc, their gates have been allocated before.
 */
struct torus_gate_ops {
	u32 (*engines)(const struct torus_fabric *f);
	int (*open)(struct torus_fabric *f, torus_gate_done *done, void *owner,
		    struct torus_error *err);
	size_t (*engine_bytes)(void);
	u32 (*alloc)(struct torus_fabric *f, u32 node, u32 engine, u32 count,
		     struct torus_gate_memory *supply, u64 *ids);
	void (*free)(struct torus_fabric *f, u64 id);
	void *(*end)(const struct torus_fabric *f, u64 id);
	u32 (*trim)(struct torus_fabric *f);
	void (*place)(const struct torus_fabric *f, u64 id, struct torus_gate_place *place);
	u64 (*id)(const struct torus_fabric *f, u32 node, u32 engine, u32 gate);
	u32 (*judge)(struct torus_fabric *f, const struct torus_gate_setting *setting);
	u32 (*set)(struct torus_fabric *f, const struct torus_gate_setting *setting);
	u32 (*start)(struct torus_fabric *f, const struct torus_ioc_gate *what);
	u32 (*poll)(struct torus_fabric *f, struct torus_ioc_gate *what);
};

#endif /* TORUS_CORE_GATE_H */

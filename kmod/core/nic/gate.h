/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barrier gates of a machine's engines, for those who hold a fabric: the contexts of
 * /dev/torus.  Answers are enum torus_gate_answer of <linux/torus.h>.
 */
#ifndef TORUS_CORE_GATE_H
#define TORUS_CORE_GATE_H

#include "core/env.h"
#include "core/error.h"

struct torus_fabric;

#define TORUS_ENGINES_MAX	8u	/* of a node */

/**
 * struct torus_gate_place - where a gate is
 * @node: index of its node, TORUS_NONE: there is no such gate
 * @engine: its engine
 * @gate: its number there
 */
struct torus_gate_place {
	u32 node;
	u32 engine;
	u32 gate;
};

/**
 * struct torus_gate_room - what a program brings for the gates that it allocates
 * @memory: zeroed memory of @engine_bytes by torus_alloc(); NULL on return if it was used
 * @end: given back by @end for the first of the gates
 */
struct torus_gate_room {
	void *memory;
	void *end;
};

/**
 * typedef torus_gate_done - a chain's end has a result to be polled
 * @owner: as @open was told
 * @node: index of the node
 * @id: id of the end gate
 *
 * Called in the thread of the node's domain; must not call the gates in turn.
 */
typedef void torus_gate_done(void *owner, u32 node, u64 id);

/**
 * struct torus_gate_ops - what a machine with barrier gates does, the fabric held
 * @engines: engines of a node, at most TORUS_ENGINES_MAX
 * @open: gates are made ready for use; @done is told of results.  Return: 0, -EBUSY if that
 *        was done before, -ENOMEM
 * @engine_bytes: memory of an engine's gates, and of the packets that these may have waiting
 * @alloc: @count gates of an engine, as TORUS_IOC_GATES_ALLOC says, in memory that the caller
 *         brings.  Return: an answer
 * @free: give a gate back and report to the other members of its chain that its own has left
 * @end: the pointer that came with an end gate
 * @trim: free the memory of engines without gates.  Return: number of engines without gates
 *        that keep their memory, since packets of their gates wait to leave
 * @place: where the gate with an id is
 * @id: of a gate
 * @judge: what @set would answer, and nothing is set
 * @set: as TORUS_IOC_GATES_SET says of one gate
 * @start: as TORUS_IOC_GATE_START says
 * @poll: as TORUS_IOC_GATE_POLL says; @what->node is filled in with TORUS_GATE_LEFT
 *
 * A node and engine are in range; but for @alloc their gates have been allocated before.
 */
struct torus_gate_ops {
	u32 (*engines)(const struct torus_fabric *f);
	int (*open)(struct torus_fabric *f, torus_gate_done *done, void *owner,
		    struct torus_error *err);
	size_t (*engine_bytes)(void);
	u32 (*alloc)(struct torus_fabric *f, u32 node, u32 engine, u32 count,
		     struct torus_gate_room *room, u64 *ids);
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

// SPDX-License-Identifier: GPL-2.0
/*
 * Remove nodes, let them fail, or revive them. core/link/dead_node.c isolates a node; a node that
 * fails also loses the packets in it.
 */
#include "core/link/dead_node.h"
#include "core/link/fault.h"
#include "core/link/link.h"
#include "core/nic/inject_queue.h"
#include "core/run/node_state.h"

/* Drop the packets in a node's buffers and injection FIFOs. Packets in its reception FIFOs stay. */
static void node_empty(struct torus_fabric *f, u32 node)
{
	u32 slots = f->dirs * f->vcs + f->router->inject_slots, slot;

	for (slot = 0; slot < slots; slot++)
		f->router->flush(f, node, slot, TORUS_DROP_NODE_FAILED);
	torus_queues_flush(f, node, TORUS_DROP_NODE_FAILED);
}

static int node_fail(struct torus_fabric *f, u32 node, struct torus_error *err)
{
	u32 dir;
	int ret = torus_node_kill(f, node, true, err);

	if (ret)
		return ret;
	for (dir = 0; dir < f->dirs; dir++) {
		u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);

		if (peer == TORUS_NONE)
			continue;
		torus_link_discard(f, node, dir, TORUS_DROP_NODE_FAILED);
		torus_link_discard(f, peer, TORUS_REVERSE(dir), TORUS_DROP_NODE_FAILED);
	}
	node_empty(f, node);
	f->dead[node] = TORUS_NODE_FAILED;
	return 0;
}

/**
 * torus_node_state() - return the state of a node
 * @f: the fabric
 * @node: index of the node
 *
 * Return: the state; alive by default.
 */
enum torus_node_state torus_node_state(const struct torus_fabric *f, u32 node)
{
	if (torus_node_failed(f, node))
		return TORUS_NODE_FAILED;
	return torus_node_dead(f, node) ? TORUS_NODE_DEAD : TORUS_NODE_ALIVE;
}

/**
 * torus_node_set() - set the state of a node
 * @f: the fabric; no run may be in progress
 * @node: index of the node
 * @state: TORUS_NODE_DEAD, TORUS_NODE_ALIVE or TORUS_NODE_FAILED. A failed node ignores DEAD
 * @err: [out] error message
 *
 * A failed node loses the packets in it, except those in its reception FIFOs, and the packets whose
 * transfer over one of its links is not complete. Until the node is alive again, packets that
 * arrive or are injected there are lost, and packets elsewhere that need its links wait.
 *
 * Return: 0, -EINVAL for an unknown node or state, or an error of torus_node_kill().
 */
int torus_node_set(struct torus_fabric *f, u32 node, enum torus_node_state state,
		   struct torus_error *err)
{
	if (state == TORUS_NODE_FAILED)
		return node_fail(f, node, err);
	if (state != TORUS_NODE_DEAD && state != TORUS_NODE_ALIVE)
		return torus_fail(err, EINVAL,
				  "node state %u: must be 0 (dead), 1 (alive) or 2 (failed)",
				  (u32)state);
	if (state == TORUS_NODE_DEAD && node < f->nodes && torus_node_failed(f, node))
		return 0;
	return torus_node_kill(f, node, state == TORUS_NODE_DEAD, err);
}

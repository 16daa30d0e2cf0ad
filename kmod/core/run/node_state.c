// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes that are removed, fail, or come back.  core/link/dead_node.c cuts a node off; one that
 * fails takes with it what it holds.
 */
#include "core/link/dead_node.h"
#include "core/link/fault.h"
#include "core/link/link.h"
#include "core/nic/inject_queue.h"
#include "core/run/node_state.h"

/* What waits in the node's buffers and FIFOs is lost; what its readers have got is theirs. */
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
 * torus_node_state() - how a node is
 * @f: the fabric
 * @node: number of the node
 *
 * Return: what was set last, alive at first.
 */
enum torus_node_state torus_node_state(const struct torus_fabric *f, u32 node)
{
	if (torus_node_failed(f, node))
		return TORUS_NODE_FAILED;
	return torus_node_dead(f, node) ? TORUS_NODE_DEAD : TORUS_NODE_ALIVE;
}

/**
 * torus_node_set() - a node dies, lives again, or fails
 * @f: the fabric, held
 * @node: number of the node
 * @state: which of these
 * @err: why not
 *
 * One that fails loses what waits in it, what its links and those to it have not brought over,
 * and what is put into it or still comes until it lives again.  What elsewhere needs these links
 * waits for that.
 *
 * Return: 0, -EINVAL (no such node, no such state), else as torus_node_kill().
 */
int torus_node_set(struct torus_fabric *f, u32 node, enum torus_node_state state,
		   struct torus_error *err)
{
	if (state == TORUS_NODE_FAILED)
		return node_fail(f, node, err);
	if (state != TORUS_NODE_DEAD && state != TORUS_NODE_ALIVE)
		return torus_fail(err, EINVAL, "node state %u: 0 is dead, 1 alive, 2 failed",
				  (u32)state);
	if (state == TORUS_NODE_DEAD && node < f->nodes && torus_node_failed(f, node))
		return 0;
	return torus_node_kill(f, node, state == TORUS_NODE_DEAD, err);
}

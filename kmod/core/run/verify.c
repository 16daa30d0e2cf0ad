// SPDX-License-Identifier: GPL-2.0
/*
 * Check a node that has been read from a file. A correct CRC does not guarantee that the values
 * are consistent.
 *
 * Single values are checked where they are read, and the census at the end checks that packets and
 * tokens add up. This file checks, after all nodes have been read, each node's events against the
 * events that its state requires. The time is linear in the size of the file.
 */
#include "core/link/verify.h"
#include "core/workload/verify.h"
#include "core/nic/inject_queue.h"
#include "core/run/verify.h"

/**
 * torus_node_verify() - check a node against its events, and put the events into its wheel
 * @snap: the snapshot that is read
 * @f: the fabric, whose nodes have been read
 * @node: the node
 * @events: the node's events, read by torus_snapshot_node_events()
 */
void torus_node_verify(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
		       struct torus_snapshot_events *events)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct torus_moving moving = { 0 };

	if (!torus_snapshot_ok(snap))
		return;
	f->router->verify(snap, d, node, events, &moving);
	if (torus_snapshot_ok(snap) && d->links)
		torus_links_verify(snap, d, node, events, &moving);
	if (torus_snapshot_ok(snap) && d->queues)
		torus_queues_verify(snap, d, node, events, &moving);
	if (torus_snapshot_ok(snap))
		torus_sources_verify(snap, d, node, events);
	if (torus_snapshot_ok(snap) && d->processors)
		torus_processor_verify(snap, d, node, events, &moving);
	if (torus_snapshot_ok(snap))
		torus_snapshot_events_schedule(f, events);
}

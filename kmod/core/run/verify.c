// SPDX-License-Identifier: GPL-2.0
/*
 * A node that has been read from a file, checked as a whole: right CRCs do not say that its values
 * fit together.
 *
 * What a value alone must be is checked where it is read, and that packets and tokens add up by
 * the census at the end.  Here, once all nodes have been read, the events of each are checked
 * against what the node says that it waits for.  Time is linear in what the file holds.
 */
#include "core/link/verify.h"
#include "core/workload/verify.h"
#include "core/nic/inject_queue.h"
#include "core/run/verify.h"

/**
 * torus_node_verify() - check a node against its events, and put these into its wheel
 * @snap: the snapshot, which reads
 * @f: the fabric, whose nodes have been read
 * @node: the node
 * @events: its events, as torus_snapshot_node_events() has read them
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

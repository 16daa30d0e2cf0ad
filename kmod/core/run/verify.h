/* SPDX-License-Identifier: GPL-2.0 */
/* Consistency check of a node that has been read from a file. */
#ifndef TORUS_CORE_RUN_VERIFY_H
#define TORUS_CORE_RUN_VERIFY_H

struct torus_snapshot;
struct torus_fabric;
struct torus_snapshot_events;

void torus_node_verify(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
		       struct torus_snapshot_events *events);

#endif /* TORUS_CORE_RUN_VERIFY_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* Sources: the origin of a node's synthetic packets. */
#ifndef TORUS_CORE_WORKLOAD_SOURCE_H
#define TORUS_CORE_WORKLOAD_SOURCE_H

#include "core/workload/workload.h"

/* Fill the injection FIFOs of a node, while the node is arbitrated. */
void torus_source_refill(struct torus_domain *d, u32 node);

void torus_source_refill_some(struct torus_domain *d, u32 node, u64 *most);

u32 torus_source_pending(struct torus_domain *d, u32 node, u32 *stream, u32 *chunks);
void torus_source_inject(struct torus_domain *d, u32 node, u32 stream, u32 fifo);
void torus_source_owe(struct torus_domain *d, u32 node, u32 stream);
void torus_source_wake(struct torus_domain *d, u32 node, struct torus_source *s);
void torus_source_streams(const struct torus_fabric *f, struct torus_workload *w);
void torus_source_init(struct torus_fabric *f, u32 node);

#endif

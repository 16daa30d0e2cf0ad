/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that draw packets of a source a second time. */
#ifndef TORUS_CORE_WORKLOAD_SOURCE_REPEAT_H
#define TORUS_CORE_WORKLOAD_SOURCE_REPEAT_H

#include "core/workload/workload.h"

bool torus_source_repeats(const struct torus_workload *w);
u64 torus_source_sent(const struct torus_domain *d, u32 node);
bool torus_source_repeat(struct torus_domain *d, u32 node, u64 number, struct torus_packet *p);

bool torus_source_pass(struct torus_fabric *f, struct torus_source *s, u32 node, u32 stream);
u64 torus_source_chunks(struct torus_fabric *f, u32 node, u32 stream, u64 end);

#endif

// SPDX-License-Identifier: GPL-2.0
/* Packets at given ticks: connect the streams of a workload to the supplier of their packets. */
#include "core/workload/source.h"
#include "core/workload/source_draw.h"
#include "core/workload/timed.h"

void torus_traffic_timed(struct torus_fabric *f, struct torus_timed *timed)
{
	f->timed = timed;
}

u32 torus_timed_streams(const struct torus_fabric *f)
{
	return f->workload->streams;
}

u32 torus_timed_stream(struct torus_fabric *f, u32 node, const struct torus_timed_packet *packet)
{
	const struct torus_workload *w = f->workload;
	u32 own = 0;

	if (w->by_direction)
		own = source_direction(f, node, packet->dst);
	else if (w->streams > 1)
		own = (u32)(packet->number % w->streams);
	return node * w->streams + own;
}

void torus_timed_added(struct torus_fabric *f, u32 node, u32 stream)
{
	struct torus_source *s = &f->workload->sources[stream];

	if (s->number < s->limit)
		return;
	source_take_timed(f, s);
	torus_source_wake(torus_domain_of(f, node), node, s);
}

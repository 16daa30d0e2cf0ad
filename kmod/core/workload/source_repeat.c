// SPDX-License-Identifier: GPL-2.0
/*
 * Draw packets of a source a second time. A router may count packets without storing them, and
 * waiting packets are not stored either.
 */
#include "core/workload/source_draw.h"
#include "core/workload/source_repeat.h"

/**
 * torus_source_repeats() - check whether torus_source_repeat() can draw a source's packets again
 * @w: a workload, or NULL
 *
 * Return: true in closed loop with one stream per node, without replies, fills and given ticks:
 * there each packet follows from its number.
 */
bool torus_source_repeats(const struct torus_workload *w)
{
	return w && !w->clocked && !w->replies && w->streams == 1 &&
	       !torus_fill_is(w->traffic.pattern);
}

/**
 * torus_source_sent() - return 1 + number of the last packet that a source sent
 * @d: the domain of a fabric for which torus_source_repeats() is true
 * @node: the node
 *
 * Return: the number, at most the source's limit.
 */
u64 torus_source_sent(const struct torus_domain *d, u32 node)
{
	const struct torus_source *s = &d->sources[node];

	return s->number < s->limit ? s->number : s->limit;
}

/**
 * torus_source_repeat() - draw a packet again that a source has sent
 * @d: the domain of a fabric for which torus_source_repeats() is true
 * @node: the source's node
 * @number: the packet's number at its source
 * @p: [out] the packet as it entered the network, without the tick at which it entered
 *
 * Return: false if the source sends no packet of this number, because its destination is the source
 * itself.
 */
bool torus_source_repeat(struct torus_domain *d, u32 node, u64 number, struct torus_packet *p)
{
	struct torus_source s = { .key = d->sources[node].key, .number = number };

	source_draw_packet(d->f, &s, node);
	if (s.dst == node)
		return false;
	source_fill_packet(d->f->workload, &s, node, 0, p);
	d->f->arch->make(d->f, p, s.chunks);
	d->f->arch->inject_route(d->f, node, p);
	return true;
}

/**
 * torus_source_pass() - advance a copy of a stream by one packet, without sending it
 * @f: the fabric
 * @s: [in, out] the copy
 * @node: the node
 * @stream: number of the stream
 *
 * Return: true if streams are directions and the packet belongs to this stream.
 */
bool torus_source_pass(struct torus_fabric *f, struct torus_source *s, u32 node, u32 stream)
{
	bool own = false;

	if (f->workload->by_direction) {
		if (s->dst == TORUS_NONE)
			source_draw_packet(f, s, node);
		own = source_is_own(f, s, node, stream);
	}
	source_step(f, s, node);
	return own;
}

/**
 * torus_source_chunks() - add up the sizes of packets that wait at a stream
 * @f: the fabric
 * @node: the node
 * @stream: number of the stream
 * @end: 1 + number of the last packet to count
 *
 * Return: chunks; if streams are directions, only of this stream's packets.
 */
u64 torus_source_chunks(struct torus_fabric *f, u32 node, u32 stream, u64 end)
{
	const struct torus_workload *w = f->workload;
	struct torus_source s = w->sources[(size_t)node * w->streams + stream];
	u64 sum = 0;

	for (; s.number < end; s.number += w->by_direction ? 1 : w->streams) {
		if (w->by_direction)
			source_draw_packet(f, &s, node);
		else
			source_draw_chunks(w, &s);
		if (source_is_own(f, &s, node, stream))
			sum += s.chunks;
	}
	return sum;
}

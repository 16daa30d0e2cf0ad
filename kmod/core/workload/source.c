// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: the origin of a node's synthetic packets.
 *
 * A source has no queue. It stores only the generation time of its next packet, from which the
 * waiting packets follow. An overloaded source therefore needs no more memory than an idle source.
 *
 * With finite injection FIFOs, a node has one stream of packets. Each packet goes to the next FIFO
 * in turn that has space. With infinite injection FIFOs, as in the papers' simulator, packet k
 * goes to FIFO k modulo their number when it is generated. There is then one stream per FIFO, and
 * its packets enter the modelled FIFO when that has space. A fill has one stream per colour, in
 * the same way.
 *
 * With source_order=direction, a stream has the packets of one FIFO, selected by direction, like
 * software that has a queue per direction. A packet waits for its own FIFO, even if others have
 * space. Each stream draws all of the node's packets and skips those of other streams.
 */
#include "core/workload/broadcast_fill.h"
#include "core/workload/pattern.h"
#include "core/workload/processor.h"
#include "core/workload/request_reply.h"
#include "core/workload/source.h"
#include "core/workload/source_draw.h"
#include "core/nic/inject_queue.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"

static bool source_priority_fifo(const struct torus_arch *arch, u32 fifo)
{
	return arch->inject_priority && arch->inject_priority >> (fifo % arch->inject_fifos) & 1;
}

/* Return the @n-th normal (not priority) injection FIFO of a node. */
static u32 source_normal_fifo(const struct torus_arch *arch, u32 n)
{
	u32 fifo;

	if (!arch->inject_priority)
		return n;
	for (fifo = 0; ; fifo++)
		if (!source_priority_fifo(arch, fifo) && !n--)
			return fifo;
}

/*
 * Return an injection FIFO with space, starting at the FIFO of packet @number; TORUS_NONE if all
 * are full.
 */
torus_inline u32 source_choose_fifo(struct torus_domain *d, u32 node, u64 number, u32 chunks)
{
	const struct torus_workload *w = d->f->workload;
	const struct torus_arch *arch = d->f->arch;
	u32 fifos = arch->groups * arch->inject_fifos, lane, i;
	u32 at = fifos > 1 ? (u32)number % fifos : 0;

	if (w->fifos < w->all_fifos) {
		for (i = 0; i < w->fifos; i++) {
			at = source_normal_fifo(arch, (u32)((number + i) % w->fifos));
			if (torus_fifo_room(d->f, node, at) >= chunks)
				return at;
		}
		return TORUS_NONE;
	}
	/* try all FIFOs in turn, except priority FIFOs */
	lane = at % arch->inject_fifos;
	for (i = 0; i < fifos; i++) {
		if (!(arch->inject_priority >> lane & 1) &&
		    torus_fifo_room(d->f, node, at) >= chunks)
			return at;
		at = at + 1 == fifos ? 0 : at + 1;
		lane = lane + 1 == arch->inject_fifos ? 0 : lane + 1;
	}
	return TORUS_NONE;
}

/* Route a packet that has source and destination, and put it into an injection FIFO. */
torus_inline void source_enter(struct torus_domain *d, u32 node, u32 fifo, u32 pkt,
			       struct torus_packet *p)
{
	d->f->arch->inject_route(d->f, node, p);
	torus_stats_inject(d, p);
	torus_inject_put(d, node, fifo, pkt);
}

/*
 * Return a FIFO with space for the first reply that waits at a node, TORUS_NONE if there is none.
 */
static u32 source_reply_fifo(struct torus_domain *d, u32 node)
{
	const struct torus_workload *w = d->f->workload;
	const struct torus_reply *r = &w->replies[node];
	u32 fifo;

	if (r->head == TORUS_NONE || torus_unlikely(d->f->injection_held))
		return TORUS_NONE;
	if (!w->by_direction)
		return source_choose_fifo(d, node, r->sent, w->reply_chunks);
	fifo = source_normal_fifo(d->f->arch, source_direction(d->f, node,
							       torus_packet_at(d, r->head)->dst));
	return torus_fifo_room(d->f, node, fifo) < w->reply_chunks ? TORUS_NONE : fifo;
}

static void source_inject_reply(struct torus_domain *d, u32 node, u32 fifo)
{
	u32 pkt = torus_reply_next(d, node);
	struct torus_packet *p = torus_packet_at(d, pkt);

	p->next = TORUS_NONE;
	p->entered = d->now;
	p->hops = 0;
	p->flags = 0;
	p->group = 0;
	d->f->arch->make(d->f, p, d->f->workload->reply_chunks);
	source_enter(d, node, fifo, pkt, p);
}

static void source_refill_replies(struct torus_domain *d, u32 node)
{
	u32 fifo;

	while ((fifo = source_reply_fifo(d, node)) != TORUS_NONE)
		source_inject_reply(d, node, fifo);
}

static void source_inject(struct torus_domain *d, const struct torus_source *s, u32 node,
			  u32 fifo, u64 born)
{
	const struct torus_workload *w = d->f->workload;
	u32 pkt = torus_pool_get(&d->pool);
	struct torus_packet *p;

	if (pkt == TORUS_NONE) {
		d->failed = true;
		return;
	}
	p = torus_packet_at(d, pkt);
	source_fill_packet(w, s, node, born, p);
	p->entered = d->now;
	if (torus_unlikely(torus_pool_is_wide(&d->pool, pkt)))
		memset((u8 *)p + offsetof(struct torus_packet, generation), 0,
		       sizeof(*p) - offsetof(struct torus_packet, generation));
	if (torus_unlikely(torus_fill_is(w->traffic.pattern))) {
		u32 dir, hops;

		hops = torus_fill_turn(&d->f->cfg.geo, &w->traffic, node,
				       (u32)s->number % w->streams, &dir);
		d->f->arch->deposit(d->f, p, s->chunks, dir, hops);
	} else {
		d->f->arch->make(d->f, p, s->chunks);
	}
	source_enter(d, node, fifo, pkt, p);
}

static void source_wake_at(struct torus_domain *d, struct torus_source *s, u32 node, u64 at)
{
	if (s->wake)
		return;
	/* if @at is beyond the wheel's range, wake earlier and schedule another event then */
	at = at - d->now < TORUS_WHEEL_FAR ? at : d->now + TORUS_WHEEL_FAR;
	s->wake = at;
	torus_wheel_push(&d->wheel, at, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node,
	});
}

/*
 * Return the tick before which a stream's next packet may not be sent. In closed loop with pacing,
 * a node offers no more than the network accepts: the papers' "appropriate injection flow-control
 * software algorithms".
 */
static u64 source_due(const struct torus_fabric *f, const struct torus_source *s, u32 node)
{
	const struct torus_workload *w = f->workload;
	u64 tick;

	if (w->clocked)
		return (s->next + 0xffff) >> 16;
	if (!w->pace)
		return 0;
	tick = torus_mul_shift(s->number, w->pace, 16);
	return w->traffic.pattern == TORUS_PATTERN_TABLE ?
	       tick / torus_pairs_count(f->pairs, node) : tick;
}

/*
 * Count a packet of a stream. If streams are directions, a separate count is needed, because a
 * stream skips the packets of other directions.
 */
static void source_count(struct torus_domain *d, u32 node, u32 stream, u32 chunks)
{
	const struct torus_workload *w = d->f->workload;

	if (torus_unlikely(d->latencies))
		d->latencies->left += chunks;
	if (torus_unlikely(w->own))
		w->own[(size_t)node * w->streams + stream]++;
}

/* Return the FIFO that the stream's next packet can enter now, TORUS_NONE if there is none. */
torus_inline u32 source_pending(struct torus_domain *d, struct torus_source *s, u32 node,
				u32 stream)
{
	struct torus_fabric *f = d->f;
	const struct torus_workload *w = f->workload;

	if (s->wake && s->wake <= d->now)
		s->wake = 0;
	if (torus_unlikely(f->injection_held) || torus_reply_full(w, node))
		return TORUS_NONE;
	while (s->number < s->limit) {
		u64 at = source_due(f, s, node);
		u32 fifo;

		if (at > d->now) {
			source_wake_at(d, s, node, at);
			return TORUS_NONE;
		}
		if (s->dst == TORUS_NONE)
			source_draw_packet(f, s, node);
		if (!source_is_own(f, s, node, stream)) {
			source_step(f, s, node);
			continue;
		}
		if (s->dst == node) {
			source_count(d, node, stream, s->chunks);
			source_step(f, s, node);
			continue;
		}
		if (w->streams == 1)
			return source_choose_fifo(d, node, s->number, s->chunks);
		fifo = source_normal_fifo(f->arch, stream);
		return torus_fifo_room(f, node, fifo) < s->chunks ? TORUS_NONE : fifo;
	}
	return TORUS_NONE;
}

/*
 * Send a stream's packet. Draw the following packet first, so that its tick's event list is
 * prefetched while this packet is sent.
 */
static void source_send(struct torus_domain *d, struct torus_source *s, u32 node, u32 stream,
			u32 fifo)
{
	const struct torus_workload *w = d->f->workload;
	const struct torus_source own = *s;
	u64 born = 0;

	if (w->clocked)
		born = (s->next + 0xffff) >> 16;
	if (torus_unlikely(w->replies)) {
		born = w->clocked ? born : d->now;
		w->replies[node].asked++;
	}
	source_step(d->f, s, node);
	if (w->clocked)
		torus_prefetch(*torus_wheel_list(&d->wheel, TORUS_LANE_ANY,
						 source_due(d->f, s, node)));
	source_inject(d, &own, node, fifo, born);
	source_count(d, node, stream, own.chunks);
}

static struct torus_source *source_streams(struct torus_domain *d, u32 node)
{
	return &d->sources[(size_t)node * d->f->workload->streams];
}

/**
 * torus_source_pending() - find a packet of a node that can enter an injection FIFO
 * @d: the domain
 * @node: the node
 * @stream: [out] its stream; the number of streams for a reply. Replies come first
 * @chunks: [out] its size
 *
 * Return: the FIFO, TORUS_NONE if there is no such packet.
 */
u32 torus_source_pending(struct torus_domain *d, u32 node, u32 *stream, u32 *chunks)
{
	u32 fifo, i, found = TORUS_NONE;
	struct torus_source *s;

	if (!d->sources)
		return TORUS_NONE;
	if (torus_unlikely(d->f->workload->replies)) {
		fifo = source_reply_fifo(d, node);
		*stream = d->f->workload->streams;
		*chunks = d->f->workload->reply_chunks;
		if (fifo != TORUS_NONE)
			return fifo;
	}
	s = source_streams(d, node);
	for (i = 0; i < d->f->workload->streams; i++) {
		fifo = source_pending(d, &s[i], node, i);
		if (fifo == TORUS_NONE)
			continue;
		/* if several directions have a packet, select the oldest packet */
		if (found != TORUS_NONE && s[i].number > s[*stream].number)
			continue;
		found = fifo;
		*stream = i;
		*chunks = s[i].chunks;
		if (!d->f->workload->by_direction)
			break;
	}
	return found;
}

/**
 * torus_source_inject() - inject the packet that torus_source_pending() found
 * @d: the domain
 * @node: the node
 * @stream: stream of the packet
 * @fifo: the FIFO
 */
void torus_source_inject(struct torus_domain *d, u32 node, u32 stream, u32 fifo)
{
	if (stream == d->f->workload->streams)
		source_inject_reply(d, node, fifo);
	else
		source_send(d, &source_streams(d, node)[stream], node, stream, fifo);
}

/* Fill a node's injection FIFOs. @most: packets that may still be sent, or NULL for no limit. */
torus_inline void source_refill(struct torus_domain *d, u32 node, u64 *most)
{
	const struct torus_workload *w;
	struct torus_source *s;
	u32 i, fifo;

	if (d->processors) {
		torus_processor_run(d, node);
		return;
	}
	w = d->f->workload;
	if (torus_unlikely(w->replies))
		source_refill_replies(d, node);
	s = source_streams(d, node);
	for (i = 0; i < w->streams; i++, s++) {
		/* skip a stream that sleeps until its next packet is due */
		if (s->wake > d->now && w->clocked)
			continue;
		/*
		 * stop if the domain runs out of memory, because unbounded queues never become full
		 */
		while ((!most || *most) && (fifo = source_pending(d, s, node, i)) != TORUS_NONE &&
		       !torus_domain_starved(d)) {
			source_send(d, s, node, i, fifo);
			if (most)
				--*most;
		}
	}
}

/**
 * torus_source_refill() - fill a node's injection FIFOs, when it is arbitrated
 * @d: the domain
 * @node: the node
 */
void torus_source_refill(struct torus_domain *d, u32 node)
{
	source_refill(d, node, NULL);
}

/**
 * torus_source_refill_some() - fill a node's injection FIFOs, with a limit
 * @d: the domain
 * @node: the node
 * @most: [in, out] packets that the source may send, reduced by those sent
 */
void torus_source_refill_some(struct torus_domain *d, u32 node, u64 *most)
{
	source_refill(d, node, most);
}

/**
 * torus_source_streams() - set the number of FIFOs and streams of a node
 * @f: the fabric
 * @w: [out] its workload; fields of FIFOs and streams are set
 *
 * Streams: one per FIFO with infinite injection FIFOs or by direction, one per colour of a fill,
 * else one.
 */
void torus_source_streams(const struct torus_fabric *f, struct torus_workload *w)
{
	const u64 *params = f->cfg.params;

	w->all_fifos = torus_arch_fifos(f->arch);
	w->fifos = (u32)params[TORUS_P_SOURCE_FIFOS] ?: f->arch->source_fifos ?: w->all_fifos;
	w->by_direction = params[TORUS_P_SOURCE_ORDER] == TORUS_SOURCE_DIRECTION &&
			  !torus_fill_is(w->traffic.pattern);
	if (torus_fill_is(w->traffic.pattern))
		w->streams = torus_fill_colours(w->traffic.pattern);
	else if (!f->injection_infinite && !w->by_direction)
		w->streams = 1;
	else
		w->streams = w->fifos;
}

/**
 * torus_source_init() - set a node's streams to their first packets
 * @f: the fabric
 * @node: the node
 */
void torus_source_init(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const struct torus_workload *w = f->workload;
	struct torus_source *s = &d->sources[(size_t)node * w->streams];
	u64 key = torus_random_seed(f->cfg.seed, 2, node), number;
	u32 i;

	if (d->away)
		return;
	for (i = 0; i < w->streams; i++) {
		s[i].key = key;
		s[i].dst = TORUS_NONE;
		s[i].number = w->by_direction ? 0 : i;
		s[i].limit = 0;
		if (f->timed)
			continue;
		if (torus_fill_is(w->traffic.pattern))
			s[i].limit = torus_fill_limit(f, &w->traffic, node, i);
		else if (!torus_workload_open(w))
			s[i].limit = torus_pattern_packets(f, &w->traffic, node);
		else if (torus_pattern_sends(f, &w->traffic, node))
			s[i].limit = ~0ull;
		for (number = 0;
		     torus_workload_open(w) && s[i].limit && number <= s[i].number; number++)
			s[i].next += source_draw_gap(f, &s[i], node, number);
	}
	f->router->refill(f, node);
}

/**
 * torus_source_owe() - raise the limit of a stream by one packet to forward
 * @d: the domain
 * @node: the node
 * @stream: the stream
 *
 * The node's software sends it in the next tick at the earliest.
 */
void torus_source_owe(struct torus_domain *d, u32 node, u32 stream)
{
	struct torus_source *s = &source_streams(d, node)[stream];

	s->limit += d->f->workload->streams;
	if (s->wake && s->wake <= d->now)
		s->wake = 0;
	source_wake_at(d, s, node, d->now + 1);
}

/**
 * torus_source_wake() - wake a stream that had no packet, when its new packet is due
 * @d: the domain
 * @node: the node
 * @s: the stream
 *
 * No run may be in progress.
 */
void torus_source_wake(struct torus_domain *d, u32 node, struct torus_source *s)
{
	if (s->wake && s->wake <= d->now)
		s->wake = 0;
	source_wake_at(d, s, node, source_due(d->f, s, node));
}

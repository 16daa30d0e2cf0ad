// SPDX-License-Identifier: GPL-2.0
/* Requests and replies; see request_reply.h for the rules. */
#include "core/workload/request_reply.h"
#include "core/workload/permutation.h"
#include "core/state/packets.h"

/*
 * Check that the pattern lets each pair of nodes exchange equally many packets in both directions
 * (neighbor, stencil: except at the edges of a mesh).
 */
static bool reply_even(const struct torus_fabric *f, const struct torus_traffic *t)
{
	u32 node;

	switch (t->pattern) {
	case TORUS_PATTERN_UNIFORM:
	case TORUS_PATTERN_ALLTOALL:
	case TORUS_PATTERN_ALLTOALL_LINE:
	case TORUS_PATTERN_ALLTOALL_PLANE:
	case TORUS_PATTERN_NEIGHBOR:
	case TORUS_PATTERN_STENCIL:
		return true;
	}
	if (!torus_permutation_is(t->pattern))
		return false;
	for (node = 0; node < f->nodes; node++)
		if (torus_permutation(f, t->pattern,
				      torus_permutation(f, t->pattern, node)) != node)
			return false;
	return true;
}

/**
 * torus_reply_check() - check that replies fit the workload
 * @f: the fabric
 * @t: the workload, its pattern checked
 * @err: [out] error message
 *
 * The peak must account for replies. Requests and replies of a pair use opposite links, so the peak
 * is known only if all pairs exchange equally many packets, or for hotspot, neighbor and stencil.
 *
 * Return: 0 or -EINVAL.
 */
int torus_reply_check(struct torus_fabric *f, const struct torus_traffic *t,
		      struct torus_error *err)
{
	u32 chunk = f->arch->chunk_bytes, most = f->arch->packet_chunks_max * chunk;

	if (t->outstanding && !t->reply)
		return torus_fail(err, EINVAL,
				  "outstanding %llu: requires a reply of at least one chunk, but "
				  "reply is 0", t->outstanding);
	if (!t->reply)
		return 0;
	if (t->reply > most || t->reply % chunk)
		return torus_fail(err, EINVAL,
				  "reply %llu: %s requires %u to %u bytes, a multiple of %u",
				  t->reply, f->arch->name, chunk, most, chunk);
	if (t->pattern != TORUS_PATTERN_HOTSPOT && !reply_even(f, t))
		return torus_fail(err, EINVAL,
				  "reply %llu: requires hotspot or a pattern with equal traffic in "
				  "both directions of each pair", t->reply);
	return 0;
}

/**
 * torus_reply_start() - prepare a workload with replies
 * @f: the fabric, just reset
 * @w: [out] its workload; fields of replies are set
 *
 * Return: 0 or -ENOMEM; torus_reply_stop() frees the memory in both cases.
 */
int torus_reply_start(struct torus_fabric *f, struct torus_workload *w)
{
	u32 i;

	w->seq_mask = w->traffic.reply ? TORUS_REPLY_SEQ - 1 : ~0u;
	if (!w->traffic.reply)
		return 0;
	w->replies = torus_alloc((size_t)f->nodes * sizeof(*w->replies));
	if (!w->replies)
		return -ENOMEM;
	w->reply_chunks = (u32)w->traffic.reply / f->arch->chunk_bytes;
	for (i = 0; i < f->nodes; i++)
		if (torus_node_here(f, i))
			w->replies[i].head = TORUS_NONE;
	/* a reply has its request's latency in a field that narrow packets lack */
	torus_packets_widen(f);
	for (i = 0; i < f->ndomains; i++) {
		if (torus_received_init(&f->domain[i]))
			return -ENOMEM;
		f->domain[i].hand_over = true;
	}
	return 0;
}

/**
 * torus_reply_stop() - free the replies that wait
 * @f: the fabric whose workload ends
 */
void torus_reply_stop(struct torus_fabric *f)
{
	struct torus_workload *w = f->workload;
	u32 node, pkt, next;

	for (node = 0; w->replies && node < f->nodes; node++) {
		struct torus_domain *d = torus_domain_of(f, node);

		if (d->away)
			continue;
		for (pkt = w->replies[node].head; pkt != TORUS_NONE; pkt = next) {
			next = torus_packet_at(d, pkt)->next;
			torus_packet_free(d, pkt);
		}
	}
	torus_free(w->replies, (size_t)f->nodes * sizeof(*w->replies));
	w->replies = NULL;
}

/* Schedule a SOURCE event in the next tick, so that the node refills its FIFOs. */
static void reply_wake(struct torus_domain *d, struct torus_reply *r, u32 node)
{
	if (r->wake > d->now)
		return;
	r->wake = d->now + 1;
	torus_wheel_push(&d->wheel, r->wake, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node,
	});
}

/* Count the latency of a received request or reply, or of a whole trip (TORUS_LATENCY_TRIP). */
static void reply_count(struct torus_domain *d, enum torus_latency_class what, u64 ticks)
{
	torus_stats_row_add(&d->stats.by_class[what], ticks);
	if (d->latencies)
		torus_latency_count(&d->latencies->by_class[what], ticks);
}

/**
 * torus_reply_take() - handle a delivered packet that software at a node has received
 * @d: the domain
 * @node: the node
 * @pkt: the packet, already counted as delivered
 *
 * A request is turned into its reply.
 *
 * Return: true if the packet is still used, false if the caller must free it.
 */
bool torus_reply_take(struct torus_domain *d, u32 node, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_reply *r = &d->f->workload->replies[node];
	u64 latency = torus_packet_since(d->now, p->born);

	if (p->seq & TORUS_REPLY_SEQ) {
		reply_count(d, TORUS_LATENCY_REPLY, latency);
		reply_count(d, TORUS_LATENCY_TRIP, latency + p->generation);
		r->answered++;
		reply_wake(d, r, node);
		return false;
	}
	reply_count(d, TORUS_LATENCY_REQUEST, latency);
	p->dst = p->src;
	p->src = node;
	p->seq |= TORUS_REPLY_SEQ;
	p->born = d->now;
	p->entered = d->now;
	p->generation = latency < 0xffffffffu ? (u32)latency : 0xffffffffu;
	p->next = TORUS_NONE;
	if (r->head == TORUS_NONE)
		r->head = pkt;
	else
		torus_packet_at(d, r->tail)->next = pkt;
	r->tail = pkt;
	r->made++;
	if (d->latencies)
		d->latencies->left += d->f->workload->reply_chunks;
	reply_wake(d, r, node);
	return true;
}

/**
 * torus_reply_next() - remove the first reply that waits at a node
 * @d: the domain
 * @node: a node with a waiting reply
 *
 * Return: the packet.
 */
u32 torus_reply_next(struct torus_domain *d, u32 node)
{
	struct torus_reply *r = &d->f->workload->replies[node];
	u32 pkt = r->head;

	r->head = torus_packet_at(d, pkt)->next;
	r->sent++;
	return pkt;
}

// SPDX-License-Identifier: GPL-2.0
/* Transmission of engines: segment flows into packets as injection slots have space. */
#include "arch/tofu/receive.h"
#include "arch/tofu/transmit.h"
#include "arch/tofu/send_queues.h"
#include "arch/tofu/inject.h"
#include "arch/tofu/loss.h"
#include "arch/tofu/replies.h"
#include "arch/tofu/notice.h"
#include "core/nic/inject_queue.h"
#include "core/state/packets.h"
#include "arch/tofu/engine.h"

/* Check whether a flow is a reply to another program's operation. */
static bool flow_replies(const struct tofu_flow *flow)
{
	return flow->head.kind == TOFU_KIND_DATA || flow->head.kind == TOFU_KIND_ANSWER;
}

/* Check whether the program that posted a flow waits for a reply. */
static bool flow_asks(const struct tofu_flow *flow)
{
	switch (flow->head.kind) {
	case TOFU_KIND_GET:
		return true;
	case TOFU_KIND_PUT:
	case TOFU_KIND_ATOMIC:
		return flow->head.flags & TOFU_TELL_LOCAL;
	default:
		return false;
	}
}

/* Return the payload bytes of a flow's next packet. */
static u32 flow_next_packet(const struct tofu_flow *flow)
{
	u32 left = flow->head.total - flow->sent;

	switch (flow->head.kind) {
	case TOFU_KIND_PUT:
	case TOFU_KIND_DATA:
		return left < TOFU_DATA_MAX ? left : TOFU_DATA_MAX;
	case TOFU_KIND_ATOMIC:
		return 2 * sizeof(u64);
	case TOFU_KIND_ANSWER:
		return sizeof(u64);
	default:
		return 0;
	}
}

/*
 * Return the next flow that may send. A flow that has started is finished first, because the
 * receiver detects losses by the order of a list's packets. Otherwise, each queue starts its
 * commands in the order of posting.
 */
static struct tofu_flow *flows_next(const struct torus_domain *d, const struct tofu_flows *list)
{
	struct tofu_flow *flow;
	u32 waits = 0;

	if (list->sending)
		return list->sending;
	for (flow = list->head; flow && flow->due <= d->now; flow = flow->next) {
		u32 vcq = tofu_queue_vcq(flow->head.peer_queue);

		if (flow_asks(flow) && list->open >= TOFU_OPEN_MAX)
			waits |= 1u << vcq;
		if (!(waits >> vcq & 1))
			return flow;
	}
	return NULL;
}

static void flow_begin(struct tofu_flows *list, struct tofu_flow *flow)
{
	if (list->sending == flow)
		return;
	list->sending = flow;
	list->open += flow_asks(flow);
}

/* ------------------------------------------------------------------- notices */

static void flow_post_notice(struct torus_domain *d, u32 node, const struct tofu_flow *flow,
			     u32 type, u32 code)
{
	const struct tofu_notice_to notice = {
		.node = node, .group = flow->own_group, .queue = flow->head.peer_queue,
		.type = (u8)type, .code = (u8)code,
		.cookie = type == TORUS_TOFU_TCQ ? flow->cookie : 0,
	};

	tofu_notice_post(d, &notice, &flow->head, flow->dst, flow->group, flow->head.queue);
}

/* Return the counters of the TNI that sends a flow. */
static struct torus_tni_counters *flow_counters(const struct torus_domain *d, u32 node,
						const struct tofu_flow *flow)
{
	return torus_tni(d, node, tofu_queue_engine(flow->head.peer_queue));
}

/* End a flow because of an error at the sending node. The rest of the flow is not sent. */
static void flow_fail(struct torus_domain *d, u32 node, struct tofu_flows *list,
		      struct tofu_flow *flow, u32 code)
{
	if (flow->head.kind == TOFU_KIND_DATA) {
		/*
		 * convert the data of a get to an answer, which reports the error to the
		 * requester
		 */
		flow_counters(d, node, flow)->refused++;
		flow->head.kind = TOFU_KIND_ANSWER;
		flow->head.op = TOFU_KIND_GET;
		flow->head.code = (u8)code;
		return;
	}
	list->open -= flow_asks(flow);
	flow_counters(d, node, flow)->errors++;
	flow_post_notice(d, node, flow, TORUS_TOFU_TCQ, code);
	if (flow->head.flags & TOFU_TELL_LOCAL)
		flow_post_notice(d, node, flow, flow->answer, code);
	tofu_flow_drop(list, flow);
}

/* End a reply whose destination cannot be reached, and report the loss to its requester. */
static void flow_lost(struct torus_domain *d, u32 node, struct tofu_flows *list,
		      struct tofu_flow *flow)
{
	const struct torus_packet to = {
		.dst = flow->dst, .group = flow->group, .generation = flow->generation,
	};

	if (flow->head.kind == TOFU_KIND_DATA)
		flow_fail(d, node, list, flow, TORUS_TOFU_PEER);
	tofu_loss_report(d, node, &flow->head, &to, flow->number);
	tofu_flow_drop(list, flow);
}

/* End a flow that has been sent completely. */
static void flow_end(struct torus_domain *d, u32 node, struct tofu_flows *list,
		     struct tofu_flow *flow)
{
	if (flow->flags & TORUS_TOFU_TELL_TCQ)
		flow_post_notice(d, node, flow, TORUS_TOFU_TCQ, TORUS_TOFU_FINE);
	if (flow->head.kind == TOFU_KIND_DATA && flow->head.flags & TOFU_TELL_REMOTE)
		flow_post_notice(d, node, flow, TORUS_TOFU_RMT_GET, TORUS_TOFU_FINE);
	tofu_flow_drop(list, flow);
}

/* ------------------------------------------------------------------- sending */

/* Copy the bytes after a packet's engine header. Return the result of the memory access. */
static u32 flow_load(const struct torus_nic *nic, const struct tofu_flow *flow, u32 part,
		     u8 *bytes)
{
	const struct tofu_head *head = &flow->head;
	struct torus_access access = {
		.op = TORUS_ACCESS_READ, .remote = head->kind == TOFU_KIND_DATA,
		.queue = head->peer_queue, .total = head->total, .at = flow->sent,
		.start = head->kind == TOFU_KIND_DATA ? head->remote : head->local,
		.length = part, .bytes = bytes,
	};

	switch (head->kind) {
	case TOFU_KIND_GET:
		/* before a get is sent, check that its data can be written to this node's memory */
		access.op = TORUS_ACCESS_WRITE;
		return tofu_access(nic, &access);
	case TOFU_KIND_DATA:
		if (!nic)
			return TORUS_TOFU_PEER;
		/* a notice is posted when the last byte has left */
		if (head->flags & TOFU_TELL_REMOTE && flow->sent + part == head->total &&
		    !tofu_notice_has_space(nic))
			return TORUS_TOFU_OTHER;
		return tofu_access(nic, &access);
	case TOFU_KIND_PUT:
		if (flow->op == TORUS_TOFU_PUT)
			return tofu_access(nic, &access);
		break;
	default:
		break;
	}
	memcpy(bytes, flow->bytes, part);
	return TORUS_TOFU_FINE;
}

static void flow_address(struct torus_domain *d, u32 node, const struct tofu_flow *flow,
			 struct torus_packet *p, u32 chunks)
{
	const struct tofu_machine *m = d->machine;
	struct tofu_fields *fields = tofu_fields(p);
	u32 at[TORUS_DIMS_MAX];

	tofu_make(d->f, p, chunks);
	torus_geometry_coords(m->geo, node, at);
	fields->order = tofu_order_at(m, at);
	fields->fifo = TORUS_TOFU_FIFO_GATE;
	fields->path = flow->path;
	fields->sw = (u16)(TORUS_TOFU_KIND_ENGINE << TORUS_TOFU_KIND_SHIFT |
			   tofu_queue_engine(flow->head.queue));
}

/*
 * Select a path for the rest of an operation while nodes are dead, and check the isolation of
 * partitions. An operation that has started keeps its path, because packets on another path would
 * overtake its waiting packets.
 */
static bool flow_path(const struct torus_domain *d, u32 node, struct tofu_flow *flow)
{
	u32 path;

	if (torus_unlikely(d->f->dead) && flow->dst != node) {
		path = tofu_path_around(d->f, node, flow->dst, flow->path, !flow->sent);
		if (path == TORUS_NONE)
			return false;
		flow->path = (u8)path;
	}
	return tofu_path_stays_in_partition(d->f, node, flow->dst, flow->path);
}

/* Send a packet into the network, or on the path through the NIC to its own node. */
static void packet_send(struct torus_domain *d, u32 node, u32 tni, struct tofu_engine *e, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);

	if (p->dst == node) {
		e->loop = pkt;
		e->loop_until = d->now + (u64)p->chunks * TOFU_CHUNK_TICKS;
		tofu_engine_wake(d, node, e->loop_until);
		return;
	}
	torus_stats_inject(d, p);
	d->f->router->inject(d, node, tni, pkt);
}

/*
 * Skip the middle of a put to a program that has left. The last packet is rejected at the
 * destination, and the rejection is reported to the program that posted the put.
 */
static void flow_skip(const struct torus_fabric *f, struct tofu_flow *flow)
{
	if (flow->head.kind == TOFU_KIND_PUT && flow->sent &&
	    tofu_gone(f, flow->dst, flow->group, flow->generation))
		flow->sent = (flow->head.total - 1) / TOFU_DATA_MAX * TOFU_DATA_MAX;
}

static void flow_send(struct torus_domain *d, u32 node, u32 tni, struct tofu_flows *list,
		      struct tofu_flow *flow)
{
	struct tofu_engine *e = &tofu_engines_at(d, node)->tni[tni];
	const struct torus_nic *nic = tofu_holder(d->f, node, flow->own_group,
						  flow->own_generation);
	u32 part = flow_next_packet(flow), chunks = tofu_chunks(part), code;
	u32 pkt = torus_pool_get(&d->pool), body = torus_bodies_get(&d->bodies);
	struct tofu_head head = flow->head;
	struct torus_packet p = {
		.src = node, .dst = flow->dst, .group = flow->group, .next = TORUS_NONE,
		.body = body, .generation = flow->generation, .born = d->now, .entered = d->now,
	};
	u8 *bytes;

	if (pkt == TORUS_NONE || body == TORUS_NONE) {
		d->failed = true;
		return;
	}
	bytes = torus_body_at(&d->bodies, body)->bytes;
	memset(bytes, 0, chunks * TOFU_CHUNK_BYTES);
	code = flow_load(nic, flow, part, bytes + TOFU_DATA_AT);
	if (code) {
		torus_bodies_put(&d->bodies, body);
		torus_pool_put(&d->pool, pkt);
		flow_fail(d, node, list, flow, code);
		return;
	}
	if (!flow->sent)
		flow->number = e->begun++;
	torus_body_at(&d->bodies, body)->sender = (struct torus_sender){ .number = flow->number };
	head.offset = flow->sent;
	head.length = (u16)part;
	flow->sent += part;
	flow->waits = false;
	if ((head.kind != TOFU_KIND_PUT && head.kind != TOFU_KIND_DATA) ||
	    flow->sent == head.total)
		head.flags |= TOFU_LAST;
	flow_address(d, node, flow, &p, chunks);
	p.seq = (u32)(e->sent++ * ((const struct tofu_machine *)d->machine)->tnis + tni);
	tofu_image(&p, 0, bytes);
	memcpy(bytes + TOFU_HEAD_AT, &head, sizeof(head));
	torus_pool_fill(&d->pool, pkt, &p);
	packet_send(d, node, tni, e, pkt);
	if (head.flags & TOFU_LAST)
		flow_end(d, node, list, flow);
}

/*
 * Check for memory for a flow's next packet. Memory is always allocated for an answer that a
 * program waits for. It is also allocated for the first packet of an operation that waits for an
 * answer, if few operations of its list are open. The same applies to the first packet of a get's
 * data, if few gets of the requesting program are open.
 */
static bool flow_supplied(struct torus_domain *d, const struct tofu_flows *list,
			  const struct tofu_flow *flow)
{
	const struct tofu_head *head = &flow->head;
	bool kept;

	if (head->kind == TOFU_KIND_ANSWER)
		kept = head->op == TOFU_KIND_GET || head->flags & TOFU_TELL_LOCAL;
	else
		kept = list->open < TOFU_FLOWS_KEPT && !flow->sent &&
		       (flow_asks(flow) || head->kind == TOFU_KIND_DATA);
	return torus_packets_supply(d, kept);
}

/* Send a flow's next packet or end the flow. Return false if it must wait. */
static bool flow_serve(struct torus_domain *d, u32 node, u32 tni, struct tofu_flows *list,
		       struct tofu_flow *flow)
{
	const struct tofu_engine *e = &tofu_engines_at(d, node)->tni[tni];

	/* a NOP has no effect: it ends here and is not sent */
	if (flow->op == TORUS_TOFU_NOP && !flow_replies(flow)) {
		flow_begin(list, flow);
		flow_end(d, node, list, flow);
		return true;
	}
	if (!flow_path(d, node, flow)) {
		flow_begin(list, flow);
		if (flow_replies(flow))
			flow_lost(d, node, list, flow);
		else
			flow_fail(d, node, list, flow, TORUS_TOFU_PEER);
		return true;
	}
	flow_skip(d->f, flow);
	if (flow->dst == node ? e->loop != TORUS_NONE :
	    d->f->router->inject_room(d->f, node, tni) < tofu_chunks(flow_next_packet(flow))) {
		torus_tni(d, node, tni)->waits += !flow->waits;
		flow->waits = true;
		return false;
	}
	if (!flow_supplied(d, list, flow))
		return false;
	flow_begin(list, flow);
	flow_send(d, node, tni, list, flow);
	return !d->failed;
}

/*
 * Send the next packet of a FIFO group. Return false if the group has no packet that can be sent.
 */
static bool group_serve(struct torus_domain *d, u32 node, u32 tni, u32 group)
{
	struct tofu_flows *list = &tofu_engines_at(d, node)->tni[tni].from[group];
	struct tofu_flow *flow;

	/* the program that posted the flows has left: discard them, between two packets */
	if ((list->head || list->waiting) && !tofu_holder(d->f, node, group, list->generation))
		tofu_flows_set_holder(list, 0);
	flow = flows_next(d, list);
	return flow && flow_serve(d, node, tni, list, flow);
}

/*
 * Send the next packet to the program that is next in the round-robin. Return false if none can
 * be sent.
 */
static bool replies_serve(struct torus_domain *d, u32 node, u32 tni)
{
	struct tofu_replies *replies = &tofu_engines_at(d, node)->tni[tni].replies;
	struct tofu_flows *list = tofu_replies_first(d->f, replies);
	struct tofu_flow *flow;
	bool get, sent, ended;
	u32 count;

	if (!list)
		return false;
	flow = list->head;
	get = flow->head.kind == TOFU_KIND_DATA;
	count = list->count;
	sent = flow_serve(d, node, tni, list, flow);
	ended = list->count < count;
	/* a get that failed here has become an answer and no longer counts as open */
	if (get && (ended || flow->head.kind != TOFU_KIND_DATA))
		list->open--;
	replies->count -= ended;
	if (sent || ended)
		tofu_replies_turn(replies);
	return sent;
}

/*
 * Serve an engine's lists round-robin. After each of its packets, one packet of software is
 * served.
 */
static void engine_serve(struct torus_domain *d, u32 node, u32 tni, struct tofu_engine *e)
{
	u32 i, from;

	for (;;) {
		if (e->yields && torus_queues_wait(d, node, tni)) {
			/* an empty slot has space for any packet of software */
			if (d->f->router->inject_room(d->f, node, tni) == TOFU_FIFO_CHUNKS) {
				e->yields = false;
				tofu_engine_wake(d, node, d->now + 1);
			}
			return;
		}
		for (i = 1; i <= TOFU_TURNS; i++) {
			from = (e->turn + i) % TOFU_TURNS;
			if (from == TOFU_REPLIES ? replies_serve(d, node, tni) :
						   group_serve(d, node, tni, from))
				break;
		}
		if (i > TOFU_TURNS)
			return;
		e->turn = from;
		e->yields = true;
	}
}

/*
 * Deliver loop-back packets, execute received packets, and send new ones. Called during the
 * node's arbitration, when injection slots have space or a wake-up is due.
 *
 * @d: the domain, of a fabric with engines
 */
void tofu_engine_refill(struct torus_domain *d, u32 node)
{
	const struct tofu_machine *m = d->machine;
	struct tofu_node_engines *all = m->engines->node[node];
	u32 tni, pkt;

	if (!all)
		return;
	for (tni = 0; tni < m->tnis; tni++) {
		struct tofu_engine *e = &all->tni[tni];
		struct torus_packet *p;

		if (e->loop == TORUS_NONE || e->loop_until > d->now)
			continue;
		pkt = e->loop;
		e->loop = TORUS_NONE;
		p = torus_packet_at(d, pkt);
		torus_stats_inject(d, p);
		torus_tni_sent(d, node, tni, p);
		torus_tni_received(d, node, tofu_engine_of(p), p);
		tofu_rx_packet(d, node, pkt);
	}
	tofu_rx_due(d, node, all);
	for (tni = 0; tni < m->tnis && !d->f->injection_held; tni++)
		engine_serve(d, node, tni, &all->tni[tni]);
}

// SPDX-License-Identifier: GPL-2.0
/* Reception of engines: write memory, read memory, queue replies. */
#include "arch/tofu/receive.h"
#include "arch/tofu/send_queues.h"
#include "arch/tofu/loss.h"
#include "arch/tofu/replies.h"
#include "arch/tofu/notice.h"
#include "core/state/packets.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/engine.h"

/* an engine with this number of waiting replies sends no failure reports that were not requested */
#define UNASKED_MAX	4096u

/**
 * struct tofu_rx - a packet that has been received completely
 *
 * @d: the domain
 * @e: engines of the node
 * @node: index of the node
 * @p: the packet
 * @head: engine header of the packet
 * @nic: FIFO group that it was sent to; NULL if the owner that it was sent to has left
 * @whole: for the last packet of an operation: no earlier packet is missing
 */
struct tofu_rx {
	struct torus_domain *d;
	struct tofu_node_engines *e;
	u32 node;
	struct torus_packet *p;
	struct tofu_head head;
	const struct torus_nic *nic;
	bool whole;
};

static u8 *rx_bytes(const struct tofu_rx *a)
{
	return torus_body_at(&a->d->bodies, a->p->body)->bytes + TOFU_DATA_AT;
}

/* Result of an operation at its destination, for the answer and the notices. */
struct tofu_came {
	u32 code;
	u64 value;
};

static void rx_post_notice(const struct tofu_rx *a, u32 type, const struct tofu_came *out,
			   bool remote_code)
{
	const struct tofu_notice_to to = {
		.node = a->node, .group = a->p->group, .queue = a->head.queue, .type = (u8)type,
		.code = (u8)out->code, .remote_code = remote_code, .value = out->value,
	};

	tofu_notice_post(a->d, &to, &a->head, a->p->src, a->head.peer_group, a->head.peer_queue);
}

/* Return the memory access that this packet makes. */
static struct torus_access rx_access(const struct tofu_rx *a, u32 op, bool remote)
{
	return (struct torus_access){
		.op = (u8)op, .remote = remote, .queue = a->head.queue,
		.start = remote ? a->head.remote : a->head.local, .total = a->head.total,
		.at = a->head.offset, .length = a->head.length, .bytes = rx_bytes(a),
	};
}

/* Access this node's memory. Return enum torus_tofu_code. */
static u32 rx_reach(const struct tofu_rx *a, struct torus_access *access)
{
	const struct torus_fabric *f = a->d->f;

	if (!a->nic || torus_fabric_partition(f, a->p->src) != torus_fabric_partition(f, a->node))
		return TORUS_TOFU_PEER;
	if (a->head.flags & TOFU_TELL_REMOTE && a->head.flags & TOFU_LAST &&
	    !tofu_notice_has_space(a->nic))
		return TORUS_TOFU_OTHER;
	return tofu_access(a->nic, access);
}

/* Return the counters of the TNI that received the packet. */
static struct torus_tni_counters *rx_counters(const struct tofu_rx *a)
{
	return torus_tni(a->d, a->node, tofu_queue_engine(a->head.queue));
}

static struct tofu_replies *rx_replies(const struct tofu_rx *a)
{
	return &a->e->tni[tofu_queue_engine(a->head.queue)].replies;
}

/* Check whether the program that posted the operation has left. */
static bool rx_sender_left(const struct tofu_rx *a)
{
	return tofu_gone(a->d->f, a->p->src, a->head.peer_group, a->head.generation);
}

/* Queue a reply: the requested data, or the result of the operation. */
static void rx_queue_reply(const struct tofu_rx *a, u32 kind, const struct tofu_came *out)
{
	struct tofu_flow *flow;

	if (rx_sender_left(a))
		return;
	flow = tofu_reply_new(a->d, rx_replies(a), a->p->src, a->head.peer_group,
			      a->head.generation, kind == TOFU_KIND_DATA);
	if (!flow)
		return;
	flow->due = a->d->now;
	flow->dst = a->p->src;
	flow->group = a->head.peer_group;
	flow->generation = a->head.generation;
	flow->path = tofu_fields(a->p)->path;
	flow->own_group = a->p->group;
	flow->own_generation = a->p->generation;
	flow->head = (struct tofu_head){
		.kind = (u8)kind, .op = a->head.kind, .code = (u8)out->code,
		.flags = a->head.flags & (TOFU_TELL_LOCAL | TOFU_TELL_REMOTE | TOFU_NO_LOCAL),
		.queue = a->head.peer_queue, .peer_queue = a->head.queue,
		.peer_group = a->p->group, .edata = a->head.edata, .total = a->head.total,
		.remote = a->head.remote, .local = a->head.local,
	};
	memcpy(flow->bytes, &out->value, sizeof(out->value));
}

static struct tofu_flows *rx_list(const struct tofu_rx *a)
{
	return &a->e->tni[tofu_queue_engine(a->head.queue)].from[a->p->group];
}

/*
 * Grant the steps of a put to the destination queue's session, which starts commands that wait
 * there.
 */
static void rx_steps(const struct tofu_rx *a)
{
	struct tofu_flows *list = rx_list(a);

	tofu_flows_set_holder(list, a->nic->generation);
	tofu_flows_step(list, tofu_queue_vcq(a->head.queue), a->head.steps);
}

/*
 * Check whether to send an answer. Failure reports that the sender did not request are limited
 * in number, and are sent only while spare memory is available.
 */
static bool rx_needs_reply(const struct tofu_rx *a, u32 code)
{
	if (a->head.flags & TOFU_TELL_LOCAL)
		return true;
	return code && rx_replies(a)->count < UNASKED_MAX &&
	       torus_growth_spare(sizeof(struct tofu_flow));
}

static void rx_put(const struct tofu_rx *a)
{
	struct torus_access access = rx_access(a, TORUS_ACCESS_WRITE, true);
	struct tofu_came out = { .code = rx_reach(a, &access) };

	/*
	 * Each packet is checked against the whole range of the put, so it suffices that the last
	 * packet reports a failure. Earlier packets may have been written: space for the notice is
	 * checked only with the last one, and memory may be unregistered meanwhile.
	 */
	if (!(a->head.flags & TOFU_LAST))
		return;
	rx_counters(a)->refused += !!out.code;
	if (!out.code && !a->whole)
		out.code = TORUS_TOFU_LOST;
	if (!out.code)
		rx_steps(a);
	if (!out.code && a->head.flags & TOFU_TELL_REMOTE)
		rx_post_notice(a, TORUS_TOFU_RMT_PUT, &out, false);
	if (rx_needs_reply(a, out.code))
		rx_queue_reply(a, TOFU_KIND_ANSWER, &out);
}

static void rx_get(const struct tofu_rx *a)
{
	struct torus_access access = rx_access(a, TORUS_ACCESS_READ, true);
	struct tofu_came out = { .code = rx_reach(a, &access) };

	if (rx_sender_left(a))
		return;
	if (!out.code && tofu_gets_full(rx_replies(a), a->p->src, a->head.peer_group,
					a->head.generation))
		out.code = TORUS_TOFU_BUSY;
	rx_counters(a)->refused += !!out.code;
	rx_queue_reply(a, out.code ? TOFU_KIND_ANSWER : TOFU_KIND_DATA, &out);
}

static void rx_atomic(const struct tofu_rx *a)
{
	struct torus_access access = rx_access(a, TORUS_ACCESS_ATOMIC, true);
	struct tofu_came out = { 0 };
	u64 words[2];

	memcpy(words, rx_bytes(a), sizeof(words));
	access.atomic = a->head.op;
	access.length = a->head.total;
	access.operand = a->head.total == 4 ? (u32)words[0] : words[0];
	access.compare = a->head.total == 4 ? (u32)words[1] : words[1];
	out.code = rx_reach(a, &access);
	rx_counters(a)->refused += !!out.code;
	if (!out.code)
		out.value = access.value;
	if (!out.code && a->head.flags & TOFU_TELL_REMOTE)
		rx_post_notice(a, TORUS_TOFU_RMT_ATOMIC, &(struct tofu_came){ 0 }, false);
	if (rx_needs_reply(a, out.code))
		rx_queue_reply(a, TOFU_KIND_ANSWER, &out);
}

/* Count an operation that this node started as complete, so that another operation may start. */
static void rx_close(const struct tofu_rx *a)
{
	struct tofu_flows *list = rx_list(a);

	if (list->generation == a->nic->generation && list->open)
		list->open--;
}

static void rx_data(const struct tofu_rx *a)
{
	struct torus_access access = rx_access(a, TORUS_ACCESS_WRITE, false);
	struct tofu_came out = { 0 };

	if (!a->nic)
		return;
	out.code = tofu_access(a->nic, &access);
	if (!(a->head.flags & TOFU_LAST))
		return;
	if (!out.code && !a->whole)
		out.code = TORUS_TOFU_LOST;
	rx_counters(a)->errors += !!out.code;
	rx_close(a);
	if (out.code || a->head.flags & TOFU_TELL_LOCAL)
		rx_post_notice(a, TORUS_TOFU_LCL_GET, &out, false);
}

static void rx_answer(const struct tofu_rx *a)
{
	static const u8 types[] = {
		[TOFU_KIND_PUT] = TORUS_TOFU_LCL_PUT,
		[TOFU_KIND_GET] = TORUS_TOFU_LCL_GET,
		[TOFU_KIND_ATOMIC] = TORUS_TOFU_LCL_ATOMIC,
	};
	struct tofu_came out = { .code = a->head.code };

	if (!a->nic)
		return;
	memcpy(&out.value, rx_bytes(a), sizeof(out.value));
	if (a->head.op == TOFU_KIND_GET || a->head.flags & TOFU_TELL_LOCAL)
		rx_close(a);
	rx_counters(a)->errors += !!out.code;
	rx_post_notice(a, types[a->head.op], &out, out.code && out.code != TORUS_TOFU_LOST);
}

/* Execute a packet that has been received completely. */
static void rx_apply(struct torus_domain *d, u32 node, struct tofu_node_engines *e, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct tofu_rx a = {
		.d = d, .e = e, .node = node, .p = p,
		.nic = tofu_holder(d->f, node, p->group, p->generation),
	};

	memcpy(&a.head, rx_bytes(&a) - sizeof(a.head), sizeof(a.head));
	if (a.head.kind == TOFU_KIND_PUT || a.head.kind == TOFU_KIND_DATA)
		a.whole = tofu_stream_check(d, e, p, &a.head);
	switch (a.head.kind) {
	case TOFU_KIND_PUT:
		rx_put(&a);
		break;
	case TOFU_KIND_GET:
		rx_get(&a);
		break;
	case TOFU_KIND_ATOMIC:
		rx_atomic(&a);
		break;
	case TOFU_KIND_DATA:
		rx_data(&a);
		break;
	default:
		rx_answer(&a);
	}
}

/* Execute a node's synthetic replies, and its packets whose memory delay is over. */
void tofu_rx_due(struct torus_domain *d, u32 node, struct tofu_node_engines *e)
{
	u32 pkt;

	while (e->lost != TORUS_NONE) {
		pkt = e->lost;
		e->lost = torus_packet_at(d, pkt)->next;
		rx_apply(d, node, e, pkt);
		torus_packet_free(d, pkt);
	}
	while (e->arrived != TORUS_NONE) {
		struct torus_packet *p;

		pkt = e->arrived;
		p = torus_packet_at(d, pkt);
		/*
		 * @entered has the low 48 bits of a tick at most 2^47 ticks away: a difference
		 * above 2^47 is a future tick
		 */
		if (torus_packet_since(d->now, p->entered) >> 47)
			return;
		e->arrived = pkt == e->arrived_tail ? TORUS_NONE : p->next;
		rx_apply(d, node, e, pkt);
		torus_packet_free(d, pkt);
	}
}

/*
 * Check that an engine can have sent this header: bit errors that the CRCs do not detect may have
 * changed it.
 */
static bool packet_sound(const struct torus_domain *d, const struct tofu_head *head, u32 chunks)
{
	const struct tofu_machine *m = d->machine;
	bool word = head->total == 4 || head->total == 8;

	if (head->kind >= TOFU_KINDS || tofu_chunks(head->length) != chunks ||
	    tofu_queue_engine(head->queue) >= m->tnis ||
	    tofu_queue_engine(head->peer_queue) >= m->tnis ||
	    head->peer_group >= TORUS_TOFU_GROUPS || head->offset > head->total ||
	    head->steps > TORUS_TOFU_STEPS_MAX)
		return false;
	switch (head->kind) {
	case TOFU_KIND_ATOMIC:
		return word && !head->offset && head->op < TORUS_ATOMICS &&
		       head->length == 2 * sizeof(u64);
	case TOFU_KIND_ANSWER:
		return head->op <= TOFU_KIND_ATOMIC && head->length == sizeof(u64);
	default:
		return head->length <= head->total - head->offset;
	}
}

/*
 * Read the engine header of a packet.
 *
 * @head: [out] the header
 *
 * Return: false if no engine can have sent the packet.
 */
bool tofu_head_of(struct torus_domain *d, const struct torus_packet *p, struct tofu_head *head)
{
	/* reject a user's packet, which an undetected error in its header may have led here */
	if (p->body == TORUS_NONE || p->flags & TORUS_PACKET_USER ||
	    p->chunks * TOFU_CHUNK_BYTES < TOFU_DATA_AT)
		return false;
	memcpy(head, torus_body_at(&d->bodies, p->body)->bytes + TOFU_HEAD_AT, sizeof(*head));
	return packet_sound(d, head, p->chunks);
}

/*
 * Receive an engine's packet after its last byte.
 *
 * @d: the destination's domain
 * @pkt: the packet. It is counted as delivered, and is executed after the memory delay; an invalid
 *   packet is dropped
 */
void tofu_rx_packet(struct torus_domain *d, u32 node, u32 pkt)
{
	const struct tofu_machine *m = d->machine;
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct tofu_node_engines *e = m->engines ? tofu_engines_at(d, node) : NULL;
	struct tofu_head head;

	if (!e || !tofu_head_of(d, p, &head)) {
		torus_tni(d, node, tofu_engine_of(p) % m->tnis)->refused++;
		torus_stats_drop(d, node, pkt, TORUS_DROP_MACHINE + TOFU_DROP_ENGINE_MALFORMED);
		return;
	}
	torus_stats_deliver(d, node, p);
	p->entered = d->now + m->memory_delay;
	if (e->arrived == TORUS_NONE)
		e->arrived = pkt;
	else
		torus_packet_at(d, e->arrived_tail)->next = pkt;
	e->arrived_tail = pkt;
	tofu_engine_wake(d, node, d->now + m->memory_delay);
}

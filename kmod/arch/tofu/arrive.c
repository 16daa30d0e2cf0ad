// SPDX-License-Identifier: GPL-2.0
/* What comes for engines: into memory, out of it, and answered. */
#include "arch/tofu/arrive.h"
#include "arch/tofu/flows.h"
#include "arch/tofu/lost.h"
#include "arch/tofu/replies.h"
#include "arch/tofu/told.h"
#include "core/state/packets.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/engine.h"

#define UNASKED_MAX	4096u	/* answers of an engine that nobody asked for */

/**
 * struct tofu_arrival - a packet whose bytes have come
 * @d: the domain
 * @e: the node's engines
 * @node: the node
 * @p: the packet
 * @head: its head
 * @nic: the FIFO group that it was sent to, NULL: its holder is not the one that was meant
 * @whole: of an operation's last packet: all before it have come
 */
struct tofu_arrival {
	struct torus_domain *d;
	struct tofu_node_engines *e;
	u32 node;
	struct torus_packet *p;
	struct tofu_head head;
	const struct torus_nic *nic;
	bool whole;
};

static u8 *arrival_bytes(const struct tofu_arrival *a)
{
	return torus_body_at(&a->d->bodies, a->p->body)->bytes + TOFU_DATA_AT;
}

/* What an operation has come to at the node that it was for. */
struct tofu_came {
	u32 code;
	u64 value;
};

static void arrival_tell(const struct tofu_arrival *a, u32 type, const struct tofu_came *out,
			 bool remote_code)
{
	const struct tofu_told told = {
		.node = a->node, .group = a->p->group, .queue = a->head.queue, .type = (u8)type,
		.code = (u8)out->code, .remote_code = remote_code, .value = out->value,
	};

	tofu_tell(a->d, &told, &a->head, a->p->src, a->head.peer_group, a->head.peer_queue);
}

/* The bytes of an operation's memory that this packet is about. */
static struct torus_access arrival_access(const struct tofu_arrival *a, u32 op, bool remote)
{
	return (struct torus_access){
		.op = (u8)op, .remote = remote, .queue = a->head.queue,
		.start = remote ? a->head.remote : a->head.local, .total = a->head.total,
		.at = a->head.offset, .length = a->head.length, .bytes = arrival_bytes(a),
	};
}

/* What an operation on this node's memory comes to. */
static u32 arrival_reach(const struct tofu_arrival *a, struct torus_access *access)
{
	const struct torus_fabric *f = a->d->f;

	if (!a->nic || torus_fabric_partition(f, a->p->src) != torus_fabric_partition(f, a->node))
		return TORUS_TOFU_PEER;
	if (a->head.flags & TOFU_TELL_REMOTE && a->head.flags & TOFU_LAST &&
	    !tofu_tell_room(a->nic))
		return TORUS_TOFU_OTHER;
	return tofu_access(a->nic, access);
}

/* Counters of the TNI that a packet came by. */
static struct torus_tni_counters *arrival_counters(const struct tofu_arrival *a)
{
	return torus_tni(a->d, a->node, tofu_queue_engine(a->head.queue));
}

static struct tofu_replies *arrival_replies(const struct tofu_arrival *a)
{
	return &a->e->tni[tofu_queue_engine(a->head.queue)].replies;
}

/* Has the program that posted the operation left? */
static bool arrival_left(const struct tofu_arrival *a)
{
	return tofu_gone(a->d->f, a->p->src, a->head.peer_group, a->head.generation);
}

/* Queue what is sent back: bytes, or what became of the operation. */
static void arrival_answer(const struct tofu_arrival *a, u32 kind, const struct tofu_came *out)
{
	struct tofu_flow *flow;

	if (arrival_left(a))
		return;
	flow = tofu_reply_new(a->d, arrival_replies(a), a->p->src, a->head.peer_group,
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

static struct tofu_flows *arrival_list(const struct tofu_arrival *a)
{
	return &a->e->tni[tofu_queue_engine(a->head.queue)].from[a->p->group];
}

/* A put may let commands of the queue that it was for start. */
static void arrival_steps(const struct tofu_arrival *a)
{
	struct tofu_flows *list = arrival_list(a);

	tofu_flows_begin(list, a->nic->generation);
	tofu_flows_step(list, tofu_queue_vcq(a->head.queue), a->head.steps);
}

/*
 * Is an answer due?  Failure reports that the sender did not request are bounded in number, and
 * sent only while memory is left.
 */
static bool arrival_answers(const struct tofu_arrival *a, u32 code)
{
	if (a->head.flags & TOFU_TELL_LOCAL)
		return true;
	return code && arrival_replies(a)->count < UNASKED_MAX &&
	       torus_growth_spare(sizeof(struct tofu_flow));
}

static void arrive_put(const struct tofu_arrival *a)
{
	struct torus_access access = arrival_access(a, TORUS_ACCESS_WRITE, true);
	struct tofu_came out = { .code = arrival_reach(a, &access) };

	/* those before the last fail as it does: each is checked with the whole range */
	if (!(a->head.flags & TOFU_LAST))
		return;
	arrival_counters(a)->refused += !!out.code;
	if (!out.code && !a->whole)
		out.code = TORUS_TOFU_LOST;
	if (!out.code)
		arrival_steps(a);
	if (!out.code && a->head.flags & TOFU_TELL_REMOTE)
		arrival_tell(a, TORUS_TOFU_RMT_PUT, &out, false);
	if (arrival_answers(a, out.code))
		arrival_answer(a, TOFU_KIND_ANSWER, &out);
}

static void arrive_get(const struct tofu_arrival *a)
{
	struct torus_access access = arrival_access(a, TORUS_ACCESS_READ, true);
	struct tofu_came out = { .code = arrival_reach(a, &access) };

	if (arrival_left(a))
		return;
	if (!out.code && tofu_gets_full(arrival_replies(a), a->p->src, a->head.peer_group,
					a->head.generation))
		out.code = TORUS_TOFU_BUSY;
	arrival_counters(a)->refused += !!out.code;
	arrival_answer(a, out.code ? TOFU_KIND_ANSWER : TOFU_KIND_DATA, &out);
}

static void arrive_atomic(const struct tofu_arrival *a)
{
	struct torus_access access = arrival_access(a, TORUS_ACCESS_ATOMIC, true);
	struct tofu_came out = { 0 };
	u64 words[2];

	memcpy(words, arrival_bytes(a), sizeof(words));
	access.atomic = a->head.op;
	access.length = a->head.total;
	access.operand = a->head.total == 4 ? (u32)words[0] : words[0];
	access.compare = a->head.total == 4 ? (u32)words[1] : words[1];
	out.code = arrival_reach(a, &access);
	arrival_counters(a)->refused += !!out.code;
	if (!out.code)
		out.value = access.value;
	if (!out.code && a->head.flags & TOFU_TELL_REMOTE)
		arrival_tell(a, TORUS_TOFU_RMT_ATOMIC, &(struct tofu_came){ 0 }, false);
	if (arrival_answers(a, out.code))
		arrival_answer(a, TOFU_KIND_ANSWER, &out);
}

/* An operation of this node's has been answered: there is room for one more. */
static void arrival_closes(const struct tofu_arrival *a)
{
	struct tofu_flows *list = arrival_list(a);

	if (list->generation == a->nic->generation && list->open)
		list->open--;
}

static void arrive_data(const struct tofu_arrival *a)
{
	struct torus_access access = arrival_access(a, TORUS_ACCESS_WRITE, false);
	struct tofu_came out = { 0 };

	if (!a->nic)
		return;
	out.code = tofu_access(a->nic, &access);
	if (!(a->head.flags & TOFU_LAST))
		return;
	if (!out.code && !a->whole)
		out.code = TORUS_TOFU_LOST;
	arrival_counters(a)->errors += !!out.code;
	arrival_closes(a);
	if (out.code || a->head.flags & TOFU_TELL_LOCAL)
		arrival_tell(a, TORUS_TOFU_LCL_GET, &out, false);
}

static void arrive_answer(const struct tofu_arrival *a)
{
	static const u8 types[] = {
		[TOFU_KIND_PUT] = TORUS_TOFU_LCL_PUT,
		[TOFU_KIND_GET] = TORUS_TOFU_LCL_GET,
		[TOFU_KIND_ATOMIC] = TORUS_TOFU_LCL_ATOMIC,
	};
	struct tofu_came out = { .code = a->head.code };

	if (!a->nic)
		return;
	memcpy(&out.value, arrival_bytes(a), sizeof(out.value));
	if (a->head.op == TOFU_KIND_GET || a->head.flags & TOFU_TELL_LOCAL)
		arrival_closes(a);
	arrival_counters(a)->errors += !!out.code;
	arrival_tell(a, types[a->head.op], &out, out.code && out.code != TORUS_TOFU_LOST);
}

/* A packet's bytes are in the node: what it asks for is done. */
static void arrive(struct torus_domain *d, u32 node, struct tofu_node_engines *e, u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct tofu_arrival a = {
		.d = d, .e = e, .node = node, .p = p,
		.nic = tofu_holder(d->f, node, p->group, p->generation),
	};

	memcpy(&a.head, arrival_bytes(&a) - sizeof(a.head), sizeof(a.head));
	if (a.head.kind == TOFU_KIND_PUT || a.head.kind == TOFU_KIND_DATA)
		a.whole = tofu_stream_take(d, e, p, &a.head);
	switch (a.head.kind) {
	case TOFU_KIND_PUT:
		arrive_put(&a);
		break;
	case TOFU_KIND_GET:
		arrive_get(&a);
		break;
	case TOFU_KIND_ATOMIC:
		arrive_atomic(&a);
		break;
	case TOFU_KIND_DATA:
		arrive_data(&a);
		break;
	default:
		arrive_answer(&a);
	}
}

/**
 * tofu_engine_arrivals() - packets whose bytes are in the node by now, and word of lost ones
 * @d: the domain
 * @node: the node
 * @e: its engines
 */
void tofu_engine_arrivals(struct torus_domain *d, u32 node, struct tofu_node_engines *e)
{
	u32 pkt;

	while (e->lost != TORUS_NONE) {
		pkt = e->lost;
		e->lost = torus_packet_at(d, pkt)->next;
		arrive(d, node, e, pkt);
		torus_packet_free(d, pkt);
	}
	while (e->arrived != TORUS_NONE) {
		struct torus_packet *p;

		pkt = e->arrived;
		p = torus_packet_at(d, pkt);
		/* its low 48 bits: the tick is at most 2^47 away */
		if (torus_packet_since(d->now, p->entered) >> 47)
			return;
		e->arrived = pkt == e->arrived_tail ? TORUS_NONE : p->next;
		arrive(d, node, e, pkt);
		torus_packet_free(d, pkt);
	}
}

/* Is it one that an engine sends?  A link's damage may have escaped every CRC. */
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

/**
 * tofu_head_of() - the head of an engine's packet
 * @d: the domain
 * @p: the packet
 * @head: out
 *
 * Return: false if no engine has sent it.
 */
bool tofu_head_of(struct torus_domain *d, const struct torus_packet *p, struct tofu_head *head)
{
	/* nor has it if an error led a user's packet here, whatever it carries */
	if (p->body == TORUS_NONE || p->flags & TORUS_PACKET_USER ||
	    p->chunks * TOFU_CHUNK_BYTES < TOFU_DATA_AT)
		return false;
	memcpy(head, torus_body_at(&d->bodies, p->body)->bytes + TOFU_HEAD_AT, sizeof(*head));
	return packet_sound(d, head, p->chunks);
}

/**
 * tofu_engine_take() - the last byte of an engine's packet has come
 * @d: the destination's domain
 * @node: the destination
 * @pkt: the packet: delivered, and on its way into memory; or dropped
 */
void tofu_engine_take(struct torus_domain *d, u32 node, u32 pkt)
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

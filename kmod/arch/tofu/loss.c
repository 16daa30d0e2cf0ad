// SPDX-License-Identifier: GPL-2.0
/*
 * Handle lost packets of engines. For example, a node failed, a link is dead, or a buffer had an
 * uncorrectable error.
 *
 * Each operation completes once, with its last packet or its reply. If that packet is lost, a
 * synthetic reply completes the operation LOSS_TICKS later, whichever domain the requester is in.
 * If an earlier packet is lost, the receiver detects the gap, because packets of an operation
 * arrive in order. It reports the gap when the last packet has arrived.
 */
#include "arch/tofu/receive.h"
#include "arch/tofu/loss.h"
#include "core/state/mail.h"
#include "core/state/packets.h"
#include "arch/tofu/engine.h"

/*
 * Ticks from a loss to its synthetic reply: 100 us. By then, packets sent before the lost packet
 * have arrived, unless the network is blocked. The delay exceeds any window, so the reply may go to
 * another domain.
 */
#define LOSS_TICKS	125000u

/**
 * struct tofu_stream - an operation of several packets that this node receives
 *
 * @next: next stream of the hash bucket
 * @src: index of the sender's node
 * @number: the sender's number of the operation
 * @expected: offset of the next packet, in bytes
 * @engine: engine of @src
 * @list: list of @engine that sends the operation: FIFO group of @src, or for replies TOFU_REPLIES
 *   plus the FIFO group of this node
 * @path: path of its packets
 *
 * An engine sends the operations of a list, and the replies to one program, one after the other.
 * Packets on one path arrive in order. Therefore there is at most one stream for each source,
 * engine, list and path.
 */
struct tofu_stream {
	struct tofu_stream *next;
	u32 src;
	u32 number;
	u32 expected;
	u8 engine;
	u8 list;
	u8 path;
};

static bool stream_same(const struct tofu_stream *s, const struct tofu_stream *key)
{
	return s->src == key->src && s->engine == key->engine && s->list == key->list &&
	       s->path == key->path;
}

static struct tofu_stream **stream_find(struct tofu_node_engines *e, const struct tofu_stream *key)
{
	struct tofu_stream **at = &e->stream[key->src % TOFU_STREAMS];

	while (*at && !stream_same(*at, key))
		at = &(*at)->next;
	return at;
}

/*
 * Start a stream with its first packet. If the previous operation is incomplete, the rest of it
 * is lost.
 */
static void stream_begin(struct torus_domain *d, struct tofu_stream **at,
			 const struct tofu_stream *key, u32 length)
{
	if (!*at) {
		*at = torus_grow(sizeof(**at));
		if (!*at) {
			d->failed = true;
			return;
		}
		**at = *key;
		(*at)->next = NULL;
	}
	(*at)->number = key->number;
	(*at)->expected = length;
}

static void stream_drop(struct tofu_stream **at)
{
	struct tofu_stream *s = *at;

	*at = s->next;
	torus_free(s, sizeof(*s));
}

/**
 * tofu_stream_check() - check a packet of a put, or of a get's data, for a gap
 * @d: the domain of its destination
 * @e: the engines of the destination
 * @p: the packet
 * @head: its header
 *
 * Return: false if an earlier packet of its operation is missing.
 */
bool tofu_stream_check(struct torus_domain *d, struct tofu_node_engines *e,
		       struct torus_packet *p, const struct tofu_head *head)
{
	const struct tofu_stream key = {
		.src = p->src, .number = torus_body_at(&d->bodies, p->body)->sender.number,
		.engine = (u8)tofu_queue_engine(head->peer_queue), .path = tofu_fields(p)->path,
		.list = head->kind == TOFU_KIND_DATA ? (u8)(TOFU_REPLIES + p->group) :
						       head->peer_group,
	};
	bool last = head->flags & TOFU_LAST, whole;
	struct tofu_stream **at;

	if (last && !head->offset)
		return true;
	at = stream_find(e, &key);
	if (!head->offset) {
		stream_begin(d, at, &key, head->length);
		return true;
	}
	whole = *at && (*at)->number == key.number && (*at)->expected == head->offset;
	if (whole)
		(*at)->expected += head->length;
	if (last && *at)
		stream_drop(at);
	return whole;
}

/* Discard all streams of a node. */
void tofu_streams_drop(struct tofu_node_engines *e)
{
	u32 i;

	for (i = 0; i < TOFU_STREAMS; i++)
		while (e->stream[i])
			stream_drop(&e->stream[i]);
}

/* ---------------------------------------------------------------- synthetic replies */

/*
 * Send a synthetic reply to the program that posted an operation.
 *
 * @d: the domain that detected the loss
 * @node: node from which the reply is missing
 * @answer: the missing reply, of kind TOFU_KIND_ANSWER
 * @to: destination, FIFO group and generation of the reply
 * @number: number of the operation
 */
void tofu_loss_report(struct torus_domain *d, u32 node, const struct tofu_head *answer,
		      const struct torus_packet *to, u32 number)
{
	u32 pkt = torus_pool_get(&d->pool), body = torus_bodies_get(&d->bodies);
	struct tofu_head head = *answer;
	const struct torus_packet p = {
		.src = node, .dst = to->dst, .group = to->group, .generation = to->generation,
		.chunks = (u8)tofu_chunks(sizeof(u64)), .next = TORUS_NONE, .body = body,
	};
	struct torus_body *b;

	if (pkt == TORUS_NONE || body == TORUS_NONE) {
		d->failed = true;
		return;
	}
	head.code = TORUS_TOFU_LOST;
	head.offset = 0;
	head.length = sizeof(u64);
	b = torus_body_at(&d->bodies, body);
	b->sender = (struct torus_sender){ .number = number };
	memset(b->bytes, 0, p.chunks * TOFU_CHUNK_BYTES);
	memcpy(b->bytes + TOFU_HEAD_AT, &head, sizeof(head));
	torus_pool_fill(&d->pool, pkt, &p);
	torus_send_packet(d, d->now + LOSS_TICKS, (struct torus_event){
		.kind = TORUS_EV_NIC, .node = p.dst, .pkt = pkt,
	});
}

/* Return the engine header of the reply to a lost request. */
static struct tofu_head loss_request(const struct tofu_head *asked, const struct torus_packet *p)
{
	struct tofu_head answer = *asked;

	answer.kind = TOFU_KIND_ANSWER;
	answer.op = asked->kind;
	answer.queue = asked->peer_queue;
	answer.peer_queue = asked->queue;
	answer.peer_group = p->group;
	return answer;
}

/*
 * Complete the operation of a lost packet.
 *
 * @d: the domain in which the packet was lost
 * @p: the packet, which has bytes; ignored unless it is the last of an engine's operation
 */
void tofu_loss_packet(struct torus_domain *d, struct torus_packet *p)
{
	const struct tofu_fields *fields = tofu_fields(p);
	u32 number = torus_body_at(&d->bodies, p->body)->sender.number;
	struct torus_packet to = *p;
	struct tofu_head head;

	if (p->flags & TORUS_PACKET_USER || fields->fifo != TORUS_TOFU_FIFO_GATE ||
	    fields->sw >> TORUS_TOFU_KIND_SHIFT != TORUS_TOFU_KIND_ENGINE ||
	    !tofu_head_of(d, p, &head) || !(head.flags & TOFU_LAST))
		return;
	switch (head.kind) {
	case TOFU_KIND_ANSWER:
		tofu_loss_report(d, p->src, &head, &to, number);
		break;
	case TOFU_KIND_DATA:
		head.kind = TOFU_KIND_ANSWER;
		head.op = TOFU_KIND_GET;
		tofu_loss_report(d, p->src, &head, &to, number);
		break;
	default:
		to.dst = p->src;
		to.group = head.peer_group;
		to.generation = head.generation;
		head = loss_request(&head, p);
		tofu_loss_report(d, p->dst, &head, &to, number);
	}
}

/*
 * Compare two synthetic replies that arrive in one tick. They are handled in this order, so that
 * the result is deterministic.
 */
static bool loss_before(struct torus_domain *d, u32 a, u32 b)
{
	const struct torus_packet *left = torus_packet_at(d, a), *right = torus_packet_at(d, b);
	const struct torus_body *l = torus_body_at(&d->bodies, left->body);
	const struct torus_body *r = torus_body_at(&d->bodies, right->body);

	if (left->src != right->src)
		return left->src < right->src;
	if (l->sender.number != r->sender.number)
		return l->sender.number < r->sender.number;
	return memcmp(l->bytes + TOFU_HEAD_AT, r->bytes + TOFU_HEAD_AT,
		      sizeof(struct tofu_head)) < 0;
}

/*
 * Queue a synthetic reply, which is handled after the tick's events.
 *
 * @node: node of the program
 * @pkt: the reply
 */
void tofu_loss_reply(struct torus_domain *d, u32 node, u32 pkt)
{
	struct tofu_node_engines *e = tofu_engines_at(d, node);
	u32 *at;

	if (!e)
		return;
	at = &e->lost;
	while (*at != TORUS_NONE && loss_before(d, *at, pkt))
		at = &torus_packet_at(d, *at)->next;
	torus_packet_at(d, pkt)->next = *at;
	*at = pkt;
}

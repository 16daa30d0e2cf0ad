// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of engines that the network has lost for good: a node failed, a link was given up, an
 * uncorrectable error in a buffer.
 *
 * An operation ends once: with its last packet, or with the answer to it.  Where that one is
 * lost, word of it goes to who posted the operation, LOST_TICKS later, whatever the domains; it
 * stands in for the answer that will not come, and so gives the operation's place back.  A
 * packet before the last leaves a hole: packets of an operation come in order, so the receiver
 * sees it, and says so when the last one has come.
 */
#include "arch/tofu/arrive.h"
#include "arch/tofu/lost.h"
#include "core/state/mail.h"
#include "core/state/packets.h"
#include "arch/tofu/engine.h"

/*
 * 100 us: a network that moves has brought by then what was under way before the lost packet.
 * Longer than any window, so that word may go to another domain.
 */
#define LOST_TICKS	125000u

/**
 * struct tofu_stream - an operation of several packets, on its way into this node
 * @next: another one
 * @src: index of the node that sends it
 * @number: by which that node's engine knows it
 * @expected: bytes of it that have come; those of the next packet begin there
 * @engine: of @src
 * @list: FIFO group of @src that sends it; TOFU_REPLIES and this node's group that asked for it
 * @path: of its packets
 *
 * A group's list, and the replies to one program, are sent one operation after the other, and
 * what goes by one path comes in order: there is one at a time of each source, engine, list and
 * path.
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

/* The first of several packets has come; whatever was left of the operation before is lost. */
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
 * tofu_stream_take() - a packet of a put's, or of a get's data, has come
 * @d: the domain of its destination
 * @e: the engines there
 * @p: the packet
 * @head: its head
 *
 * Return: of an operation's last packet, false if one before it has not come.
 */
bool tofu_stream_take(struct torus_domain *d, struct tofu_node_engines *e,
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

/**
 * tofu_streams_drop() - nothing that is under way is waited for
 * @e: engines of a node
 */
void tofu_streams_drop(struct tofu_node_engines *e)
{
	u32 i;

	for (i = 0; i < TOFU_STREAMS; i++)
		while (e->stream[i])
			stream_drop(&e->stream[i]);
}

/* ------------------------------------------------------------------- word of it */

/**
 * tofu_lost_tell() - who posted an operation is told that it will not be answered
 * @d: the domain where that is known
 * @node: the node that did not answer
 * @answer: the answer that it would have given, of kind TOFU_KIND_ANSWER
 * @to: where the answer would have gone: destination, FIFO group and generation of that
 * @number: of the operation
 */
void tofu_lost_tell(struct torus_domain *d, u32 node, const struct tofu_head *answer,
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
	torus_send_packet(d, d->now + LOST_TICKS, (struct torus_event){
		.kind = TORUS_EV_NIC, .node = p.dst, .pkt = pkt,
	});
}

/* The answer that a request would have had. */
static struct tofu_head lost_request(const struct tofu_head *asked, const struct torus_packet *p)
{
	struct tofu_head answer = *asked;

	answer.kind = TOFU_KIND_ANSWER;
	answer.op = asked->kind;
	answer.queue = asked->peer_queue;
	answer.peer_queue = asked->queue;
	answer.peer_group = p->group;
	return answer;
}

/**
 * tofu_engine_lost() - a packet ends without having arrived
 * @d: the domain where it was
 * @p: the packet, which has bytes, of an engine's or not
 */
void tofu_engine_lost(struct torus_domain *d, struct torus_packet *p)
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
		tofu_lost_tell(d, p->src, &head, &to, number);
		break;
	case TOFU_KIND_DATA:
		head.kind = TOFU_KIND_ANSWER;
		head.op = TOFU_KIND_GET;
		tofu_lost_tell(d, p->src, &head, &to, number);
		break;
	default:
		to.dst = p->src;
		to.group = head.peer_group;
		to.generation = head.generation;
		head = lost_request(&head, p);
		tofu_lost_tell(d, p->dst, &head, &to, number);
	}
}

/* Two words that come in one tick: in whatever order, they are told in this one. */
static bool lost_before(struct torus_domain *d, u32 a, u32 b)
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

/**
 * tofu_engine_hand() - word of a lost packet has come
 * @d: the domain
 * @node: who is told, when the tick's events have been applied
 * @pkt: an answer
 */
void tofu_engine_hand(struct torus_domain *d, u32 node, u32 pkt)
{
	struct tofu_node_engines *e = tofu_engines_at(d, node);
	u32 *at;

	if (!e)
		return;
	at = &e->lost;
	while (*at != TORUS_NONE && lost_before(d, *at, pkt))
		at = &torus_packet_at(d, *at)->next;
	torus_packet_at(d, pkt)->next = *at;
	*at = pkt;
}

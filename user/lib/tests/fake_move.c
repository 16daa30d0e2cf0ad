// SPDX-License-Identifier: GPL-2.0
/* Move packets from ring to ring, with the errors that a test requests: see fake.h. */
#include <stdlib.h>
#include <string.h>
#include <torus/bgl.h>
#include "fake.h"

#define STEP_TICKS	50

/* Count a completed packet; if it was lost, write a notice with @reason. */
static void fake_ended(const struct fake_packet *packet, int reason)
{
	struct fake_node *from = packet->from;
	struct torus_status_notice *status;

	if (!from || !from->notices)
		return;
	status = fake_status_notice(from);
	if (reason >= 0) {
		uint32_t head = __atomic_load_n(&fake_control_notice(from)->head, __ATOMIC_ACQUIRE);
		struct fake_head to;

		fake_head_read(from->fake, packet->bytes, &to);
		if (status->tail - head == FAKE_NOTICES) {
			__atomic_store_n(&status->lost, status->lost + 1, __ATOMIC_RELEASE);
		} else {
			from->notices[status->tail % FAKE_NOTICES] = (struct torus_notice) {
				.fifo = packet->inject_fifo, .index = packet->index,
				.reason = reason, .group = to.group,
				.node = fake_number(from->fake, to.dest),
				.dest = fake_number(from->fake, to.dest),
			};
			__atomic_store_n(&status->tail, status->tail + 1, __ATOMIC_RELEASE);
		}
	}
	__atomic_store_n(&status->completed, status->completed + 1, __ATOMIC_RELEASE);
}

static void fake_queue_append(struct fake_queue *queue, struct fake_packet *packet)
{
	packet->next = NULL;
	if (queue->last)
		queue->last->next = packet;
	else
		queue->first = packet;
	queue->last = packet;
	queue->count++;
}

struct fake_packet *fake_queue_take(struct fake_queue *queue, unsigned int index)
{
	struct fake_packet **link = &queue->first, *last = NULL, *packet;

	for (; index--; link = &(*link)->next)
		last = *link;
	packet = *link;
	*link = packet->next;
	if (queue->last == packet)
		queue->last = last;
	queue->count--;
	return packet;
}

static struct fake_packet *fake_packet_copy(const struct fake_packet *packet)
{
	struct fake_packet *copy = malloc(sizeof(*copy));

	if (!copy)
		abort();
	*copy = *packet;
	copy->from = NULL;
	return copy;
}

static bool fake_ring_write(struct fake_node *node, const struct fake_packet *packet)
{
	uint32_t size = node->fake->config.receive_chunks;
	uint32_t head = __atomic_load_n(&fake_control_receive(node, packet->fifo)->head,
					__ATOMIC_ACQUIRE);
	uint32_t *tail = &node->tail[packet->fifo];
	unsigned int i, chunk = fake_chunk(node->fake);

	if (size - (*tail - head) < packet->chunks)
		return false;
	for (i = 0; i < packet->chunks; i++)
		memcpy((unsigned char *)node->receive[packet->fifo] + chunk * ((*tail + i) % size),
		       packet->bytes + chunk * i, chunk);
	*tail += packet->chunks;
	__atomic_store_n(&fake_status_receive(node, packet->fifo)->tail, *tail, __ATOMIC_RELEASE);
	return true;
}

/* Write a packet into a reception ring directly. */
void fake_deliver(struct fake *fake, unsigned int node, unsigned int fifo, const void *bytes)
{
	struct fake_packet packet = { .fifo = fifo };
	struct fake_head head;

	fake_head_read(fake, bytes, &head);
	packet.chunks = head.chunks;
	memcpy(packet.bytes, bytes, fake_chunk(fake) * packet.chunks);
	if (!fake_ring_write(&fake->node[node], &packet))
		abort();
}

static void fake_garbage(struct fake *fake, unsigned int to)
{
	struct fake_packet packet;
	struct fake_head head;
	unsigned int i;

	for (i = 0; i < FAKE_PACKET; i++)
		packet.bytes[i] = fake_random(&fake->random);
	fake_head_read(fake, packet.bytes, &head);
	packet.chunks = head.chunks;
	if (fake->config.xt && head.chunks > FAKE_XT_CHUNKS) {
		packet.chunks = FAKE_XT_CHUNKS;
		fake->node[to].context->machine->resize(packet.bytes, packet.chunks);
	}
	packet.fifo = fake_random(&fake->random) %
		      fake->node[to].context->info.receive_fifos;
	fake->garbage += fake_ring_write(&fake->node[to], &packet);
}

static void fake_refuse(struct fake_node *from, struct fake_packet *packet, unsigned int code)
{
	struct torus_status_inject *status = fake_status_inject(from, packet->fifo);

	__atomic_store_n(&status->refuse_code, code, __ATOMIC_RELAXED);
	__atomic_store_n(&status->refused, ++from->refused, __ATOMIC_RELEASE);
	free(packet);
}

/**
 * struct fake_path - the nodes at which a packet is delivered
 * @nodes: array of nodes in the order of delivery
 * @count: number of nodes; 0: the packet is rejected
 * @code: reason of the rejection
 * @dir: direction of a deposit
 */
struct fake_path {
	unsigned int nodes[FAKE_NODES_MAX];
	unsigned int count;
	unsigned int code;
	unsigned int dir;
};

/*
 * Compute the nodes at which a deposit packet leaves a copy: all nodes up to its destination, in
 * the direction of its only hint bit.
 */
static void way_line(struct fake *fake, struct fake_node *from,
		     const struct fake_head *header, struct fake_path *way)
{
	const uint32_t *dims = fake->config.dims;
	unsigned int dim, last;
	uint32_t at[3];

	if (__builtin_popcount(header->hints) != 1) {
		way->code = TORUS_REFUSE_DEPOSIT;
		return;
	}
	way->dir = __builtin_clz(header->hints) - __builtin_clz(TORUS_BGL_HINT_XP);
	dim = way->dir / 2;
	last = way->dir & 1 ? 0 : dims[dim] - 1;
	fake_coords(fake, from->number, at);
	do {
		if (way->count == dims[dim] || (fake->config.mesh >> dim & 1 && at[dim] == last)) {
			way->code = TORUS_REFUSE_UNREACHABLE;
			way->count = 0;
			return;
		}
		at[dim] = (at[dim] + (way->dir & 1 ? dims[dim] - 1 : 1)) % dims[dim];
		way->nodes[way->count++] = fake_number(fake, at);
	} while (at[0] != header->dest[0] || at[1] != header->dest[1] ||
		 at[2] != header->dest[2]);
}

static void way_find(struct fake *fake, struct fake_node *from,
		     const struct fake_head *header, struct fake_path *way)
{
	const uint32_t *dest = header->dest;
	const uint32_t *dims = fake->config.dims;

	way->count = 0;
	way->code = TORUS_REFUSE_NONE;
	if (dest[0] >= dims[0] || dest[1] >= dims[1] || dest[2] >= dims[2]) {
		way->code = TORUS_REFUSE_DESTINATION;
	} else if (header->deposit) {
		way_line(fake, from, header, way);
	} else {
		way->nodes[0] = fake_number(fake, dest);
		way->count = 1;
	}
}

static void fake_route(struct fake *fake, struct fake_node *from, struct fake_packet *packet,
		       const struct fake_head *header, const struct fake_path *way)
{
	struct fake_node *to = &fake->node[way->nodes[0]];
	unsigned int i;

	fake->packets++;
	if ((fake->config.lose && fake->packets == fake->config.lose) ||
	    (fake->config.losses && !(fake_random(&fake->random) % fake->config.losses))) {
		fake_ended(packet, TORUS_DROP_RX_STALL);
		free(packet);
		return;
	}
	if (fake->config.corrupt && fake->packets == fake->config.corrupt)
		packet->bytes[40] ^= 0x10;
	if (header->deposit) {
		packet->fifo = header->priority ? TORUS_BGL_RECEIVE_PRIORITY : way->dir;
		for (i = 0; i < way->count; i++) {
			struct fake_node *at = &fake->node[way->nodes[i]];

			if (at->context)
				fake_queue_append(header->dynamic ? &at->loose : &at->ordered,
						  fake_packet_copy(packet));
			fake->deposits++;
		}
		fake_ended(packet, -1);
		free(packet);
		return;
	}
	if (!to->context ||
	    (!fake->config.hold && __atomic_load_n(&to->absent, __ATOMIC_RELAXED))) {
		fake_ended(packet, TORUS_DROP_NO_LISTENER);
		free(packet);
		return;
	}
	if (fake->config.garbage && !(fake_random(&fake->random) % fake->config.garbage))
		fake_garbage(fake, to->number);
	if (fake->config.xt)
		packet->fifo = header->second;
	else if (header->dynamic)
		packet->fifo = fake_random(&fake->random) % 6;
	else	/* all packets that keep their order go to one reception FIFO */
		packet->fifo = header->priority ? TORUS_BGL_RECEIVE_PRIORITY :
			       (from->number * 7 + to->number) % 6;
	fake_queue_append(header->dynamic ? &to->loose : &to->ordered, packet);
}

static bool fake_inject_step(struct fake *fake, struct fake_node *node, unsigned int i)
{
	uint32_t tail = __atomic_load_n(&fake_control_inject(node, i)->tail, __ATOMIC_ACQUIRE);
	uint32_t size = fake->config.inject_chunks;
	unsigned int chunk = fake_chunk(fake);
	const unsigned char *ring = node->inject[i];
	struct fake_head header;
	struct fake_packet *packet;
	struct fake_path way;
	unsigned int j;
	uint32_t at;

	if (node->head[i] == tail)
		return false;
	at = node->head[i] % size;
	fake_head_read(fake, ring + chunk * at, &header);
	way_find(fake, node, &header, &way);
	for (j = 0; j < way.count; j++) {
		const struct fake_node *to = &fake->node[way.nodes[j]];

		if (to->ordered.count + to->loose.count >= fake->config.queue_max)
			return false;
	}
	packet = calloc(1, sizeof(*packet));
	if (!packet)
		abort();
	packet->fifo = i;
	packet->from = node;
	packet->inject_fifo = i;
	packet->index = node->head[i];
	packet->chunks = header.chunks;
	if (packet->chunks > tail - node->head[i])
		abort();
	for (j = 0; j < packet->chunks; j++)
		memcpy(packet->bytes + chunk * j, ring + chunk * ((node->head[i] + j) % size),
		       chunk);
	node->head[i] += packet->chunks;
	if (way.count)
		__atomic_store_n(&fake_status_inject(node, i)->packets,
				 fake_status_inject(node, i)->packets + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&fake_status_inject(node, i)->head, node->head[i], __ATOMIC_RELEASE);
	if (way.count)
		fake_route(fake, node, packet, &header, &way);
	else
		fake_refuse(node, packet, way.code);
	return true;
}

static bool fake_deliver_step(struct fake *fake, struct fake_node *node, struct fake_queue *queue,
			      bool shuffle)
{
	struct fake_packet *packet, *again = NULL;
	unsigned int index = 0;

	if (!queue->count)
		return false;
	if (__atomic_load_n(&node->absent, __ATOMIC_RELAXED)) {
		if (fake->config.hold)
			return false;
		packet = fake_queue_take(queue, 0);
		fake_ended(packet, TORUS_NOTICE_READER_GONE);
		free(packet);
		return true;
	}
	if (shuffle)
		index = fake_random(&fake->random) % queue->count;
	for (packet = queue->first; index && packet; packet = packet->next)
		index--;
	if (!fake_ring_write(node, packet))
		return false;
	for (again = queue->first; again != packet; again = again->next)
		index++;
	packet = fake_queue_take(queue, index);
	if (fake->config.duplicate && !(fake_random(&fake->random) % fake->config.duplicate)) {
		fake->duplicates++;
		fake_queue_append(&node->loose, fake_packet_copy(packet));
	}
	fake_ended(packet, -1);
	free(packet);
	return true;
}

/* Move a few packets at each stage.  Return: true if a packet has moved. */
bool fake_step(struct fake *fake)
{
	bool worked = false;
	unsigned int i, j;

	for (i = 0; i < fake->config.nodes; i++) {
		struct fake_node *node = &fake->node[i];

		for (j = 0; j < TORUS_BGL_INJECT_FIFOS; j++)
			worked |= fake_inject_step(fake, node, j);
		for (j = 0; j < 4; j++) {
			worked |= fake_deliver_step(fake, node, &node->ordered, false);
			worked |= fake_deliver_step(fake, node, &node->loose, fake->config.shuffle);
		}
	}
	if (!worked)
		return false;
	fake->clock += STEP_TICKS;
	for (i = 0; i < fake->config.nodes; i++)
		__atomic_store_n((__u64 *)(fake->node[i].status + 128), fake->clock,
				 __ATOMIC_RELAXED);
	return true;
}

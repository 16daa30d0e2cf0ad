// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's side of the rings, in memory: see fake.h.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <torus/bgl.h>
#include "fake.h"

#define PAGE		4096
#define QUEUE_MAX	64
#define STEP_TICKS	50
#define NAP_SECONDS	5

__u64 fake_random(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static struct torus_status_inject *status_inject(struct fake_node *node, unsigned int i)
{
	return (struct torus_status_inject *)(node->status + 256) + i;
}

static struct torus_status_receive *status_receive(struct fake_node *node, unsigned int i)
{
	return (struct torus_status_receive *)(node->status + 1024) + i;
}

static struct torus_control_inject *control_inject(struct fake_node *node, unsigned int i)
{
	return (struct torus_control_inject *)(node->control + 64) + i;
}

static struct torus_control_receive *control_receive(struct fake_node *node, unsigned int i)
{
	return (struct torus_control_receive *)(node->control + 1024) + i;
}

static int fake_doorbell(struct torus_context *context)
{
	struct fake_node *node = context->private;
	struct fake *fake = node->fake;

	pthread_mutex_lock(&fake->lock);
	fake->doorbell = true;
	fake->doorbells++;
	pthread_cond_signal(&fake->rung);
	pthread_mutex_unlock(&fake->lock);
	return 0;
}

static short fake_events(struct fake_node *node, short events)
{
	bool named = false, any = false;
	short found = 0;
	unsigned int i;

	for (i = 0; i < TORUS_BGL_RECEIVE_FIFOS; i++)
		if (__atomic_load_n(&status_receive(node, i)->tail, __ATOMIC_ACQUIRE) !=
		    __atomic_load_n(&control_receive(node, i)->head, __ATOMIC_ACQUIRE))
			found |= POLLIN;
	for (i = 0; i < TORUS_BGL_INJECT_FIFOS; i++) {
		__u32 want = __atomic_load_n(&control_inject(node, i)->want, __ATOMIC_ACQUIRE);
		__u32 room = node->fake->config.inject_chunks -
			     (__atomic_load_n(&control_inject(node, i)->tail, __ATOMIC_ACQUIRE) -
			      __atomic_load_n(&status_inject(node, i)->head, __ATOMIC_ACQUIRE));

		named |= want != 0;
		if (want && room >= want)
			found |= POLLOUT;
		any |= room >= 8;
	}
	if (any && !named)
		found |= POLLOUT;
	return found & events;
}

static int fake_poll(struct torus_context *context, short events, int timeout_ms)
{
	struct fake_node *node = context->private;
	struct fake *fake = node->fake;
	struct timespec until;
	short found;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += timeout_ms < 0 ? 60 : timeout_ms / 1000;
	until.tv_nsec += timeout_ms < 0 ? 0 : timeout_ms % 1000 * 1000000l;
	if (until.tv_nsec >= 1000000000l) {
		until.tv_nsec -= 1000000000l;
		until.tv_sec++;
	}
	pthread_mutex_lock(&fake->lock);
	fake->polls++;
	for (;;) {
		found = fake->dead ? POLLHUP : fake_events(node, events);
		if (found || pthread_cond_timedwait(&fake->moved, &fake->lock, &until))
			break;
	}
	pthread_mutex_unlock(&fake->lock);
	return found;
}

static unsigned int node_number(const struct fake *fake, const __u32 coords[3])
{
	const __u32 *dims = fake->config.dims;

	return coords[0] + dims[0] * (coords[1] + dims[1] * coords[2]);
}

static void node_coords(const struct fake *fake, unsigned int node, __u32 coords[3])
{
	const __u32 *dims = fake->config.dims;

	coords[0] = node % dims[0];
	coords[1] = node / dims[0] % dims[1];
	coords[2] = node / dims[0] / dims[1];
}

static int fake_locate(struct torus_context *context, struct torus_ioc_locate *locate)
{
	struct fake_node *node = context->private;

	if (locate->direction == TORUS_LOCATE_NODE)
		locate->node = node_number(node->fake, locate->coords);
	else
		node_coords(node->fake, locate->node, locate->coords);
	return 0;
}

static int fake_faults(struct torus_context *context, struct torus_route_map *map)
{
	const struct fake_node *node = context->private;
	__u32 i;
	int ret = 0;

	for (i = 0; i < context->info.nodes && !ret; i++)
		if (node->fake->config.dead >> i & 1)
			ret = torus_route_kill_node(map, i);
	return ret;
}

static const struct torus_context_ops fake_ops = {
	.doorbell = fake_doorbell,
	.poll = fake_poll,
	.locate = fake_locate,
	.faults = fake_faults,
};

static void node_start(struct fake *fake, unsigned int number)
{
	struct fake_node *node = &fake->node[number];
	struct torus_context *context = calloc(1, sizeof(*context));
	const __u32 *dims = fake->config.dims;
	unsigned int i;

	node->fake = fake;
	node->number = number;
	node->context = context;
	node->status = aligned_alloc(PAGE, PAGE);
	node->control = aligned_alloc(PAGE, PAGE);
	if (!context || !node->status || !node->control)
		abort();
	memset(node->status, 0, PAGE);
	memset(node->control, 0, PAGE);
	*(__u32 *)node->status = TORUS_STATE_ALIVE;
	/* Exactly as long as they are, so that ASan sees an access outside. */
	for (i = 0; i < TORUS_BGL_INJECT_FIFOS; i++)
		node->inject[i] = calloc(fake->config.inject_chunks, 32);
	for (i = 0; i < TORUS_BGL_RECEIVE_FIFOS; i++)
		node->receive[i] = calloc(fake->config.receive_chunks, 32);

	context->ops = &fake_ops;
	context->fd = -1;
	context->private = node;
	context->status = node->status;
	context->control = node->control;
	context->info = (struct torus_ioc_info) {
		.abi_version = TORUS_ABI_VERSION,
		.ndims = 3,
		.features = TORUS_FEATURE_PRIORITY | TORUS_FEATURE_WANT,
		.fabric = "fake",
		.arch = "bgl",
		.dims = { dims[0], dims[1], dims[2] },
		.mesh = fake->config.mesh,
		.nodes = dims[0] * dims[1] * dims[2],
		.node = number,
		.groups = 2,
		.chunk_bytes = 32,
		.packet_chunks_max = 8,
		.header_bytes = 8,
		.inject_fifos = TORUS_BGL_INJECT_FIFOS,
		.inject_priority = 1 << TORUS_BGL_INJECT_PRIORITY,
		.receive_fifos = TORUS_BGL_RECEIVE_FIFOS,
		.receive_priority = 1 << TORUS_BGL_RECEIVE_PRIORITY,
		.inject_chunks = fake->config.inject_chunks,
		.receive_chunks = fake->config.receive_chunks,
		.fifo_chunks = 32,
		.page_bytes = PAGE,
		.tick_fs = 5714286,
		.status_state_offset = 0,
		.status_flags_offset = 64,
		.status_clock_offset = 128,
		.status_bytes_offset = 192,
		.status_inject_offset = 256,
		.status_inject_stride = sizeof(struct torus_status_inject),
		.status_receive_offset = 1024,
		.status_receive_stride = sizeof(struct torus_status_receive),
		.control_inject_offset = 64,
		.control_inject_stride = sizeof(struct torus_control_inject),
		.control_receive_offset = 1024,
		.control_receive_stride = sizeof(struct torus_control_receive),
	};
	node_coords(fake, number, context->info.coords);
	if (torus_context_setup(context, node->inject, node->receive)) {
		fprintf(stderr, "setup: %s\n", torus_error_text());
		abort();
	}
}

static void queue_append(struct fake_queue *queue, struct fake_packet *packet)
{
	packet->next = NULL;
	if (queue->last)
		queue->last->next = packet;
	else
		queue->first = packet;
	queue->last = packet;
	queue->count++;
}

static struct fake_packet *queue_take(struct fake_queue *queue, unsigned int index)
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

static struct fake_packet *packet_copy(const struct fake_packet *packet)
{
	struct fake_packet *copy = malloc(sizeof(*copy));

	if (!copy)
		abort();
	*copy = *packet;
	return copy;
}

static bool ring_write(struct fake_node *node, const struct fake_packet *packet)
{
	__u32 size = node->fake->config.receive_chunks;
	__u32 head = __atomic_load_n(&control_receive(node, packet->fifo)->head,
				     __ATOMIC_ACQUIRE);
	__u32 *tail = &node->tail[packet->fifo];
	unsigned int i;

	if (size - (*tail - head) < packet->chunks)
		return false;
	for (i = 0; i < packet->chunks; i++)
		memcpy((unsigned char *)node->receive[packet->fifo] + 32 * ((*tail + i) % size),
		       packet->bytes + 32 * i, 32);
	*tail += packet->chunks;
	__atomic_store_n(&status_receive(node, packet->fifo)->tail, *tail, __ATOMIC_RELEASE);
	return true;
}

/* A packet for a ring without an engine's help. */
void fake_deliver(struct fake *fake, unsigned int node, unsigned int fifo, const void *bytes)
{
	struct fake_packet packet = { .fifo = fifo };

	packet.chunks = (((const unsigned char *)bytes)[2] >> 5) + 1;
	memcpy(packet.bytes, bytes, 32 * packet.chunks);
	if (!ring_write(&fake->node[node], &packet))
		abort();
}

static void garbage(struct fake *fake, unsigned int to)
{
	struct fake_packet packet;
	unsigned int i;

	for (i = 0; i < FAKE_PACKET; i++)
		packet.bytes[i] = fake_random(&fake->random);
	packet.chunks = (packet.bytes[2] >> 5) + 1;
	packet.fifo = fake_random(&fake->random) % TORUS_BGL_RECEIVE_FIFOS;
	fake->garbage += ring_write(&fake->node[to], &packet);
}

static void refuse(struct fake_node *from, struct fake_packet *packet, unsigned int code)
{
	struct torus_status_inject *status = status_inject(from, packet->fifo);

	__atomic_store_n(&status->refuse_code, code, __ATOMIC_RELAXED);
	__atomic_store_n(&status->refused, ++from->refused, __ATOMIC_RELEASE);
	free(packet);
}

/**
 * struct way - where a packet is left
 * @nodes: in this order
 * @count: how many; 0 when it is refused
 * @code: why
 * @dir: of a deposit
 */
struct way {
	unsigned int nodes[FAKE_NODES_MAX];
	unsigned int count;
	unsigned int code;
	unsigned int dir;
};

/* A deposit: one hint bit, and a copy at each node until the destination. */
static void find_line(struct fake *fake, struct fake_node *from,
		      const struct torus_bgl_header *header, struct way *way)
{
	const __u32 *dims = fake->config.dims;
	unsigned int dim, last;
	__u32 at[3];

	if (__builtin_popcount(header->hints) != 1) {
		way->code = TORUS_REFUSE_DEPOSIT;
		return;
	}
	way->dir = __builtin_clz(header->hints) - __builtin_clz(TORUS_BGL_HINT_XP);
	dim = way->dir / 2;
	last = way->dir & 1 ? 0 : dims[dim] - 1;
	node_coords(fake, from->number, at);
	do {
		if (way->count == dims[dim] || (fake->config.mesh >> dim & 1 && at[dim] == last)) {
			way->code = TORUS_REFUSE_UNREACHABLE;
			way->count = 0;
			return;
		}
		at[dim] = (at[dim] + (way->dir & 1 ? dims[dim] - 1 : 1)) % dims[dim];
		way->nodes[way->count++] = node_number(fake, at);
	} while (at[0] != header->dest[0] || at[1] != header->dest[1] ||
		 at[2] != header->dest[2]);
}

static void find_way(struct fake *fake, struct fake_node *from,
		     const struct torus_bgl_header *header, struct way *way)
{
	const __u32 dest[3] = { header->dest[0], header->dest[1], header->dest[2] };
	const __u32 *dims = fake->config.dims;

	way->count = 0;
	way->code = TORUS_REFUSE_NONE;
	if (dest[0] >= dims[0] || dest[1] >= dims[1] || dest[2] >= dims[2]) {
		way->code = TORUS_REFUSE_DESTINATION;
	} else if (header->deposit) {
		find_line(fake, from, header, way);
	} else {
		way->nodes[0] = node_number(fake, dest);
		way->count = 1;
	}
}

static void route(struct fake *fake, struct fake_node *from, struct fake_packet *packet,
		  const struct torus_bgl_header *header, const struct way *way)
{
	struct fake_node *to = &fake->node[way->nodes[0]];
	unsigned int i;

	fake->packets++;
	if (fake->config.lose && fake->packets == fake->config.lose) {
		free(packet);
		return;
	}
	if (fake->config.corrupt && fake->packets == fake->config.corrupt)
		packet->bytes[40] ^= 0x10;
	if (header->deposit) {
		packet->fifo = header->vc == TORUS_BGL_BP ? TORUS_BGL_RECEIVE_PRIORITY : way->dir;
		for (i = 0; i < way->count; i++) {
			struct fake_node *at = &fake->node[way->nodes[i]];

			if (at->context)
				queue_append(header->dynamic ? &at->loose : &at->ordered,
					     packet_copy(packet));
			fake->deposits++;
		}
		free(packet);
		return;
	}
	if (!to->context) {
		free(packet);
		return;
	}
	if (fake->config.garbage && !(fake_random(&fake->random) % fake->config.garbage))
		garbage(fake, to->number);
	if (header->dynamic) {
		packet->fifo = fake_random(&fake->random) % 6;
		queue_append(&to->loose, packet);
	} else {
		/* One way, one FIFO. */
		packet->fifo = header->vc == TORUS_BGL_BP ? TORUS_BGL_RECEIVE_PRIORITY :
			       (from->number * 7 + to->number) % 6;
		queue_append(&to->ordered, packet);
	}
}

static bool inject_step(struct fake *fake, struct fake_node *node, unsigned int i)
{
	__u32 tail = __atomic_load_n(&control_inject(node, i)->tail, __ATOMIC_ACQUIRE);
	__u32 size = fake->config.inject_chunks;
	const unsigned char *ring = node->inject[i];
	struct torus_bgl_header header;
	struct fake_packet *packet;
	struct way way;
	unsigned int j;
	__u32 at;

	if (node->head[i] == tail)
		return false;
	at = node->head[i] % size;
	torus_bgl_header_parse(ring + 32 * at, &header);
	find_way(fake, node, &header, &way);
	for (j = 0; j < way.count; j++) {
		const struct fake_node *to = &fake->node[way.nodes[j]];

		if (to->ordered.count + to->loose.count >= fake->config.queue_max)
			return false;
	}
	packet = calloc(1, sizeof(*packet));
	if (!packet)
		abort();
	packet->fifo = i;
	packet->chunks = (ring[32 * at + 2] >> 5) + 1;
	if (packet->chunks > tail - node->head[i])
		abort();
	for (j = 0; j < packet->chunks; j++)
		memcpy(packet->bytes + 32 * j, ring + 32 * ((node->head[i] + j) % size), 32);
	node->head[i] += packet->chunks;
	__atomic_store_n(&status_inject(node, i)->head, node->head[i], __ATOMIC_RELEASE);
	if (way.count)
		route(fake, node, packet, &header, &way);
	else
		refuse(node, packet, way.code);
	return true;
}

static bool deliver_step(struct fake *fake, struct fake_node *node, struct fake_queue *queue,
			 bool shuffle)
{
	struct fake_packet *packet, *again = NULL;
	unsigned int index = 0;

	if (!queue->count)
		return false;
	if (shuffle)
		index = fake_random(&fake->random) % queue->count;
	for (packet = queue->first; index && packet; packet = packet->next)
		index--;
	if (!ring_write(node, packet))
		return false;
	for (again = queue->first; again != packet; again = again->next)
		index++;
	packet = queue_take(queue, index);
	if (fake->config.duplicate && !(fake_random(&fake->random) % fake->config.duplicate)) {
		fake->duplicates++;
		queue_append(&node->loose, packet_copy(packet));
	}
	free(packet);
	return true;
}

/* Everything that can be done now, a little of each.  True if there was something. */
bool fake_step(struct fake *fake)
{
	bool worked = false;
	unsigned int i, j;

	for (i = 0; i < fake->config.nodes; i++) {
		struct fake_node *node = &fake->node[i];

		for (j = 0; j < TORUS_BGL_INJECT_FIFOS; j++)
			worked |= inject_step(fake, node, j);
		for (j = 0; j < 4; j++) {
			worked |= deliver_step(fake, node, &node->ordered, false);
			worked |= deliver_step(fake, node, &node->loose, fake->config.shuffle);
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

static void set_flags(struct fake *fake, __u32 flags)
{
	unsigned int i;

	for (i = 0; i < fake->config.nodes; i++)
		__atomic_store_n((__u32 *)(fake->node[i].status + 64), flags, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Sleep until a doorbell.  A sleep that ends by itself though there is work was a missed one. */
static void nap(struct fake *fake)
{
	struct timespec until;
	bool late = false;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += NAP_SECONDS;
	pthread_mutex_lock(&fake->lock);
	while (!fake->doorbell && !fake->stop && !late)
		late = pthread_cond_timedwait(&fake->rung, &fake->lock, &until);
	fake->doorbell = false;
	pthread_mutex_unlock(&fake->lock);
	set_flags(fake, 0);
	if (late && fake_step(fake))
		fake->missed++;
}

static void *engine(void *data)
{
	struct fake *fake = data;
	bool stop = false;

	while (!stop) {
		if (!fake_step(fake)) {
			set_flags(fake, TORUS_STATUS_DOORBELL);
			if (!fake_step(fake))
				nap(fake);
			else
				set_flags(fake, 0);
		}
		pthread_mutex_lock(&fake->lock);
		pthread_cond_broadcast(&fake->moved);
		stop = fake->stop || fake->dead;
		pthread_mutex_unlock(&fake->lock);
	}
	return NULL;
}

void fake_start(struct fake *fake, const struct fake_config *config)
{
	unsigned int i;

	memset(fake, 0, sizeof(*fake));
	fake->config = *config;
	if (!config->dims[0])
		for (i = 0; i < 3; i++)
			fake->config.dims[i] = 2;
	if (!config->queue_max)
		fake->config.queue_max = QUEUE_MAX;
	fake->random = 1;
	pthread_mutex_init(&fake->lock, NULL);
	pthread_cond_init(&fake->rung, NULL);
	pthread_cond_init(&fake->moved, NULL);
	for (i = 0; i < config->nodes; i++)
		node_start(fake, i);
}

void fake_run(struct fake *fake)
{
	if (pthread_create(&fake->thread, NULL, engine, fake))
		abort();
}

/* The fabric is deleted: zeros but for the state. */
void fake_kill(struct fake *fake)
{
	unsigned int i;

	pthread_mutex_lock(&fake->lock);
	fake->dead = true;
	for (i = 0; i < fake->config.nodes; i++)
		__atomic_store_n((__u32 *)fake->node[i].status, TORUS_STATE_DEAD,
				 __ATOMIC_RELEASE);
	pthread_cond_broadcast(&fake->moved);
	pthread_cond_signal(&fake->rung);
	fake->doorbell = true;
	pthread_mutex_unlock(&fake->lock);
}

void fake_stop(struct fake *fake)
{
	unsigned int i, j;

	if (fake->thread) {
		pthread_mutex_lock(&fake->lock);
		fake->stop = true;
		pthread_cond_signal(&fake->rung);
		pthread_mutex_unlock(&fake->lock);
		pthread_join(fake->thread, NULL);
	}
	for (i = 0; i < fake->config.nodes; i++) {
		struct fake_node *node = &fake->node[i];

		torus_context_detach(node->context);
		while (node->ordered.count)
			free(queue_take(&node->ordered, 0));
		while (node->loose.count)
			free(queue_take(&node->loose, 0));
		for (j = 0; j < TORUS_BGL_INJECT_FIFOS; j++)
			free(node->inject[j]);
		for (j = 0; j < TORUS_BGL_RECEIVE_FIFOS; j++)
			free(node->receive[j]);
		free(node->status);
		free(node->control);
	}
}

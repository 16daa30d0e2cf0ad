// SPDX-License-Identifier: GPL-2.0
/* A fake kernel: the kernel's side of the rings, in memory.  See fake.h. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../context/attach.h"
#include "fake.h"

#define PAGE		4096
#define QUEUE_MAX	64
#define NAP_SECONDS	5

__u64 fake_random(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
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
		if (__atomic_load_n(&fake_status_receive(node, i)->tail, __ATOMIC_ACQUIRE) !=
		    __atomic_load_n(&fake_control_receive(node, i)->head, __ATOMIC_ACQUIRE))
			found |= POLLIN;
	for (i = 0; i < TORUS_BGL_INJECT_FIFOS; i++) {
		uint32_t want =
			__atomic_load_n(&fake_control_inject(node, i)->want, __ATOMIC_ACQUIRE);
		uint32_t tail =
			__atomic_load_n(&fake_control_inject(node, i)->tail, __ATOMIC_ACQUIRE);
		uint32_t head =
			__atomic_load_n(&fake_status_inject(node, i)->head, __ATOMIC_ACQUIRE);
		uint32_t room = node->fake->config.inject_chunks - (tail - head);

		named |= want != 0;
		if (want && room >= want)
			found |= POLLOUT;
		any |= room >= 8;
	}
	if (any && !named)
		found |= POLLOUT;
	if (node->notices) {
		__u64 awaited = __atomic_load_n(&fake_control_notice(node)->completed,
						__ATOMIC_ACQUIRE);

		if (__atomic_load_n(&fake_control_notice(node)->want, __ATOMIC_ACQUIRE) &&
		    __atomic_load_n(&fake_status_notice(node)->tail, __ATOMIC_ACQUIRE) !=
		    __atomic_load_n(&fake_control_notice(node)->head, __ATOMIC_ACQUIRE))
			found |= POLLIN;
		if (awaited && __atomic_load_n(&fake_status_notice(node)->completed,
					       __ATOMIC_ACQUIRE) >= awaited)
			found |= POLLIN;
	}
	return found & events;
}

/* Sleep until an event or the end of the timeout, in place of poll(2). */
int fake_poll(struct torus_context *context, short events, int timeout_ms)
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

static int fake_faults(struct torus_context *context, struct torus_route_map *map)
{
	const struct fake_node *node = context->private;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < context->info.nodes && !ret; i++)
		if (node->fake->config.dead >> i & 1)
			ret = torus_route_kill_node(map, i);
	for (i = 0; i < node->fake->config.dead_links && !ret; i++)
		ret = torus_route_kill_link(map, node->fake->config.dead_link[i].node,
					    node->fake->config.dead_link[i].dir);
	return ret;
}

/* Report groups from the highest number down, because the library must not rely on an order. */
static int fake_groups(struct torus_context *context, torus_group_fn each, void *arg)
{
	struct fake_node *node = context->private;
	struct fake *fake = node->fake;
	unsigned int i = fake->config.nodes;
	int ret = 0;

	while (i-- && !ret) {
		bool absent = __atomic_load_n(&fake->node[i].absent, __ATOMIC_SEQ_CST);
		struct torus_group group = {
			.node = fake->node[i].context->info.node,
			.state = absent ? TORUS_GROUP_FREE : fake->node[i].closing ?
				 TORUS_GROUP_CLOSING : TORUS_GROUP_MINE,
		};

		ret = each(&group, fake->node[i].holder, arg);
	}
	return ret;
}

/* Check that no packet is under way or in an injection ring. */
static int fake_idle(struct torus_context *context)
{
	struct fake_node *node = context->private;
	struct fake *fake = node->fake;
	unsigned int i, j;
	bool busy = false;

	pthread_mutex_lock(&fake->lock);
	for (i = 0; i < fake->config.nodes; i++) {
		node = &fake->node[i];
		busy |= node->ordered.count || node->loose.count;
		for (j = 0; j < TORUS_BGL_INJECT_FIFOS; j++)
			busy |= node->head[j] !=
				__atomic_load_n(&fake_control_inject(node, j)->tail,
						__ATOMIC_ACQUIRE);
	}
	pthread_mutex_unlock(&fake->lock);
	return !busy;
}

static const struct torus_context_ops fake_ops = {
	.doorbell = fake_doorbell,
	.poll = fake_poll,
	.faults = fake_faults,
	.groups = fake_groups,
	.idle = fake_idle,
};

/* Number nodes with x fastest, with a gap after each plane. */
static struct torus_numbering fake_numbering(const struct fake *fake)
{
	const uint32_t *dims = fake->config.dims;
	uint32_t plane = dims[0] * dims[1];

	return (struct torus_numbering) {
		.last = dims[2] * (plane + fake->config.gap) - fake->config.gap - 1,
		.split = { dims[0], dims[1], dims[2] },
		.stride = { 1, dims[0], plane + fake->config.gap },
	};
}

/* Get a node's number from its index. */
static uint32_t fake_node_number(const struct fake *fake, unsigned int place)
{
	return place + place / (fake->config.dims[0] * fake->config.dims[1]) * fake->config.gap;
}

/*
 * If the test selects the Cray XT, change the machine's description from Blue Gene/L to it: one
 * injection and one reception FIFO for each packet class.
 */
static void fake_machine(const struct fake *fake, struct torus_ioc_info *info)
{
	if (!fake->config.xt)
		return;
	strcpy(info->arch, "xt");
	info->chunk_bytes = FAKE_XT_CHUNK;
	info->packet_chunks_max = FAKE_XT_CHUNKS;
	info->header_bytes = 8;
	info->inject_fifos = 2;
	info->inject_priority = 0;
	info->receive_fifos = 2;
	info->receive_priority = 0;
}

/* Allocate rings of the exact length, so that ASan finds an access outside. */
static void fake_rings_make(const struct fake *fake, struct fake_node *node)
{
	unsigned int i;

	for (i = 0; i < TORUS_BGL_INJECT_FIFOS; i++)
		node->inject[i] = calloc(fake->config.inject_chunks, fake_chunk(fake));
	for (i = 0; i < TORUS_BGL_RECEIVE_FIFOS; i++)
		node->receive[i] = calloc(fake->config.receive_chunks, fake_chunk(fake));
}

static void fake_node_start(struct fake *fake, unsigned int number)
{
	struct fake_node *node = &fake->node[number];
	struct torus_context *context = calloc(1, sizeof(*context));
	const uint32_t *dims = fake->config.dims;

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
	fake_rings_make(fake, node);
	node->ops = fake_ops;
	context->ops = &node->ops;
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
		.node = fake_node_number(fake, number),
		.numbering = fake_numbering(fake),
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
	fake_machine(fake, &context->info);
	if (fake->config.notices) {
		node->notices = calloc(FAKE_NOTICES, sizeof(*node->notices));
		context->notices = node->notices;
		context->info.features |= TORUS_FEATURE_NOTICE;
		context->info.notices = FAKE_NOTICES;
		context->info.status_notice_offset = 2048;
		context->info.control_notice_offset = 2048;
	}
	fake_coords(fake, number, context->info.coords);
	if (torus_context_setup(context, node->inject, node->receive)) {
		fprintf(stderr, "setup: %s\n", torus_error_text());
		abort();
	}
}

static void fake_set_flags(struct fake *fake, uint32_t flags)
{
	unsigned int i;

	for (i = 0; i < fake->config.nodes; i++)
		__atomic_store_n((uint32_t *)(fake->node[i].status + 64), flags, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/*
 * Sleep until a program rings the doorbell.  If the sleep times out although there is work, count a
 * missed doorbell.
 */
static void fake_nap(struct fake *fake)
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
	fake_set_flags(fake, 0);
	if (late && fake_step(fake))
		fake->missed++;
}

static void *fake_engine(void *data)
{
	struct fake *fake = data;
	bool stop = false;

	while (!stop) {
		if (!fake_step(fake)) {
			fake_set_flags(fake, TORUS_STATUS_DOORBELL);
			if (!fake_step(fake))
				fake_nap(fake);
			else
				fake_set_flags(fake, 0);
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
		fake_node_start(fake, i);
}

void fake_run(struct fake *fake)
{
	if (pthread_create(&fake->thread, NULL, fake_engine, fake))
		abort();
}

/* Delete the fabric: store the state in each status page, and stop the engine's thread. */
void fake_kill(struct fake *fake)
{
	unsigned int i;

	pthread_mutex_lock(&fake->lock);
	fake->dead = true;
	for (i = 0; i < fake->config.nodes; i++)
		__atomic_store_n((uint32_t *)fake->node[i].status, TORUS_STATE_DEAD,
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
			free(fake_queue_take(&node->ordered, 0));
		while (node->loose.count)
			free(fake_queue_take(&node->loose, 0));
		for (j = 0; j < TORUS_BGL_INJECT_FIFOS; j++)
			free(node->inject[j]);
		for (j = 0; j < TORUS_BGL_RECEIVE_FIFOS; j++)
			free(node->receive[j]);
		free(node->notices);
		free(node->status);
		free(node->control);
	}
}

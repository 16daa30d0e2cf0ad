/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stand-in for the kernel module: contexts whose rings are ordinary memory,
 * and a thread that moves packets between them.  It keeps the kernel's side of
 * the ring protocol, doorbell and sleep included, carries no packet hop by hop but
 * the ones that are deposited on the way, and misbehaves on demand.
 *
 *	fake.c		the contexts, and the engine's thread
 *	fake_move.c	packets from ring to ring
 *	fake_head.c	what a packet's header says, on either machine
 */
#ifndef TORUS_TESTS_FAKE_H
#define TORUS_TESTS_FAKE_H

#include <pthread.h>
#include "../context/context.h"

#define FAKE_NODES	8	/* 2x2x2, unless the configuration says otherwise */
#define FAKE_NODES_MAX	64
#define FAKE_PACKET	256

/* Where things are in a message's packet on Blue Gene/L */
#define FAKE_CHUNK	32u
#define FAKE_HEADER	32u	/* the machine's and the message layer's */
#define FAKE_CHECK_AT	8
#define FAKE_FIELDS_AT	12
#define FAKE_FIELDS	20
#define FAKE_PAYLOAD	224u

/* And on the Cray XT */
#define FAKE_XT_CHUNK	8u
#define FAKE_XT_CHUNKS	9u	/* of the longest packet */
#define FAKE_XT_FIELDS	12
#define FAKE_XT_PAYLOAD	48u

/**
 * struct fake_config - how the stand-in behaves
 * @nodes: contexts attached, the first of FAKE_NODES
 * @inject_chunks: length of the injection rings
 * @receive_chunks: length of the reception rings
 * @shuffle: dynamic packets overtake each other
 * @duplicate: one packet in so many arrives twice; 0: none
 * @garbage: one random packet for so many; 0: none
 * @corrupt: flip a bit of the packet that is the so-manyth; 0: none
 * @lose: lose the packet that is the so-manyth; 0: none
 * @dims: lengths of the dimensions, FAKE_NODES_MAX nodes at most; all 0: 2x2x2
 * @mesh: bit i: dimension i is a mesh
 * @queue_max: packets on their way to a node before it pushes back; 0: 64
 * @gap: numbers that no node has, after each plane of them
 * @dead: nodes that are dead, a bit a node; asked for when a job is opened
 * @dead_link: links that the module reports as dead
 * @dead_links: their number
 * @notices: the kernel tells what becomes of packets
 * @hold: what is for a node that does not listen waits, and is not dropped
 * @xt: the machine is a Cray XT, else Blue Gene/L
 */
struct fake_config {
	unsigned int nodes;
	__u32 inject_chunks;
	__u32 receive_chunks;
	bool shuffle;
	unsigned int duplicate;
	unsigned int garbage;
	unsigned int corrupt;
	unsigned int lose;
	__u32 dims[3];
	__u32 mesh;
	unsigned int queue_max;
	__u32 gap;
	__u64 dead;
	struct torus_route_fault dead_link[2];
	unsigned int dead_links;
	bool notices;
	bool hold;
	bool xt;
};

/* @from is NULL of a packet that nobody hears of. */
struct fake_packet {
	struct fake_packet *next;
	struct fake_node *from;
	unsigned int inject_fifo;
	__u32 index;
	unsigned int fifo;
	unsigned int chunks;
	unsigned char bytes[FAKE_PACKET];
};

/* What of a packet's header the stand-in goes by. */
struct fake_head {
	__u32 dest[3];
	unsigned int group;
	unsigned int chunks;
	bool dynamic;
	bool deposit;
	bool priority;
	bool second;
	unsigned int hints;
};

struct fake_queue {
	struct fake_packet *first;
	struct fake_packet *last;
	unsigned int count;
};

/*
 * A node is attached from the start; @absent says that it is not, another @holder that another
 * process is.  A test may change its @ops.
 */
struct fake_node {
	struct fake *fake;
	bool absent;
	__u32 holder;
	unsigned int number;
	struct torus_context *context;
	struct torus_context_ops ops;
	unsigned char *status;
	unsigned char *control;
	void *inject[TORUS_BGL_INJECT_FIFOS];
	void *receive[TORUS_BGL_RECEIVE_FIFOS];
	struct torus_notice *notices;
	__u32 head[TORUS_BGL_INJECT_FIFOS];
	__u32 tail[TORUS_BGL_RECEIVE_FIFOS];
	__u64 refused;
	struct fake_queue ordered;
	struct fake_queue loose;
};

struct fake {
	struct fake_config config;
	struct fake_node node[FAKE_NODES_MAX];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t rung;	/* for the engine */
	pthread_cond_t moved;	/* for poll */
	bool doorbell;
	bool stop;
	bool dead;
	unsigned int doorbells;
	unsigned int polls;	/* calls of poll */
	unsigned int missed;	/* sleeps that ended without a doorbell though there was work */
	__u64 random;
	__u64 packets;
	__u64 deposits;		/* copies left, at the last node too */
	__u64 clock;
	__u64 garbage;
	__u64 duplicates;
};

static inline struct torus_status_inject *
fake_status_inject(struct fake_node *node, unsigned int i)
{
	return (struct torus_status_inject *)(node->status + 256) + i;
}

static inline struct torus_status_receive *
fake_status_receive(struct fake_node *node, unsigned int i)
{
	return (struct torus_status_receive *)(node->status + 1024) + i;
}

#define FAKE_NOTICES	64u

static inline struct torus_status_notice *fake_status_notice(struct fake_node *node)
{
	return (struct torus_status_notice *)(node->status + 2048);
}

static inline struct torus_control_notice *fake_control_notice(struct fake_node *node)
{
	return (struct torus_control_notice *)(node->control + 2048);
}

static inline struct torus_control_inject *
fake_control_inject(struct fake_node *node, unsigned int i)
{
	return (struct torus_control_inject *)(node->control + 64) + i;
}

static inline struct torus_control_receive *
fake_control_receive(struct fake_node *node, unsigned int i)
{
	return (struct torus_control_receive *)(node->control + 1024) + i;
}

static inline unsigned int fake_number(const struct fake *fake, const __u32 coords[3])
{
	const __u32 *dims = fake->config.dims;

	return coords[0] + dims[0] * (coords[1] + dims[1] * coords[2]);
}

static inline void fake_coords(const struct fake *fake, unsigned int node, __u32 coords[3])
{
	const __u32 *dims = fake->config.dims;

	coords[0] = node % dims[0];
	coords[1] = node / dims[0] % dims[1];
	coords[2] = node / dims[0] / dims[1];
}

/* Bytes of a chunk. */
static inline unsigned int fake_chunk(const struct fake *fake)
{
	return fake->config.xt ? FAKE_XT_CHUNK : FAKE_CHUNK;
}

void fake_head_read(const struct fake *fake, const void *packet, struct fake_head *head);
void fake_start(struct fake *fake, const struct fake_config *config);
void fake_run(struct fake *fake);
void fake_stop(struct fake *fake);
void fake_kill(struct fake *fake);
bool fake_step(struct fake *fake);
int fake_poll(struct torus_context *context, short events, int timeout_ms);
void fake_deliver(struct fake *fake, unsigned int node, unsigned int fifo, const void *packet);
__u64 fake_random(__u64 *state);
struct fake_packet *fake_queue_take(struct fake_queue *queue, unsigned int index);

#endif /* TORUS_TESTS_FAKE_H */

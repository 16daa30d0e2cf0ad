/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fake kernel module.  The rings of its contexts are ordinary memory.  A thread or fake_step()
 * moves packets between them.  It implements the kernel's side of the ring protocol, with doorbell
 * and sleep.  It delivers packets directly, without simulating hops; only the copies of a deposit
 * packet follow its path.  Tests can request errors: see struct fake_config.
 *
 *	fake.c		contexts, and the engine's thread
 *	fake_move.c	packets from ring to ring
 *	fake_head.c	packet headers of both machines
 */
#ifndef TORUS_TESTS_FAKE_H
#define TORUS_TESTS_FAKE_H

#include <pthread.h>
#include <stdint.h>
#include "../context/context.h"

#define FAKE_NODES	8	/* nodes of the default shape 2x2x2 */
#define FAKE_NODES_MAX	64
#define FAKE_PACKET	256

/* Offsets and sizes of a message's packet on Blue Gene/L */
#define FAKE_CHUNK	32u
#define FAKE_HEADER	32u	/* bytes of both headers */
#define FAKE_CHECK_AT	8
#define FAKE_FIELDS_AT	12
#define FAKE_FIELDS	20
#define FAKE_PAYLOAD	224u

/* Offsets and sizes of a message's packet on the Cray XT */
#define FAKE_XT_CHUNK	8u
#define FAKE_XT_CHUNKS	9u	/* chunks of the longest packet */
#define FAKE_XT_FIELDS	12
#define FAKE_XT_PAYLOAD	48u

/**
 * struct fake_config - behaviour of the fake kernel
 * @nodes: number of contexts, at the first nodes
 * @inject_chunks: length of the injection rings
 * @receive_chunks: length of the reception rings
 * @shuffle: dynamic packets overtake each other; on the Cray XT all packets, so no job there may
 *           have a route that keeps the order
 * @duplicate: on average, one packet in @duplicate arrives twice; 0: none
 * @garbage: on average, one random packet is added per @garbage packets; 0: none
 * @corrupt: number of the packet in which a bit is flipped; 0: none
 * @lose: number of the packet that is lost; 0: none
 * @losses: on average, one packet in @losses is lost; 0: none
 * @dims: lengths of the dimensions, at most FAKE_NODES_MAX nodes; all 0: 2x2x2
 * @mesh: bit i: dimension i is a mesh
 * @queue_max: packets under way to a node before injection stops; 0: 64
 * @gap: number of unused node numbers after each plane
 * @dead: one bit per dead node; read when a job is opened
 * @dead_link: dead links that the module reports
 * @dead_links: number of dead links
 * @notices: the kernel has notices
 * @hold: packets for a node without a reader wait, instead of being dropped
 * @xt: the machine is a Cray XT; else Blue Gene/L
 */
struct fake_config {
	unsigned int nodes;
	uint32_t inject_chunks;
	uint32_t receive_chunks;
	bool shuffle;
	unsigned int duplicate;
	unsigned int garbage;
	unsigned int corrupt;
	unsigned int lose;
	unsigned int losses;
	uint32_t dims[3];
	uint32_t mesh;
	unsigned int queue_max;
	uint32_t gap;
	__u64 dead;
	struct torus_route_fault dead_link[2];
	unsigned int dead_links;
	bool notices;
	bool hold;
	bool xt;
};

/* A packet under way.  @from: sending node; NULL: do not count or report the end of the packet. */
struct fake_packet {
	struct fake_packet *next;
	struct fake_node *from;
	unsigned int inject_fifo;
	uint32_t index;
	unsigned int fifo;
	unsigned int chunks;
	unsigned char bytes[FAKE_PACKET];
};

/* Fields of a packet's header that the fake kernel uses. */
struct fake_head {
	uint32_t dest[3];
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
 * State of a node with an attached context.  @absent: the context is detached.  @closing: the
 * process has ended, and the kernel still sends its packets.  @holder: generation of the FIFO
 * group, which a test changes to replace the process.  Tests may change @ops.
 */
struct fake_node {
	struct fake *fake;
	bool absent;
	bool closing;
	uint32_t holder;
	unsigned int number;
	struct torus_context *context;
	struct torus_context_ops ops;
	unsigned char *status;
	unsigned char *control;
	void *inject[TORUS_BGL_INJECT_FIFOS];
	void *receive[TORUS_BGL_RECEIVE_FIFOS];
	struct torus_notice *notices;
	uint32_t head[TORUS_BGL_INJECT_FIFOS];
	uint32_t tail[TORUS_BGL_RECEIVE_FIFOS];
	__u64 refused;
	struct fake_queue ordered;
	struct fake_queue loose;
};

struct fake {
	struct fake_config config;
	struct fake_node node[FAKE_NODES_MAX];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t rung;	/* wakes the engine's thread after a doorbell */
	pthread_cond_t moved;	/* wakes sleeping contexts after a packet has moved */
	bool doorbell;
	bool stop;
	bool dead;
	unsigned int doorbells;
	unsigned int polls;	/* calls of fake_poll() */
	unsigned int missed;	/* sleeps of the engine that timed out although there was work */
	__u64 random;
	__u64 packets;
	/* number of copies that deposit packets have left, including the copy at the last node */
	__u64 deposits;
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

static inline unsigned int fake_number(const struct fake *fake, const uint32_t coords[3])
{
	const uint32_t *dims = fake->config.dims;

	return coords[0] + dims[0] * (coords[1] + dims[1] * coords[2]);
}

static inline void fake_coords(const struct fake *fake, unsigned int node, uint32_t coords[3])
{
	const uint32_t *dims = fake->config.dims;

	coords[0] = node % dims[0];
	coords[1] = node / dims[0] % dims[1];
	coords[2] = node / dims[0] / dims[1];
}

/* Get the length of a chunk in bytes. */
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

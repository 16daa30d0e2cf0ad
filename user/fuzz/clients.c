// SPDX-License-Identifier: GPL-2.0
/* Implementation of clients.h. */
#include "clients.h"
#include "core/nic/rdma_memory.h"

static u8 memories[CLIENTS][MEMORY_BYTES] __attribute__((aligned(64)));

/*
 * Check whether an engine of Tofu takes the packet as a command: injection FIFO 6, software bits
 * 0x200.
 */
static bool is_command(const struct client *c, const u8 *bytes)
{
	return c->f->arch->command &&
	       (bytes[3] >> TORUS_TOFU_FIFO_SHIFT & TORUS_TOFU_FIFO_MASK) == TORUS_TOFU_FIFO_GATE &&
	       bytes[6] == TORUS_TOFU_KIND_COMMAND && !bytes[7];
}

static u32 client_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct client *c = client;
	const struct queued *q = &c->queue[c->pulled];

	if (c->pulled == c->count || q->fifo != fifo || q->chunks > room)
		return 0;
	memcpy(bytes, q->bytes, (size_t)q->chunks * c->f->arch->chunk_bytes);
	c->commands = is_command(c, q->bytes);
	*number = c->pulled++;
	return q->chunks;
}

static void client_refused(void *client, u32 fifo, u32 code)
{
	fuzz_demand(code);
}

static void client_accepted(void *client, u32 fifo)
{
	struct client *c = client;

	c->accepts += !c->commands;
}

static bool client_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct client *c = client;

	fuzz_demand(chunks && chunks <= c->f->arch->packet_chunks_max);
	return c->reads;
}

static void client_notify(void *client)
{
}

static void client_lost(void *client, const struct torus_lost_packet *loss)
{
	fuzz_demand(loss->src == ((struct client *)client)->node);
}

static void client_ended(void *client, u64 completed)
{
	struct client *c = client;

	fuzz_demand(completed > c->completed && completed <= c->accepts);
	c->completed = completed;
}

static u32 client_memory(void *client, struct torus_access *access)
{
	const struct client *c = client;
	u64 offset = access->start & ((1ull << TORUS_STADD_BITS) - 1), word;
	u8 *at;

	if (access->start >> TORUS_STADD_BITS != MEMORY_AT >> TORUS_STADD_BITS)
		return TORUS_ACCESS_UNKNOWN;
	if (!torus_access_within(access, (1ull << TORUS_STADD_BITS) - 1, MEMORY_BYTES))
		return TORUS_ACCESS_RANGE;
	fuzz_demand(access->op == TORUS_ACCESS_ATOMIC ||
		    (u64)access->at + access->length <= access->total);
	at = memories[(c->node + c->group) % CLIENTS] + offset;
	switch (access->op) {
	case TORUS_ACCESS_READ:
		memcpy(access->bytes, at + access->at, access->length);
		return TORUS_ACCESS_FINE;
	case TORUS_ACCESS_WRITE:
		memcpy(at + access->at, access->bytes, access->length);
		return TORUS_ACCESS_FINE;
	}
	fuzz_demand(access->total == 4 || access->total == 8);
	if (offset % access->total)
		return TORUS_ACCESS_UNKNOWN;
	access->value = 0;
	memcpy(&access->value, at, access->total);
	word = torus_access_result(access, access->value);
	memcpy(at, &word, access->total);
	return TORUS_ACCESS_FINE;
}

static const struct torus_nic_ops ops = {
	.pull = client_pull,
	.refused = client_refused,
	.accepted = client_accepted,
	.push = client_push,
	.notify = client_notify,
	.lost = client_lost,
	.ended = client_ended,
	.memory = client_memory,
};

void client_attach(struct client *c)
{
	struct torus_error err = { 0 };
	u32 generation;

	c->count = 0;
	c->pulled = 0;
	c->accepts = 0;
	c->completed = 0;
	c->attached = !torus_nic_attach(c->f, c->node, c->group, true, &ops, c, &generation, &err);
	fuzz_demand(c->attached || err.text[0]);
}

void client_detach(struct client *c)
{
	if (c->attached)
		torus_nic_detach(c->f, c->node, c->group);
	c->attached = false;
}

struct queued *client_queue(struct client *c)
{
	struct queued *q;

	if (!c->attached)
		return NULL;
	if (c->pulled == c->count) {
		c->pulled = 0;
		c->count = 0;
	}
	if (c->count == QUEUED_MAX)
		return NULL;
	q = &c->queue[c->count++];
	memset(q, 0, sizeof(*q));
	return q;
}

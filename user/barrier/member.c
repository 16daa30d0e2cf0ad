// SPDX-License-Identifier: GPL-2.0
/* A member's processor and its NIC client; see member.h. */
#include <stdlib.h>
#include <string.h>

#include "arch/tofu/header.h"
#include "arch/tofu/route.h"
#include "arch/tofu/tofu.h"
#include "core/base/packet.h"
#include "member.h"
#include "core/nic/inject.h"

#define FIFO		0	/* all packets use one FIFO, which keeps their order on a path */
#define NO_MEMORY	0	/* not an error code of gates or of the NIC */

static u64 clock_of(const struct barrier_member *member)
{
	return torus_nic_clock(member->members->fabric, member->node);
}

/* Record the first unexpected error: a code of the gates or of the NIC, or NO_MEMORY. */
static void fail(struct barrier_member *member, u32 code)
{
	if (!member->refused)
		member->refused = code;
	torus_fetch_add(&member->members->failed, 1);
}

/* ----------------------------------------------------------------------- rings */

static bool ring_empty(const struct barrier_ring *ring)
{
	return ring->head == ring->tail;
}

static struct barrier_job *ring_first(const struct barrier_ring *ring)
{
	return &ring->job[ring->head & (ring->room - 1)];
}

static bool ring_grow(struct barrier_ring *ring)
{
	u32 room = ring->room ? 2 * ring->room : 4, i;
	struct barrier_job *job = malloc(room * sizeof(*job));

	if (!job)
		return false;
	for (i = ring->head; i != ring->tail; i++)
		job[i & (room - 1)] = ring->job[i & (ring->room - 1)];
	free(ring->job);
	ring->job = job;
	ring->room = room;
	return true;
}

static void ring_push(struct barrier_member *member, struct barrier_ring *ring, u32 what,
		      const struct tofu_gate_packet *packet)
{
	struct barrier_job *job;

	if (ring->tail - ring->head == ring->room && !ring_grow(ring)) {
		fail(member, NO_MEMORY);
		return;
	}
	job = &ring->job[ring->tail++ & (ring->room - 1)];
	job->what = what;
	if (packet)
		job->packet = *packet;
}

/* ------------------------------------------------------------------- processor */

static u32 packet_chunks(const struct tofu_gate_packet *packet)
{
	return (TORUS_TOFU_HEADER_BYTES + tofu_gate_packet_bytes(packet) + TOFU_CHUNK_BYTES - 1) /
	       TOFU_CHUNK_BYTES;
}

/* Chunks of a packet with a member's values, for the cost of a call or a result. */
static u32 plan_chunks(const struct barrier_plan *plan)
{
	struct tofu_gate_packet packet = {
		.data = { .op = (u8)plan->op, .count = (u8)plan->count },
	};

	return packet_chunks(&packet);
}

/* Ticks of a piece of work, with its random delay. */
static u64 work_ticks(struct barrier_member *member, const struct barrier_job *job)
{
	const struct barrier_members *members = member->members;
	const struct torus_cost *c = &members->fabric->cost;
	bool in = job->what == BARRIER_RECEIVE || job->what == BARRIER_RETURN;
	bool own = job->what == BARRIER_CALL || job->what == BARRIER_RETURN;
	u64 chunks = own ? plan_chunks(members->plan) : packet_chunks(&job->packet);
	u64 delay = 0;

	/* software calls and returns without a packet, so both are free */
	if (own && members->by == BARRIER_SOFTWARE)
		return 0;
	if (members->plan->delay)
		delay = torus_random_exponential_fast(&member->rng, members->plan->delay << 8,
						      &members->logs) >> 8;
	return delay + (in ? c->receive_packet + c->receive_chunk * chunks :
			     c->inject_packet + c->inject_chunk * chunks);
}

static struct barrier_times *times_now(const struct barrier_member *member)
{
	return &member->times[member->operation];
}

static void call(struct barrier_member *member, u64 now)
{
	const struct barrier_plan *plan = member->members->plan;
	u64 values[TOFU_WORDS_MAX];
	u32 answer;

	barrier_values(plan, member->number, member->operation, values);
	times_now(member)->entered = now;
	answer = tofu_gates_start(member->gates, member->vbg[0], plan->op, values, plan->count);
	if (answer)
		fail(member, answer);
}

static void take_result(struct barrier_member *member, u64 now)
{
	const struct barrier_plan *plan = member->members->plan;
	const u64 *want = &plan->want[(size_t)member->operation * plan->count];
	struct tofu_reduction result;
	u64 values[TOFU_WORDS_MAX];
	u32 answer = tofu_gates_poll(member->gates, member->vbg[0], &result), i;

	if (answer) {
		fail(member, answer);
		return;
	}
	tofu_reduce_values(&result, values);
	member->wrong += result.op != plan->op || result.count != plan->count ||
			 memcmp(values, want, plan->count * sizeof(*want));
	for (i = 0; i < result.count; i++)
		member->hash += torus_mix(values[i] ^ torus_mix((u64)member->number << 32 |
								(member->operation * 8 + i)));
	times_now(member)->left = now;
	if (++member->operation == plan->times) {
		torus_fetch_add(&member->members->ended, 1);
		return;
	}
	times_now(member)->called = now;
	ring_push(member, &member->work, BARRIER_CALL, NULL);
}

static void work_end(struct barrier_member *member, const struct barrier_job *job, u64 now)
{
	u32 answer = TOFU_GATE_FINE;

	switch (job->what) {
	case BARRIER_CALL:
		call(member, now);
		break;
	case BARRIER_RETURN:
		take_result(member, now);
		break;
	case BARRIER_INJECT:
		ring_push(member, &member->out, BARRIER_INJECT, &job->packet);
		break;
	default:
		answer = tofu_gates_deliver(member->gates, &job->packet);
	}
	if (answer)
		fail(member, answer);
	if (!member->done)
		return;
	member->done = false;
	ring_push(member, &member->work, BARRIER_RETURN, NULL);
}

/* Start the next piece of work if the processor is idle. */
static void work_begin(struct barrier_member *member, u64 now)
{
	if (member->busy || ring_empty(&member->work))
		return;
	member->busy = true;
	member->until = now + work_ticks(member, ring_first(&member->work));
}

/* Finish all work that is due at tick @now, and schedule the next wake-up. */
static void work_on(struct barrier_member *member, u64 now)
{
	bool injected = false;

	for (work_begin(member, now); member->busy && member->until <= now;
	     work_begin(member, now)) {
		struct barrier_job job = *ring_first(&member->work);

		member->work.head++;
		member->busy = false;
		injected |= job.what == BARRIER_INJECT;
		work_end(member, &job, now);
	}
	if (member->busy)
		torus_nic_wake_by(member->members->fabric, member->node, member->until,
				  &member->woken);
	/* the NIC may have polled the FIFO already in this tick */
	if (injected)
		torus_nic_wake(member->members->fabric, member->node, now + 1);
}

/**
 * barrier_member_done - report that a member's end gate has its result
 * @member: the member
 *
 * Gates call this function, so it must not call gates.
 */
void barrier_member_done(struct barrier_member *member)
{
	u64 now = clock_of(member);

	if (member->members->by == BARRIER_SOFTWARE) {
		member->done = true;
		return;
	}
	ring_push(member, &member->work, BARRIER_RETURN, NULL);
	work_begin(member, now);
	torus_nic_wake_by(member->members->fabric, member->node,
			  member->until > now ? member->until : now + 1, &member->woken);
}

/**
 * barrier_member_start - let a member call its first operation at tick 0
 * @member: the member, attached to its node
 */
void barrier_member_start(struct barrier_member *member)
{
	ring_push(member, &member->work, BARRIER_CALL, NULL);
	torus_nic_wake(member->members->fabric, member->node, 0);
}

/* ------------------------------------------------------------------ NIC client */

static void software_send(void *context, const struct tofu_gate_packet *packet)
{
	struct barrier_member *member = context;

	ring_push(member, &member->work, BARRIER_INJECT, packet);
}

static void software_done(void *context, u32 gate)
{
	barrier_member_done(context);
}

const struct tofu_gate_ops barrier_software_ops = {
	.send = software_send, .done = software_done,
};

static u32 client_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct barrier_member *member = client;
	const struct torus_geometry *g = &member->members->plan->config.geo;
	const struct tofu_gate_packet *packet;
	struct tofu_header header = { .fifo = FIFO };
	u32 dest[TORUS_DIMS_MAX] = { 0 };

	work_on(member, clock_of(member));
	if (fifo != FIFO || ring_empty(&member->out))
		return 0;
	packet = &ring_first(&member->out)->packet;
	header.chunks = (u8)packet_chunks(packet);
	if (header.chunks > room)
		return 0;
	tofu_vbg_coords(packet->dest, dest);
	memcpy(header.dest, dest, sizeof(header.dest));
	header.path = (u8)tofu_path_of(g, TOFU_FIXED, member->node, torus_geometry_node(g, dest));
	memset(bytes, 0, (size_t)header.chunks * TOFU_CHUNK_BYTES);
	tofu_header_pack(&header, bytes);
	tofu_gate_packet_pack(packet, bytes + TORUS_TOFU_HEADER_BYTES);
	return header.chunks;
}

static void client_accepted(void *client, u32 fifo)
{
	struct barrier_member *member = client;

	member->out.head++;
	member->sent++;
}

static void client_refused(void *client, u32 fifo, u32 code)
{
	fail(client, code);
}

static bool client_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct barrier_member *member = client;
	struct tofu_gate_packet packet;

	u32 answer = tofu_gate_packet_unpack(&packet, member->gates->self,
					     bytes + TORUS_TOFU_HEADER_BYTES,
					     chunks * TOFU_CHUNK_BYTES - TORUS_TOFU_HEADER_BYTES);

	if (answer) {
		fail(member, answer);
		return true;
	}
	ring_push(member, &member->work, BARRIER_RECEIVE, &packet);
	work_on(member, clock_of(member));
	return true;
}

static void client_notify(void *client)
{
}

const struct torus_nic_ops barrier_member_ops = {
	.pull = client_pull,
	.refused = client_refused,
	.accepted = client_accepted,
	.push = client_push,
	.notify = client_notify,
};

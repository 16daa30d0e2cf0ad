// SPDX-License-Identifier: GPL-2.0
/*
 * A rank of the application: a client of its node's NIC that executes its list of operations.
 *
 * The rank continues when the NIC polls its FIFOs (pull) or has accepted the last packet of a
 * message, and when a message has arrived (push). A message is cut into packets. The eight bytes of
 * the software header contain the sender, the number of the message and the number of the packet.
 * The first eight bytes of data are the tick at which the message was posted, as an application
 * that measures latencies would send it.
 */
#include <stdlib.h>
#include <string.h>

#include "../machine/machine.h"
#include "../sim/base/message.h"
#include "core/base/packet.h"
#include "core/nic/inject.h"
#include "core/state/domain.h"
#include "rank.h"

#define SOFTWARE_BYTES	8
#define PACKET_SHIFT	0
#define MESSAGE_SHIFT	REPLAY_PACKETS_BITS
#define RANK_SHIFT	(REPLAY_PACKETS_BITS + REPLAY_MESSAGES_BITS)

static u64 field(u64 word, u32 shift, u32 bits)
{
	return word >> shift & ((1ull << bits) - 1);
}

static u64 clock_of(const struct replay_rank *rank)
{
	return torus_nic_clock(rank->app->fabric, rank->result.number);
}

/* Let the NIC poll the free FIFOs in the next tick, because there is a new message to inject. */
static void wake_fifos(struct replay_rank *rank, u64 now)
{
	if (rank->woken == now + 1)
		return;
	rank->woken = now + 1;
	torus_nic_wake(rank->app->fabric, rank->result.number, now + 1);
}

static void fail(struct replay_rank *rank)
{
	torus_fetch_add(&rank->app->failed, 1);
}

/* ------------------------------------------------------------------ sending */

static bool queue_push(struct replay_rank *rank, u32 op)
{
	if (rank->queue_tail - rank->queue_head == rank->queue_room) {
		u32 room = rank->queue_room ? 2 * rank->queue_room : 8;
		u32 *queue = malloc(room * sizeof(*queue));
		u32 i;

		if (!queue)
			return false;
		for (i = rank->queue_head; i != rank->queue_tail; i++)
			queue[i & (room - 1)] = rank->queue[i & (rank->queue_room - 1)];
		free(rank->queue);
		rank->queue = queue;
		rank->queue_room = room;
	}
	rank->queue[rank->queue_tail++ & (rank->queue_room - 1)] = op;
	return true;
}

/* Get the next message for an injection FIFO that has no message. */
static bool next_message(struct replay_rank *rank, struct replay_outgoing *out)
{
	u32 size = rank->app->job->size;
	const struct replay_op *op;

	if (rank->queue_head != rank->queue_tail) {
		u32 at = rank->queue[rank->queue_head++ & (rank->queue_room - 1)];

		op = &rank->program->ops[at];
		out->dst = op->peer;
		out->message = op->message;
	} else if (rank->partner) {
		/* each rank starts an alltoall with another partner */
		op = replay_rank_op(rank);
		out->dst = (u32)(((u64)rank->result.number + rank->partner) % size);
		out->message = op->message + rank->partner - 1;
		rank->partner = rank->partner + 1 == size ? 0 : rank->partner + 1;
	} else {
		return false;
	}
	out->op = op;
	out->packet = 0;
	out->packets = replay_job_packets(rank->app->job, op->amount);
	return true;
}

static u32 packet_chunks(const struct replay_rank *rank, const struct replay_outgoing *out)
{
	const struct torus_arch *arch = rank->app->arch;
	u64 left = out->op->amount - (u64)out->packet * rank->app->job->payload;

	if (left > rank->app->job->payload)
		left = rank->app->job->payload;
	return (u32)((arch->payload_overhead + left + arch->chunk_bytes - 1) / arch->chunk_bytes);
}

static void fill_packet(struct replay_rank *rank, const struct replay_outgoing *out, u32 chunks,
			u8 *bytes)
{
	const struct torus_arch *arch = rank->app->arch;
	struct torus_packet packet = { .src = rank->result.number, .dst = out->dst };
	u64 word = (u64)rank->result.number << RANK_SHIFT | (u64)out->message << MESSAGE_SHIFT |
		   (u64)out->packet << PACKET_SHIFT;

	memset(bytes, 0, (size_t)chunks * arch->chunk_bytes);
	arch->make(rank->app->fabric, &packet, chunks);
	arch->image(&packet, 0, bytes);
	memcpy(bytes + arch->header_bytes, &word, sizeof(word));
	/*
	 * Write the tick at which the message was posted. For all messages in @out, that is the
	 * start of their operation.
	 */
	memcpy(bytes + arch->header_bytes + SOFTWARE_BYTES,
	       &rank->posted[out->op->kind == REPLAY_ALLTOALL ? rank->program->slots :
								out->op->slot],
	       sizeof(rank->posted[0]));
}

/* ------------------------------------------------------------------ walking */

/**
 * replay_rank_op - get the current operation of a rank
 * @rank: must not be at its end
 */
const struct replay_op *replay_rank_op(const struct replay_rank *rank)
{
	return &rank->program->ops[rank->result.at];
}

/* Deliver a message from a rank to itself, without the network. */
static bool send_self(struct replay_rank *rank, const struct replay_op *op)
{
	bool whole = false;
	u32 packets = replay_job_packets(rank->app->job, op->amount);

	rank->match.done[op->slot] = true;
	rank->result.received++;
	while (packets-- && !whole)
		if (!replay_match_packet(&rank->match, rank->result.number, op->message, op,
					 replay_job_packets(rank->app->job, op->amount),
					 &whole))
			return false;
	return true;
}

static bool begin_send(struct replay_rank *rank, const struct replay_op *op, u64 now)
{
	rank->match.done[op->slot] = false;
	rank->posted[op->slot] = now;
	rank->result.sent++;
	rank->result.sent_bytes += op->amount;
	if (op->kind == REPLAY_ISEND)
		rank->requests[rank->nrequests++] = op->slot;
	if (op->peer == rank->result.number)
		return send_self(rank, op);
	wake_fifos(rank, now);
	return queue_push(rank, rank->result.at);
}

static bool begin_recv(struct replay_rank *rank, const struct replay_op *op)
{
	rank->match.done[op->slot] = false;
	if (op->kind == REPLAY_IRECV)
		rank->requests[rank->nrequests++] = op->slot;
	return replay_match_post(&rank->match, op->peer, op->tag, op->slot);
}

static void begin_alltoall(struct replay_rank *rank, const struct replay_op *op, u64 now)
{
	u32 partners = rank->app->job->size - 1;

	wake_fifos(rank, now);
	rank->posted[rank->program->slots] = now;
	rank->partner = partners ? 1 : 0;
	rank->alltoall_left = partners;
	rank->result.sent += partners;
	rank->result.sent_bytes += partners * op->amount;
}

static bool begin(struct replay_rank *rank, const struct replay_op *op, u64 now)
{
	rank->begun = true;
	rank->since = now;
	switch (op->kind) {
	case REPLAY_COMPUTE:
		return true;
	case REPLAY_SEND:
	case REPLAY_ISEND:
		return begin_send(rank, op, now);
	case REPLAY_RECV:
	case REPLAY_IRECV:
		return begin_recv(rank, op);
	case REPLAY_ALLTOALL:
		begin_alltoall(rank, op, now);
		return true;
	case REPLAY_BARRIER:
		rank->release = 0;
		torus_fetch_add(&rank->app->waiting, 1);
		return true;
	default:
		return true;
	}
}

static void forget_request(struct replay_rank *rank, u32 slot)
{
	u32 i;

	for (i = 0; i < rank->nrequests && rank->requests[i] != slot; i++)
		;
	if (i < rank->nrequests)
		rank->requests[i] = rank->requests[--rank->nrequests];
}

/* Remove the requests that have ended from a rank's list. Return: true if no request is left. */
static bool requests_ended(struct replay_rank *rank)
{
	u32 i = 0;

	while (i < rank->nrequests) {
		if (rank->match.done[rank->requests[i]])
			rank->requests[i] = rank->requests[--rank->nrequests];
		else
			i++;
	}
	return !rank->nrequests;
}

/*
 * Check whether the current operation of a rank has ended. @what: [out] the kind of time that the
 * operation took.
 */
static bool has_ended(struct replay_rank *rank, const struct replay_op *op, u64 now,
		      enum replay_time *what)
{
	*what = REPLAY_TIME_WAIT;
	switch (op->kind) {
	case REPLAY_COMPUTE:
		*what = REPLAY_TIME_COMPUTE;
		return now - rank->since >= op->amount;
	case REPLAY_SEND:
		*what = REPLAY_TIME_SEND;
		return rank->match.done[op->slot];
	case REPLAY_RECV:
		return rank->match.done[op->slot];
	case REPLAY_WAIT:
		if (!rank->match.done[op->slot])
			return false;
		forget_request(rank, op->slot);
		return true;
	case REPLAY_WAITALL:
		return requests_ended(rank);
	case REPLAY_ALLTOALL:
		return !rank->alltoall_left &&
		       rank->alltoalls[op->tag] == rank->app->job->size - 1;
	case REPLAY_BARRIER:
		*what = REPLAY_TIME_BARRIER;
		return rank->release && now >= rank->release;
	default:
		return true;
	}
}

/* Execute operations of a rank until one has to wait, or until the end of the list. */
static void advance(struct replay_rank *rank, u64 now)
{
	enum replay_time what;

	while (!rank->result.ended) {
		const struct replay_op *op;

		if (rank->result.at == rank->program->count) {
			/*
			 * at the end of the list, wait for all requests for which the log does not
			 * wait
			 */
			if (!rank->begun)
				rank->since = now;
			rank->begun = true;
			if (!requests_ended(rank))
				break;
			rank->result.time[REPLAY_TIME_WAIT] += now - rank->since;
			rank->result.end = now;
			rank->result.ended = true;
			torus_fetch_add(&rank->app->ended, 1);
			break;
		}
		op = replay_rank_op(rank);
		if (!rank->begun && !begin(rank, op, now)) {
			fail(rank);
			break;
		}
		if (!has_ended(rank, op, now, &what)) {
			if (op->kind == REPLAY_COMPUTE)
				torus_nic_wake_by(rank->app->fabric, rank->result.number,
						  rank->since + op->amount, &rank->computed);
			break;
		}
		rank->result.time[what] += now - rank->since;
		rank->begun = false;
		rank->result.at++;
	}
}

/**
 * replay_rank_release - release a rank from a barrier
 * @rank: the rank; its fabric must not be running
 * @tick: tick of the release, not before the fabric's current tick
 */
void replay_rank_release(struct replay_rank *rank, u64 tick)
{
	rank->release = tick;
	torus_nic_wake(rank->app->fabric, rank->result.number, tick);
}

/* ------------------------------------------------------------------- client */

static u32 client_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct replay_rank *rank = client;
	struct replay_outgoing *out = &rank->out[fifo];
	u32 chunks;

	advance(rank, clock_of(rank));
	if (rank->app->fifos_left >> fifo & 1)
		return 0;
	if (!out->op && !next_message(rank, out))
		return 0;
	chunks = packet_chunks(rank, out);
	if (chunks > room)
		return 0;
	fill_packet(rank, out, chunks, bytes);
	return chunks;
}

static void client_accepted(void *client, u32 fifo)
{
	struct replay_rank *rank = client;
	struct replay_outgoing *out = &rank->out[fifo];

	if (++out->packet < out->packets)
		return;
	if (out->op->kind == REPLAY_ALLTOALL)
		rank->alltoall_left--;
	else
		rank->match.done[out->op->slot] = true;
	out->op = NULL;
	advance(rank, clock_of(rank));
}

static void client_refused(void *client, u32 fifo, u32 code)
{
	struct replay_rank *rank = client;

	rank->result.refused = code;
	fail(rank);
}

static bool client_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct replay_rank *rank = client;
	const struct replay_job *job = rank->app->job;
	const u8 *at = bytes + rank->app->arch->header_bytes;
	u64 now = clock_of(rank);
	const struct replay_op *op;
	u32 src, message;
	u64 word, began;
	bool whole;

	memcpy(&word, at, sizeof(word));
	memcpy(&began, at + SOFTWARE_BYTES, sizeof(began));
	src = (u32)field(word, RANK_SHIFT, REPLAY_RANKS_BITS);
	message = (u32)field(word, MESSAGE_SHIFT, REPLAY_MESSAGES_BITS);
	op = replay_op_list_find(&job->programs[src], message);
	if (!replay_match_packet(&rank->match, src, message, op,
				 replay_job_packets(job, op->amount), &whole)) {
		fail(rank);
		return true;
	}
	if (!whole)
		return true;
	rank->result.received++;
	rank->result.latency_sum += now - began;
	if (now - began > rank->result.latency_max)
		rank->result.latency_max = now - began;
	if (op->kind == REPLAY_ALLTOALL)
		rank->alltoalls[op->tag]++;
	advance(rank, now);
	return true;
}

static void client_notify(void *client)
{
}

static const struct torus_nic_ops client_ops = {
	.pull = client_pull,
	.refused = client_refused,
	.accepted = client_accepted,
	.push = client_push,
	.notify = client_notify,
};

/* -------------------------------------------------------------------- app */

static int rank_attach(struct replay_rank *rank)
{
	struct torus_error err;
	u32 generation;

	if (torus_nic_attach(rank->app->fabric, rank->result.number, 0, false, &client_ops, rank,
			     &generation, &err))
		return sim_reject("rank %u: %s", rank->result.number, err.text);
	return SIM_OK;
}

static int rank_begin(struct replay_ranks *app, u32 number)
{
	struct replay_rank *rank = &app->ranks[number];
	const struct replay_op_list *program = &app->job->programs[number];
	int status;

	rank->app = app;
	rank->program = program;
	rank->result.number = number;
	rank->here = torus_node_here(app->fabric, number);
	app->here += rank->here;
	if (!rank->here)
		return rank_attach(rank);
	/* allocate one entry more than slots, for the alltoall */
	rank->posted = calloc(program->slots + 1, sizeof(*rank->posted));
	rank->requests = calloc(program->slots + 1, sizeof(*rank->requests));
	rank->alltoalls = calloc(program->alltoalls + 1, sizeof(*rank->alltoalls));
	if (!replay_match_begin(&rank->match, program->slots) || !rank->posted ||
	    !rank->requests || !rank->alltoalls)
		return sim_error("out of memory for rank %u", number);
	status = rank_attach(rank);
	if (!status)
		torus_nic_wake(app->fabric, number, 0);
	return status;
}

/**
 * replay_ranks_begin - attach all ranks to their NICs
 * @app: [out] freed by replay_ranks_end(), also after an error
 * @job: operations of the ranks
 * @fabric: a new fabric, which must not be running
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int replay_ranks_begin(struct replay_ranks *app, const struct replay_job *job,
		       struct torus_fabric *fabric)
{
	const struct torus_arch *arch = torus_fabric_config(fabric)->arch;
	int status = SIM_OK;
	u32 i;

	*app = (struct replay_ranks){
		.job = job,
		.fabric = fabric,
		.arch = arch,
		.fifos_left = arch->inject_priority |
			      torus_machine_find(arch->name)->second_fifos,
		.ranks = calloc(job->size, sizeof(*app->ranks)),
	};
	if (!app->ranks)
		return sim_error("out of memory for %u ranks", job->size);
	for (i = 0; i < job->size && !status; i++)
		status = rank_begin(app, i);
	return status;
}

/**
 * replay_ranks_end - detach all ranks from their NICs
 */
void replay_ranks_end(struct replay_ranks *app)
{
	u32 i;

	for (i = 0; app->ranks && i < app->job->size; i++) {
		struct replay_rank *rank = &app->ranks[i];

		torus_nic_detach(app->fabric, i, 0);
		free(rank->posted);
		free(rank->requests);
		free(rank->alltoalls);
		free(rank->queue);
		replay_match_free(&rank->match);
	}
	free(app->ranks);
}

// SPDX-License-Identifier: GPL-2.0
/* Transports by torus packets and by torus messages, with one context per rank. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../common/escape.h"
#include "perf.h"
#include "torus.h"
#include "poll_wait.h"

#define JOB_KEY		0x70657266
/* number of packets that are published at once, if the ring has space */
#define BATCH		64
/* bytes of the sender's rank in a packet, after the machine's header */
#define SOURCE_BYTES	4

/**
 * struct torus_end - a rank's end of the torus
 * @context: context of the rank's FIFO group
 * @job: job of all ranks, for messages
 * @nodes: node numbers, by rank
 * @members: members of the job, by rank
 * @capacity: bytes of a message that fit into one packet
 * @packet: buffer for a received packet
 * @full: prepared packet of maximum length
 * @last: prepared last packet of a message
 * @full_bytes: length of @full in bytes
 * @last_bytes: length of @last in bytes
 * @to: rank for which @full and @last are prepared
 * @bytes: length of the message for which @full and @last are prepared
 * @come: by source: number of packets that have arrived and do not yet belong to a received message
 */
struct torus_end {
	struct torus_context *context;
	struct torus_job *job;
	uint32_t *nodes;
	struct torus_member *members;
	size_t capacity;
	unsigned char *packet;
	unsigned char *full;
	unsigned char *last;
	size_t full_bytes;
	size_t last_bytes;
	unsigned int to;
	size_t bytes;
	uint32_t come[RANKS_MAX];
};

static int torus_failed(struct perf_rank *rank, int error)
{
	snprintf(rank->why, sizeof(rank->why), "%s", torus_error_text());
	return error;
}

/**
 * torus_ranks_fit - find the fabric and check that it has enough nodes
 * @call: the command line
 * @info: [out] the fabric
 *
 * Return: 0 or a negative errno. Prints an error message.
 */
int torus_ranks_fit(const struct call *call, struct torus_fabric_info *info)
{
	int ret = torus_fabric_find(call->fabric, info);

	if (!ret && info->nodes < call->ranks) {
		torus_escape_message(stderr, "torus-perf: ranks %u: fabric %s has %u nodes\n",
				     call->ranks, call->fabric, info->nodes);
		return -ERANGE;
	}
	if (ret)
		torus_escape_message(stderr, "torus-perf: %s\n", torus_error_text());
	return ret;
}

static int torus_attach(struct perf_rank *rank, struct torus_end *end)
{
	struct torus_fabric_info fabric;
	const struct torus_ioc_info *info;
	size_t longest;
	unsigned int i;
	int ret = torus_fabric_find(rank->call->fabric, &fabric);

	if (ret)
		return torus_failed(rank, ret);
	end->nodes = calloc(fabric.nodes, sizeof(*end->nodes));
	end->members = calloc(rank->call->ranks, sizeof(*end->members));
	if (!end->nodes || !end->members)
		return poll_wait_failed(rank, "calloc", -ENOMEM);
	torus_fabric_nodes(&fabric, end->nodes);
	for (i = 0; i < rank->call->ranks; i++)
		end->members[i].node = end->nodes[i];
	ret = torus_context_attach(&end->context, rank->call->fabric, end->nodes[rank->number],
				   NULL);
	if (ret)
		return torus_failed(rank, ret);
	info = torus_context_info(end->context);
	if (info->features & TORUS_FEATURE_CLOCK) {
		snprintf(rank->why, sizeof(rank->why),
			 "fabric %s must not be in virtual time, because torus-perf measures wall "
			 "time",
			 rank->call->fabric);
		return -EINVAL;
	}
	longest = (size_t)info->packet_chunks_max * info->chunk_bytes;
	end->capacity = longest - info->header_bytes - SOURCE_BYTES;
	end->packet = calloc(3, longest);
	if (!end->packet)
		return poll_wait_failed(rank, "calloc", -ENOMEM);
	end->full = end->packet + longest;
	end->last = end->full + longest;
	end->to = ANYBODY;
	return 0;
}

/**
 * torus_join - attach to a node and open the job; every rank calls this function
 * @rank: this process
 *
 * Return: 0 or a negative errno, with a message in @rank->why.
 */
int torus_join(struct perf_rank *rank)
{
	struct torus_end *end = calloc(1, sizeof(*end));
	struct torus_job_config config = {
		.key = JOB_KEY, .count = rank->call->ranks, .unconnected = true,
	};
	int ret;

	rank->torus = end;
	ret = end ? torus_attach(rank, end) : poll_wait_failed(rank, "calloc", -ENOMEM);
	if (ret)
		return ret;
	/*
	 * The job does not wait for its members to connect, because all members are attached after
	 * this barrier.
	 */
	pthread_barrier_wait(&rank->shared->all);
	config.members = end->members;
	ret = torus_job_open(&end->job, end->context, &config);
	return ret ? torus_failed(rank, ret) : 0;
}

/**
 * torus_leave - close the job and detach from the node
 * @rank: this process
 */
void torus_leave(struct perf_rank *rank)
{
	struct torus_end *end = rank->torus;

	if (!end)
		return;
	torus_job_close(end->job);
	torus_context_detach(end->context);
	free(end->packet);
	free(end->members);
	free(end->nodes);
	free(end);
}

int torus_tune(struct perf_rank *rank)
{
	torus_wait_tune(rank->torus->context, rank->way.poll ? SPINS : 0, rank->way.poll ? ~0u : 0);
	return 0;
}

static int packet_make(struct perf_rank *rank, unsigned char *packet, unsigned int to, size_t bytes,
		       size_t *length)
{
	struct torus_end *end = rank->torus;
	uint32_t chunk = torus_context_info(end->context)->chunk_bytes;
	uint32_t header = torus_context_info(end->context)->header_bytes, source = rank->number;
	int ret;

	*length = (header + SOURCE_BYTES + bytes + chunk - 1) / chunk * chunk;
	ret = torus_packet_begin(end->context, packet, *length, end->nodes[to], 0,
				 TORUS_ROUTE_DYNAMIC);
	if (ret < 0)
		return torus_failed(rank, ret);
	memcpy(packet + header, &source, SOURCE_BYTES);
	memcpy(packet + header + SOURCE_BYTES, rank->buffer, bytes);
	return 0;
}

static unsigned int packets_of(const struct torus_end *end, size_t bytes)
{
	return (bytes + end->capacity - 1) / end->capacity;
}

/*
 * Prepare the packets of a message. The packets are used for all messages of the same length to the
 * same rank.
 */
static int packets_prepare(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	struct torus_end *end = rank->torus;
	size_t rest = bytes - (packets_of(end, bytes) - 1) * end->capacity;
	int ret = 0;

	if (end->to == to && end->bytes == bytes)
		return 0;
	if (bytes > end->capacity)
		ret = packet_make(rank, end->full, to, end->capacity, &end->full_bytes);
	if (!ret)
		ret = packet_make(rank, end->last, to, rest, &end->last_bytes);
	end->to = ret ? ANYBODY : to;
	end->bytes = bytes;
	return ret;
}

int torus_packets_send_many(struct perf_rank *rank, unsigned int to, size_t bytes,
			    unsigned int count)
{
	struct torus_end *end = rank->torus;
	struct torus_packet_buffer batch[BATCH];
	unsigned int each = packets_of(end, bytes), n, at = 0;
	__u64 left = (__u64)each * count;
	int ret = packets_prepare(rank, to, bytes);

	while (!ret && left) {
		for (n = 0; n < BATCH && n < left; n++) {
			bool last = (at + n) % each == each - 1;

			batch[n].data = last ? end->last : end->full;
			batch[n].bytes = last ? end->last_bytes : end->full_bytes;
		}
		ret = torus_inject_many(end->context, TORUS_FIFO_ANY, batch, n);
		if (ret == -EAGAIN) {
			ret = torus_inject_packet(end->context, TORUS_FIFO_ANY, batch[0].data,
						  batch[0].bytes, -1);
			ret = ret ? ret : 1;
		}
		if (ret < 0)
			return torus_failed(rank, ret);
		at = (at + ret) % each;
		left -= ret;
		ret = 0;
	}
	return ret;
}

int torus_packets_send(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	return torus_packets_send_many(rank, to, bytes, 1);
}

/*
 * Check whether all packets of a message have arrived from rank *@from, and if so, subtract them
 * from the rank's count. If *@from is ANYBODY, a message from any rank is accepted.
 * @from: [in, out] the rank
 */
static bool packets_complete(struct perf_rank *rank, unsigned int *from, unsigned int wanted)
{
	uint32_t *come = rank->torus->come;
	unsigned int i;

	if (*from == ANYBODY) {
		for (i = 0; i < rank->call->ranks && come[i] < wanted; i++)
			;
		if (i == rank->call->ranks)
			return false;
		*from = i;
	}
	if (come[*from] < wanted)
		return false;
	come[*from] -= wanted;
	return true;
}

/*
 * Return the number of packets that must arrive before a message is complete. If the message may
 * come from any rank, only the next packet is certain.
 */
static uint32_t packets_left(const struct torus_end *end, unsigned int from, unsigned int wanted)
{
	return from == ANYBODY ? 1 : wanted - end->come[from];
}

int torus_packets_receive(struct perf_rank *rank, unsigned int *from, size_t bytes)
{
	struct torus_end *end = rank->torus;
	unsigned int wanted = packets_of(end, bytes);
	const struct torus_ioc_info *info = torus_context_info(end->context);
	uint32_t source;
	int ret;

	while (!packets_complete(rank, from, wanted)) {
		torus_receive_expect(end->context, packets_left(end, *from, wanted));
		ret = torus_receive_packet(end->context, TORUS_FIFO_ANY, end->packet,
					   (size_t)info->packet_chunks_max * info->chunk_bytes, -1);
		if (ret < 0)
			return torus_failed(rank, ret);
		memcpy(&source, end->packet + info->header_bytes, SOURCE_BYTES);
		if (source >= rank->call->ranks)
			return poll_wait_failed(rank, "a packet of an unknown rank", -EBADMSG);
		end->come[source]++;
	}
	return 0;
}

int torus_messages_send(struct perf_rank *rank, unsigned int to, size_t bytes)
{
	size_t piece;
	int ret = 0;

	for (; !ret && bytes; bytes -= piece) {
		piece = bytes < rank->call->piece ? bytes : rank->call->piece;
		ret = torus_message_send(rank->torus->job, to, 0, rank->buffer, piece);
	}
	return ret ? torus_failed(rank, ret) : 0;
}

int torus_messages_receive(struct perf_rank *rank, unsigned int *from, size_t bytes)
{
	int source = *from == ANYBODY ? (int)TORUS_MESSAGE_ANY : (int)*from, ret = 0;
	struct torus_message_info info;
	size_t done = 0;

	for (; !ret && done < bytes; done += info.length) {
		ret = torus_message_receive(rank->torus->job, source, 0, rank->buffer + done,
					    bytes - done, &info, -1);
		if (!ret)
			source = info.source;
	}
	*from = source;
	return ret ? torus_failed(rank, ret) : 0;
}

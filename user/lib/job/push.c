// SPDX-License-Identifier: GPL-2.0
/*
 * Inject the packets of queued messages.  Messages to one destination are sent one after the
 * other; destinations take turns, a few packets each.
 */
#include <errno.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "forward.h"
#include "peer.h"
#include "push.h"
#include "queue.h"
#include "send_errors.h"

#define PUSH_BUDGET	64	/* injected packets after which packets are received again */
#define BURST		4	/* most packets injected for one destination in a turn */
/* least number of packets of a message that is spread over several paths */
#define LONG		16

/*
 * Check whether to spread a message over several paths that share no link, including longer paths.
 * Messages of an all-to-all are not spread: its ranks would compete for the links.
 */
static bool send_spreads(const struct torus_job *job, const struct torus_send *send)
{
	return job->context->machine->spread && send->packets >= LONG &&
	       (send->kind & ~MSG_KIND_FLAGS) != KIND_ALLTOALL;
}

/* Inject the next packet of a message.  Return: 0 or an error of torus_send_fifo(). */
static int send_packet(struct torus_job *job, struct torus_send *send)
{
	const struct msg_format *format = &job->format;
	const struct peer *peer = send->peer;
	const struct packet_fields fields = {
		.kind = send->kind | (peer->relayed ? KIND_RELAYED : 0), .source = job->rank,
		.number = send->number, .length = send->length, .index = send->index,
		.tag = send->tag,
	};
	unsigned int chunks = torus_msg_chunks(format, send->length, send->index);
	const struct torus_machine *machine = job->context->machine;
	unsigned char header[MSG_HEADER_MAX] = { 0 };
	bool spreads = send_spreads(job, send);
	int fifo;

	fifo = torus_send_fifo(job, peer, chunks, spreads ? machine->spread_fifos :
			       job->context->info.inject_fifos);
	if (fifo < 0)
		return fifo;
	torus_send_error_log(job, fifo, &(struct flight) {
		.peer = send->peer, .number = send->number, .packets = send->packets,
		.note = send->note, .kind = send->kind & ~KIND_ORDERED, .first = !send->index,
	});
	torus_job_header(job, header, peer->header, chunks);
	if (spreads)
		machine->spread(header, fifo);
	torus_msg_header_write(format, header, &fields, peer->check);
	if (send->ops)
		send->ops->put(job, send, fifo, header);
	else
		torus_msg_put(job->context, format, fifo, header, send->data, send->length,
			      send->trailer, send->index);
	torus_pace_spend(&job->pace, chunks);
	job->counts.sent_packets++;
	send->index++;
	return 0;
}

/*
 * Inject up to BURST packets to one peer.  Return: number of packets, 0 if pacing permits none;
 * -EAGAIN if no FIFO has space for the first; other errors of send_packet(), also after some.
 */
static int send_burst(struct torus_job *job, struct peer *peer)
{
	int sent = 0;
	int ret;

	while (sent < BURST && peer->sends && torus_pace_ready(&job->pace)) {
		ret = send_packet(job, peer->sends);
		if (ret)
			return ret == -EAGAIN && sent ? sent : ret;
		sent++;
		if (peer->sends->index == peer->sends->packets)
			torus_queue_done(job, peer->sends);
	}
	return sent;
}

/**
 * torus_send_push() - inject packets of messages and forwarded packets while there is free space
 * @job: the job
 *
 * Return: number of packets injected, -ECOMM when the kernel has rejected packets, -EIO, -ENODEV,
 * or an error of torus_vtime_sync().
 */
int torus_send_push(struct torus_job *job)
{
	struct torus_refusal refusal;
	unsigned int blocked = 0;
	int pushed = 0;
	int ret = 0;
	int published;

	if (job->forwards) {
		pushed = torus_forward_push(job, PUSH_BUDGET);
		if (pushed < 0)
			return pushed;
	}
	torus_pace_refill(&job->pace, job->context);
	while (blocked < job->active_count && pushed < PUSH_BUDGET &&
	       torus_pace_ready(&job->pace)) {
		struct peer *peer = torus_queue_next(job);

		ret = send_burst(job, peer);
		if (peer->sends)
			torus_queue_activate(job, peer);
		if (ret > 0) {
			pushed += ret;
			blocked = 0;
		} else if (ret == -EAGAIN) {
			blocked++;
		} else {
			break;
		}
	}
	published = torus_inject_publish(job->context);
	if (published)
		return published;
	if (ret < 0 && ret != -EAGAIN)
		return ret;
	ret = torus_inject_refused(job->context, &refusal);
	if (ret < 0)
		return ret;
	if (ret)
		return torus_error_set(-ECOMM, "injection FIFO %u: %llu packets were rejected: %s",
				       refusal.fifo, refusal.packets,
				       torus_error_refuse(refusal.code));
	return pushed;
}

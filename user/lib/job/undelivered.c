// SPDX-License-Identifier: GPL-2.0
/*
 * Report the loss of forwarded packets to their senders.
 *
 * The kernel notifies the rank that has forwarded the packet.  This rank sends a packet of
 * KIND_UNDELIVERED to the sender.  Its fields describe the lost packet: the number of its message,
 * the reason in place of the length, kind and FIRST in place of the index, the receiver's rank in
 * place of the tag.  Only the wide format has these fields; machines whose packets have the narrow
 * format need no relays.
 *
 * The sender then processes the loss as one of which the kernel has notified it: send_errors.c.
 */
#include <stdlib.h>
#include "forward.h"
#include "peer.h"
#include "send_errors.h"
#include "undelivered.h"

#define FIRST		0x100u	/* flag in the word with the kind */
#define KIND_MASK	0xffu
/* A report is lost at most so often: then the path to the sender does not work. */
#define TRIES		16u

/* Words of the note with which a report is logged */
#define NOTE_DEST	0
#define NOTE_REASON	1
#define NOTE_TRY	16	/* the upper half of NOTE_REASON counts the losses of the report */

/**
 * torus_undelivered_first() - check whether the log shows a packet as the first of its message
 * @fields: fields of the packet
 *
 * Return: true if it is the first; of a report, if it reports the loss of the first.
 */
bool torus_undelivered_first(const struct packet_fields *fields)
{
	if ((fields->kind & ~MSG_KIND_FLAGS) == KIND_UNDELIVERED)
		return fields->index & FIRST;
	return !fields->index;
}

/* Queue a report.  A report for which there is no memory is dropped. */
static void report(struct torus_job *job, struct peer *sender, const struct undelivered *lost,
		   uint32_t tries)
{
	const struct msg_format *format = &job->format;
	const struct flight flight = {
		.peer = sender, .number = lost->number, .packets = 1, .kind = KIND_UNDELIVERED,
		.note = {
			.word = { [NOTE_DEST] = lost->dest,
				  [NOTE_REASON] = lost->reason | tries << NOTE_TRY },
			.type = lost->kind,
		},
		.first = lost->first,
	};
	const struct packet_fields fields = {
		.kind = KIND_UNDELIVERED | (sender->relayed ? KIND_RELAYED : 0),
		.source = job->rank, .number = lost->number, .length = lost->reason,
		.index = lost->kind | (lost->first ? FIRST : 0), .tag = lost->dest,
	};
	unsigned char packet[MSG_HEADER_MAX] = { 0 };

	if (sender->gone || sender->blocked || tries >= TRIES)
		return;
	torus_msg_header_write(format, packet, &fields, sender->check);
	torus_forward_queue(job, &flight, packet, format->header_bytes);
}

/**
 * torus_undelivered_lost() - report the loss of a packet that this rank has forwarded
 * @flight: log entry of a lost packet
 * @notice: the kernel's notice
 *
 * Return: false if the packet is this rank's own, and so is its loss.
 */
bool torus_undelivered_lost(const struct flight *flight, const struct torus_notice *notice)
{
	const struct undelivered lost = {
		.dest = flight->peer->rank, .number = flight->number, .reason = notice->reason,
		.kind = flight->kind, .first = flight->first,
	};
	struct peer *sender;

	if (flight->kind != KIND_UNDELIVERED && !flight->forwarded)
		return false;
	/* A packet that waits for a link may still arrive. */
	if (notice->flags & TORUS_NOTICE_WAITS)
		return true;
	if (!flight->forwarded)
		torus_undelivered_again(flight);
	else if (!torus_job_peer(flight->job, flight->source, &sender))
		report(flight->job, sender, &lost, 0);
	return true;
}

/**
 * torus_undelivered_again() - repeat a report that was lost
 * @flight: log entry of the report
 */
void torus_undelivered_again(const struct flight *flight)
{
	const uint32_t *word = flight->note.word;
	const struct undelivered lost = {
		.dest = word[NOTE_DEST], .number = flight->number,
		.reason = word[NOTE_REASON] & ((1u << NOTE_TRY) - 1), .kind = flight->note.type,
		.first = flight->first,
	};

	report(flight->job, flight->peer, &lost, (word[NOTE_REASON] >> NOTE_TRY) + 1);
}

/**
 * torus_undelivered_accept() - take a report that a packet of this rank was lost
 * @job: the job
 * @view: a packet of KIND_UNDELIVERED for this rank
 *
 * Return: 0, or an error of torus_job_peer() if the packet must wait in its ring.
 */
int torus_undelivered_accept(struct torus_job *job, const struct torus_view *view)
{
	struct packet_fields fields;
	struct undelivered lost;

	if (job->format.narrow ||
	    !torus_msg_header_read(&job->format, view, job->check, &fields)) {
		job->counts.rejected_key++;
		return 0;
	}
	if (fields.source >= job->config.count || fields.source == job->rank ||
	    fields.tag >= job->config.count || fields.tag == job->rank) {
		job->counts.rejected_source++;
		return 0;
	}
	lost = (struct undelivered){
		.dest = fields.tag, .number = fields.number, .reason = fields.length,
		.kind = fields.index & KIND_MASK, .first = fields.index & FIRST,
	};
	return torus_send_error_undelivered(job, &lost);
}

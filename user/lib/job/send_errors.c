// SPDX-License-Identifier: GPL-2.0
/*
 * Report a lost packet as the error of its message.
 *
 * A notice names a packet by its injection FIFO and by the index of its first chunk in the ring.
 * The library logs message and receiver of the last packets of each FIFO.  For an older packet,
 * only the receiver is known: the notice contains its node.  If a notice says that no process reads
 * at a rank's FIFO group, the rank has left for good.  Then all queued and later messages to it
 * fail at once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "../context/error.h"
#include "answer.h"
#include "job.h"
#include "member.h"
#include "peer.h"
#include "queue.h"
#include "send_errors.h"
#include "undelivered.h"

#define LOG_PACKETS	4096u	/* packets logged per FIFO, a power of two */

/**
 * struct flight_log - the last packets of an injection FIFO, by index
 * @count: number of packets logged so far, wraps around
 * @flights: the last LOG_PACKETS packets
 */
struct flight_log {
	uint32_t count;
	struct flight flights[LOG_PACKETS];
};

/**
 * torus_send_error_log() - log a packet that is about to be written into an injection ring
 * @job: the job
 * @fifo: number of the injection FIFO
 * @flight: the packet; its index and its job are not used
 *
 * If there is no memory for the log, a loss is reported with its receiver, without its message.
 */
void torus_send_error_log(struct torus_job *job, unsigned int fifo, const struct flight *flight)
{
	struct flight_log *log = job->root->flights[fifo];
	struct flight *entry;

	if (!job->context->notices)
		return;
	if (!log) {
		log = calloc(1, sizeof(*log));
		if (!log)
			return;
		job->root->flights[fifo] = log;
	}
	entry = &log->flights[log->count++ % LOG_PACKETS];
	*entry = *flight;
	entry->job = job;
	entry->index = job->context->inject[fifo].tail;
}

/* Find the logged packet of a FIFO that starts at chunk @index.  NULL: it is not in the log. */
static const struct flight *loss_find(const struct torus_job *job, uint32_t fifo, uint32_t index)
{
	const struct flight_log *log = fifo < TORUS_INJECT_MAX ? job->flights[fifo] : NULL;
	uint32_t low, high;

	if (!log)
		return NULL;
	high = log->count;
	low = log->count > LOG_PACKETS ? log->count - LOG_PACKETS : 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct flight *flight = &log->flights[middle % LOG_PACKETS];

		if (flight->index == index)
			return flight;
		if ((__s32)(index - flight->index) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Check whether a packet of a FIFO is older than all packets in the log. */
static bool loss_forgotten(const struct torus_job *job, uint32_t fifo, uint32_t index)
{
	const struct flight_log *log = fifo < TORUS_INJECT_MAX ? job->root->flights[fifo] : NULL;

	return log && log->count > LOG_PACKETS &&
	       (__s32)(index - log->flights[log->count % LOG_PACKETS].index) < 0;
}

/*
 * Find the peer at a FIFO group of a node.  NULL: no rank except this one is there, or
 * torus_job_peer() fails.
 */
static struct peer *loss_peer_at(struct torus_job *job, uint32_t node, uint32_t group)
{
	struct peer *peer;
	uint32_t i;

	for (i = 0; i < job->config.count; i++) {
		struct torus_member at = torus_job_member(job, i);

		if (at.node == node && at.group == group && i != job->rank)
			return torus_job_peer(job, i, &peer) ? NULL : peer;
	}
	return NULL;
}

static bool loss_for_good(uint32_t reason)
{
	return reason == TORUS_DROP_NO_LISTENER || reason == TORUS_NOTICE_READER_GONE ||
	       reason == TORUS_NOTICE_READER_GONE_UNREAD;
}

static int loss_errno(uint32_t reason)
{
	if (loss_for_good(reason))
		return -ENOTCONN;
	return reason == TORUS_NOTICE_LINK ? -EHOSTUNREACH : -ECOMM;
}

/*
 * Set the error text: place of the receiver, reason of the loss, and the message that lost packets.
 */
static int loss_say(const struct torus_job *job, const struct peer *peer)
{
	char where[TORUS_PLACE_MAX], part[64] = "";

	torus_job_place(job, peer->rank, where);
	if (peer->lost_known)
		snprintf(part, sizeof(part), " (message %u: %u of %u packets lost)",
			 peer->lost_number, peer->lost_packets, peer->lost_of);
	return torus_error_set(loss_errno(peer->lost_reason), "%s: %s%s", where,
			       torus_error_notice(peer->lost_reason), part);
}

/* Note that the process of a rank has left, and fail all messages queued for it. */
static void loss_gone(struct torus_job *job, struct peer *peer)
{
	peer->gone = true;
	job->gone = peer;
	torus_send_fail(job, peer, -ENOTCONN);
}

static void loss_note(struct torus_job *job, struct peer *peer, const struct flight *flight,
		      uint32_t reason)
{
	bool first = !peer->lost;

	if (first || (loss_for_good(reason) && !loss_for_good(peer->lost_reason)))
		peer->lost_reason = reason;
	peer->lost = true;
	if (flight && (!peer->lost_known || peer->lost_reported)) {
		peer->lost_known = true;
		peer->lost_number = flight->number;
		peer->lost_of = flight->packets;
		peer->lost_packets = 0;
	}
	peer->lost_reported = false;
	if (flight && flight->number == peer->lost_number)
		peer->lost_packets++;
	if (!peer->lost_listed) {
		peer->lost_listed = true;
		peer->lost_next = job->lost;
		job->lost = peer;
	}
	if (loss_for_good(reason) && !peer->gone)
		loss_gone(job, peer);
}

/*
 * Process the loss of a wire-up packet.  If it was sent after the session was known, its receiver
 * had joined, so its process has left.
 */
static void loss_note_connect(struct torus_job *job, struct peer *peer,
			      const struct flight *flight, uint32_t reason)
{
	const struct wireup *wireup = &job->wireup;

	torus_liveness_lost(job, peer->rank, reason);
	if (!wireup->session || (__s32)(flight->number - wireup->begun) <= 0 ||
	    !loss_for_good(reason) || peer->relayed || peer->gone)
		return;
	peer->lost_reason = reason;
	loss_gone(job, peer);
}

/*
 * Notify the matching of a lost packet.  @flight: NULL for a packet of a broadcast, which the log
 * does not have.
 */
static void loss_match(struct torus_job *job, const struct peer *peer, const struct flight *flight,
		       const struct torus_notice *notice)
{
	/* A packet that waits for a link may still arrive. */
	if (!job->match || notice->flags & (TORUS_NOTICE_WAITS | TORUS_NOTICE_COPY) ||
	    (peer && peer->gone))
		return;
	if (flight ? flight->kind == KIND_MATCH || flight->kind == KIND_BULK :
		     notice->flags & TORUS_NOTICE_ALL ||
		     loss_forgotten(job, notice->fifo, notice->index))
		job->match_ops->lost(job->match, flight);
}

/* Notify the matching of each job of a context.  @peer: receiver, of the root; may be NULL. */
static void loss_match_all(struct torus_job *root, const struct peer *peer,
			   const struct torus_notice *notice)
{
	struct torus_job *job;

	for (job = root; job; job = job->next)
		loss_match(job, job == root ? peer : NULL, NULL, notice);
}

/* Note that any packet of a context may be lost. */
static void loss_note_all(struct torus_job *root, const struct torus_notice *notice)
{
	struct torus_job *job;

	for (job = root; job; job = job->next)
		job->lost_all = true;
	loss_match_all(root, NULL, notice);
}

/* Process a notice.  @job: the root of its context. */
static void loss_take(struct torus_job *job, const struct torus_notice *notice)
{
	const struct flight *flight = NULL;
	struct peer *peer = NULL;

	/* torus_inject_refused() reports these */
	if (notice->reason >= TORUS_NOTICE_REFUSED)
		return;
	if (notice->flags & TORUS_NOTICE_ALL) {
		loss_note_all(job, notice);
		return;
	}
	if (!(notice->flags & TORUS_NOTICE_COPY))
		flight = loss_find(job, notice->fifo, notice->index);
	/*
	 * This job has sent no message yet.  So a packet without a log entry belongs to an earlier
	 * job of this context.
	 */
	if (!flight && !job->wireup.go)
		return;
	if (flight) {
		job = flight->job;
		peer = flight->peer;
	} else {
		peer = loss_peer_at(job, notice->flags & TORUS_NOTICE_COPY ? notice->node :
				    notice->dest, notice->group);
	}
	if (!peer || (flight && torus_undelivered_lost(flight, notice)))
		return;
	if (flight && flight->kind == KIND_WIREUP) {
		loss_note_connect(job, peer, flight, notice->reason);
		return;
	}
	/*
	 * The packet was sent to a relay, for another rank.  Its loss does not show that the
	 * receiver has left.
	 */
	if (flight && peer->relayed && loss_for_good(notice->reason))
		loss_note(job, peer, flight, TORUS_NOTICE_LINK);
	else
		loss_note(job, peer, flight, notice->reason);
	if (flight)
		loss_match(job, peer, flight, notice);
	else
		loss_match_all(job, peer, notice);
}

/* Find a packet of this rank in the log.  NULL: it is not there. */
static const struct flight *flight_find(const struct torus_job *job, const struct peer *peer,
					const struct undelivered *lost)
{
	unsigned int fifo, i;

	for (fifo = 0; fifo < TORUS_INJECT_MAX; fifo++)
		for (i = 0; job->root->flights[fifo] && i < LOG_PACKETS; i++) {
			const struct flight *flight = &job->root->flights[fifo]->flights[i];

			if (flight->job == job && flight->peer == peer && !flight->forwarded &&
			    flight->kind == lost->kind && flight->number == lost->number &&
			    flight->first == lost->first)
				return flight;
		}
	return NULL;
}

/**
 * torus_send_error_undelivered() - process the report of a rank that has forwarded a packet
 * @job: the job
 * @lost: the packet, which this rank has sent
 *
 * If the log does not have the packet, it may be of any message.
 *
 * Return: 0, or an error of torus_job_peer(); then nothing has changed.
 */
int torus_send_error_undelivered(struct torus_job *job, const struct undelivered *lost)
{
	const struct torus_notice notice = { .reason = lost->reason };
	const struct flight *flight;
	struct peer *peer;
	int ret = torus_job_peer(job, lost->dest, &peer);

	if (ret)
		return ret;
	flight = flight_find(job, peer, lost);
	if (lost->kind == KIND_UNDELIVERED) {
		if (flight)
			torus_undelivered_again(flight);
		return 0;
	}
	loss_note(job, peer, flight, lost->reason);
	if (flight)
		loss_match(job, peer, flight, &notice);
	else if (job->match && (lost->kind == KIND_MATCH || lost->kind == KIND_BULK))
		job->match_ops->lost(job->match, NULL);
	return 0;
}

/**
 * torus_send_error_drain() - process the kernel's notices
 * @job: the job
 *
 * Return: number of notices, or an error of torus_notice_take().  If there were notices, a waiting
 * caller must check its condition before it sleeps.
 */
int torus_send_error_drain(struct torus_job *job)
{
	struct torus_notice notice;
	int ret, taken = 0;

	if (!job->context->notices)
		return 0;
	for (;;) {
		ret = torus_notice_take(job->context, &notice);
		if (ret <= 0)
			return ret ? ret : taken;
		loss_take(job->root, &notice);
		taken++;
	}
}

/**
 * torus_send_error_of() - check whether the process of a rank has left
 * @job: the job
 * @peer: the rank
 *
 * Return: 0 if it has not; otherwise the error, whose text is set.
 */
int torus_send_error_of(const struct torus_job *job, const struct peer *peer)
{
	return peer->gone ? loss_say(job, peer) : 0;
}

/**
 * torus_send_error_peer_left() - report that a rank's process has left, and its packets have
 * arrived
 * @job: the job
 * @peer: the rank
 * @all: the processes of all other ranks have left, too
 *
 * Return: -ENOTCONN, whose text is set.
 */
int torus_send_error_peer_left(struct torus_job *job, struct peer *peer, bool all)
{
	char where[TORUS_PLACE_MAX];

	if (!peer->gone) {
		peer->lost_reason = TORUS_DROP_NO_LISTENER;
		loss_gone(job, peer);
	}
	peer->left = true;
	torus_job_place(job, peer->rank, where);
	return torus_error_set(-ENOTCONN, "%s: the process has ended%s", where,
			       all && job->config.count > 2 ?
			       ", and the processes of all other ranks have ended too" : "");
}

/**
 * torus_send_error_report() - report the messages that were lost since the last report
 * @job: the job
 *
 * Return: 0, or an error whose text names a rank: -ENOTCONN, -EHOSTUNREACH, -ECOMM.  If the kernel
 * could not record the lost packets, the text of -ECOMM names none.
 */
int torus_send_error_report(struct torus_job *job)
{
	struct peer *peer = job->lost, *next;
	unsigned int ranks = 0;
	char text[TORUS_ERROR_MAX];
	int ret;

	if (job->lost_all) {
		job->lost_all = false;
		return torus_error_set(-ECOMM,
				       "packets were lost, and the kernel could not record which: "
				       "any message since the last flush may be lost");
	}
	if (!peer)
		return 0;
	ret = loss_say(job, peer);
	for (; peer; peer = next) {
		next = peer->lost_next;
		peer->lost_next = NULL;
		peer->lost_listed = false;
		peer->lost_reported = true;
		ranks++;
	}
	job->lost = NULL;
	if (ranks > 1) {
		snprintf(text, sizeof(text), "%s", torus_error_text());
		torus_error_set(ret, "%s; and messages to %u other ranks", text, ranks - 1);
	}
	return ret;
}

/* Remove the packets of a sub-job that closes from the log. */
static void log_forget(struct flight_log *log, const struct torus_job *job)
{
	unsigned int i;

	for (i = 0; i < LOG_PACKETS; i++)
		if (log->flights[i].job == job)
			log->flights[i].peer = NULL;
}

/**
 * torus_send_error_close() - free the logs, or remove the packets of a sub-job from them
 * @job: the job, which closes
 */
void torus_send_error_close(struct torus_job *job)
{
	unsigned int i;

	for (i = 0; i < TORUS_INJECT_MAX; i++) {
		if (job != job->root && job->root->flights[i])
			log_forget(job->root->flights[i], job);
		free(job->flights[i]);
		job->flights[i] = NULL;
	}
}
